"""What is known of words and texts, whatever dump they come from."""
