"""Tables that models read and texts are about: boxes of fields, and rows of offers."""
