"""Names of foods in texts, and which of them an agenda backs."""
