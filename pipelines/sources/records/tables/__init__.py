"""From the bytes of a table to its rows."""
