"""Published data sets and what is kept of their runs."""
