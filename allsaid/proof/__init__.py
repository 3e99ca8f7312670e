"""What a text says about its row: values, names, forms of clauses, faults. It needs neither torch nor Beam."""
