"""Public dumps, downloaded and checked."""
