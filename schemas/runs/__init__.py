"""The records of an ingest run: manifest, history, rejected and deferred records."""
