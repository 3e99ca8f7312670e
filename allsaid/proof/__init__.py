"""Checks of a text against its row: values, names, forms of clauses, faults. It needs neither torch nor Beam."""
