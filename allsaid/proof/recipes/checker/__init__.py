"""Checker of a recipe's text: what a cook would stumble over, each finding with its passage."""
