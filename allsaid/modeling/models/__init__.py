"""One file a model, and what models share."""
