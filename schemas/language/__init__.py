"""How texts and cells write words and numbers, for every room that compares or writes values."""
