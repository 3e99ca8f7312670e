"""A page on loopback where a person types a row and sees what the model writes."""
