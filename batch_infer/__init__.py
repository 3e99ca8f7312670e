"""From a trained model and agendas to texts with proof of coverage (Beam jobs and the report)."""
