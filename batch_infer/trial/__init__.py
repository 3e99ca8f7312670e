"""A page on loopback where a user types a row and sees the generated texts."""
