"""What the texts say of their rows, and the figures of a run."""
