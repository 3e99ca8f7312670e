"""One step of the beam: the sheet of scores, the hypotheses, and the words to require or forbid."""
