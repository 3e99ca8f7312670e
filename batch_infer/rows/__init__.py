"""The rows of the input, whatever their kind, prepared as the training data was."""
