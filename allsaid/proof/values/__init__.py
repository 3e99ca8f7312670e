"""Values of a record: what training texts have of them, and which of them a text states."""
