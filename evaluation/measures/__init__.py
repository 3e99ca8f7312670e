"""The papers' measures and their protocols."""
