"""Training runs and grids of runs."""
