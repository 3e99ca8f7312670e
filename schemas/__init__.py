"""The data formats at the borders between packages: every column is defined here and nowhere else."""
