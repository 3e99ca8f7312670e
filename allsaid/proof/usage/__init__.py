"""What the submitted texts themselves say about words for values."""
