"""Meal-Master dumps."""
