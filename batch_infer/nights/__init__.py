"""Nightly runs, which write new texts next to the published ones."""
