"""Planted faults: reference texts damaged in known ways. None of the damaged texts may be certified."""
