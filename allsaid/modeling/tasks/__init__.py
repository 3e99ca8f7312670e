"""What models learn from: data sets, vocabularies, and the way from tokens to text."""
