"""The Beam job: rows in, texts with their proof out."""
