"""Checker of a recipe's text: it finds passages that a cook could not follow."""
