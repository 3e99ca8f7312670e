"""Conversion of rows of each kind, as users write them, to model input."""
