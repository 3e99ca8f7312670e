"""Costs and scores of the families of models."""
