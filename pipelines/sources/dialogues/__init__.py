"""A user's own conversations about a table of offers."""
