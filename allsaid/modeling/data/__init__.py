"""Data sets as training reads them: examples, vocabularies, and rows of ids as arrays and tensors."""
