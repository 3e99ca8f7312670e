"""Systems beside each other and beside the papers."""
