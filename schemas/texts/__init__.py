"""What a generation writes: texts with their proof, what the model looked at, and the rows they were written from."""
