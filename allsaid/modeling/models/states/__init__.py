"""States that models keep from step to step, with what more than one model makes of them."""
