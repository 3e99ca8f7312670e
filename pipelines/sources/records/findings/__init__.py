"""Analysis of a table: the guess of its mapping before a run, and its drift between runs."""
