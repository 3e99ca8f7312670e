"""Tables that models read and texts speak of: boxes of fields, and rows of offers."""
