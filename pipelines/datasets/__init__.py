"""Published data sets, with the manifests and the history of their runs."""
