"""The contract of models, and code that several models share."""
