"""The library: language, storage, proof, modeling and decoding, and the entry point of the command line."""

import os

# All packages of the project, from below to above; pyproject.toml repeats them where tools ask, and a test compares.
PACKAGES = ("schemas", "allsaid", "pipelines", "training", "batch_infer", "evaluation")

# Read when torch is loaded: threads that wait for each other sleep. Busy waiting made a training step ten times slower
# (4,689 and 488 tokens/s, two threads) where another process used one of the two cores.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
