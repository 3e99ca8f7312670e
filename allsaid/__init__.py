"""Library packages (language, storage, proof, modeling, decoding) and the command line's entry point."""

import os

# All packages of the project, lowest layer first; pyproject.toml repeats them for its tools, and a test compares both.
PACKAGES = ("schemas", "allsaid", "pipelines", "training", "batch_infer", "evaluation")

# Torch reads this when it is loaded: waiting threads sleep. With busy waiting, a training step was ten times slower
# (4,689 and 488 tokens/s, two threads) when another process used one of the two cores.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
