"""What a text says of its row."""
