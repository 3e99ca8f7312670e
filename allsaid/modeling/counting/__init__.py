"""Weights that are counted in texts, not trained: n-grams, and initial word vectors."""
