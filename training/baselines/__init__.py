"""Systems that write texts without training: a module each, with the names of ``training.systems.BASELINES``."""
