"""Tables of edited recipes and of foods."""
