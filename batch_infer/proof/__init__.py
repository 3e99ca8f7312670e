"""Proof of the texts' content against their rows, and the figures of a run."""
