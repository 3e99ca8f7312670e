"""A row of each kind, as people write it, to what a model reads."""
