"""The commands of `allsaid` about trainings; each imports heavy modules only when it runs."""
