"""One step of the beam search: scores of next words, hypotheses, and processors that change scores."""
