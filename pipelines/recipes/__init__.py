"""Recipes: ingredients, steps, and the references between them."""
