"""Whether a text states its row in known forms, and the certificate that follows from it."""
