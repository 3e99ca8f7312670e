"""Values of a record: their use in training texts, and which of them a text states."""
