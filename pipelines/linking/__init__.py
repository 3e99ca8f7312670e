"""From texts to examples: phrases merged, values delexicalised and linked, splits by content."""
