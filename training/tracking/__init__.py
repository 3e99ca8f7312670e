"""The record of a run, its delivery to MLflow, and the model registry."""
