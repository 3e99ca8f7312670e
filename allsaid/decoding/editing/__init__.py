"""Edits of training recipes: find the nearest, swap, delete and insert its items, and check the result."""
