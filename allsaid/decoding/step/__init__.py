"""One step of the beam: the sheet of scores, the hypotheses, and what must or must not be written next."""
