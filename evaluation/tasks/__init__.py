"""The texts of a system for a split and their figures, by task."""
