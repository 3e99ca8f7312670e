"""Planted faults: reference texts damaged in known ways, none of which may be certified."""
