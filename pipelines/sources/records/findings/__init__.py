"""What a table holds, guessed before a run and told after it."""
