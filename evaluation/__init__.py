"""Scoring texts by the papers' protocols, and comparing systems."""
