"""What a run records, and how it reaches MLflow."""
