"""The training loop, its checkpoints, scores and plots."""
