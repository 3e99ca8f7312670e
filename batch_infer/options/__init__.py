"""The options of generation: texts, gates, and the job."""
