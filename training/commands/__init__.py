"""The commands of `allsaid` about trainings; each imports what is heavy only when it runs."""
