"""Planted faults: reference texts damaged in known ways, which nothing that certifies texts may let pass."""
