"""The ingest run and its Beam wiring."""
