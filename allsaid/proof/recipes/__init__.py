"""Recipes: steps as clauses, amounts, and a checker for steps that a cook could not follow."""
