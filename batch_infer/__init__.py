"""Generate texts with proof of coverage from a trained model and agendas (Beam jobs and the report)."""
