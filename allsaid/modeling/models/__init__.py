"""One file per model, and the code that models share."""
