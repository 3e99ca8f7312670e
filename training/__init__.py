"""From examples to a trained, registered model (PyTorch and MLflow; never Beam or spaCy)."""
