"""Comparisons of systems with each other and with papers."""
