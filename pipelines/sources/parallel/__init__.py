"""Two files of lines that belong together, such as sentences and their translations."""
