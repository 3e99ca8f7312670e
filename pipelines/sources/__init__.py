"""The dumps that can be read, a folder each."""
