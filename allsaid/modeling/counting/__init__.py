"""What is counted and not trained: n-grams, and first word vectors."""
