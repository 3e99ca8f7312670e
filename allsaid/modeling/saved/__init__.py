"""A trained model as a folder of files."""
