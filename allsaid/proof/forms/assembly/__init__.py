"""Assembly of texts from sentences of training texts."""
