"""Convert tokens to text ready to publish: spelling, marks and letter case, as in the training part."""
