"""Recipes beyond their names: steps as clauses, amounts, and a checker of what a cook would stumble over."""
