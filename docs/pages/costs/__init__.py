"""Costs of ingest, training and search in seconds and megabytes, and what they buy."""
