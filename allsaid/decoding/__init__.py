"""Beam search: from the prompts of rows to hypotheses."""
