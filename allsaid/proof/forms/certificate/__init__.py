"""Check of texts against known forms, and the certificate that follows from it."""
