"""Recipes of allrecipes.com."""
