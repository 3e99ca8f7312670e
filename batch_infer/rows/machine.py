"""Faults of a machine, which another try may not meet, told from those of a row, which every try would meet."""

from __future__ import annotations

import re

import torch

from schemas.errors import UserError

_OF_MACHINES = (MemoryError, OSError, torch.OutOfMemoryError, torch.AcceleratorError)
# PyTorch has no type of its own for the other faults of memory, of a driver, and of a GPU's libraries.
_SAID = re.compile(r"allocate memory|not enough memory|out of memory|CUDA|cuDNN|cuBLAS|NVIDIA", re.IGNORECASE)


def check_fault(fault: Exception) -> None:
    """Raise UserError for a fault of the machine: the runner then tries all rows of the part again, elsewhere perhaps.

    Any other is a row's own, to be told in its ``error``: to try that again would help no more than it did.
    """
    if isinstance(fault, _OF_MACHINES) or (isinstance(fault, RuntimeError) and _SAID.search(str(fault))):
        told = " ".join(str(fault).split()).rstrip(".")
        raise UserError(
            f"A worker's machine failed, not a row ({type(fault).__name__}: {told}). If it is short of memory, give it "
            "more or start fewer workers on it. The same command goes on with what is left."
        ) from fault
