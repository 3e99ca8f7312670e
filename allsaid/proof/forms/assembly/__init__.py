"""Texts made of sentences of training texts."""
