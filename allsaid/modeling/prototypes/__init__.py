"""Training recipes to be edited: cleaned texts, an index to find the nearest, and counts that guide the edits."""
