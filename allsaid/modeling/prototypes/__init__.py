"""Training recipes to be edited: cleaned texts, an index to find the nearest, and what their edits need to know."""
