"""From prompts to hypotheses."""
