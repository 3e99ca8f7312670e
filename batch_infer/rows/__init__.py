"""Input rows of any kind, prepared in the same way as the training data."""
