"""Data sets in the form that training reads: examples, vocabularies, and rows of ids as arrays and tensors."""
