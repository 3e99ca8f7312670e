"""What the families of models cost and score, on their pages."""
