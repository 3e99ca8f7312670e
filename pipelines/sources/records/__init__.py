"""A user's own table."""
