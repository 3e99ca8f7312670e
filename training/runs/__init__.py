"""The command, one run, a grid of runs."""
