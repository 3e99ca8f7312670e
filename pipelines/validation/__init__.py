"""Validation of published data sets against schemas, rules and manifest."""
