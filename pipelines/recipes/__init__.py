"""What is known of recipes: ingredients, steps, and how they refer to each other."""
