"""Distinguish infrastructure errors, which a retry may avoid, from errors of a row, which recur on every try."""

from __future__ import annotations

import re

import torch

from schemas.errors import UserError

_TYPES = (MemoryError, OSError, torch.OutOfMemoryError, torch.AcceleratorError)
# Other errors of memory, drivers and GPU libraries are plain RuntimeErrors in PyTorch.
_MESSAGE = re.compile(r"allocate memory|not enough memory|out of memory|CUDA|cuDNN|cuBLAS|NVIDIA", re.IGNORECASE)


def check_fault(fault: Exception) -> None:
    """Raise UserError for an infrastructure error: the runner then retries all rows of the part, perhaps elsewhere.

    Any other fault belongs to a row and is reported in its ``error``: a retry would not help.
    """
    if isinstance(fault, _TYPES) or (isinstance(fault, RuntimeError) and _MESSAGE.search(str(fault))):
        message = " ".join(str(fault).split()).rstrip(".")
        raise UserError(
            f"A worker's machine failed, not a row ({type(fault).__name__}: {message}). If it is short of memory, give "
            "it more or start fewer workers on it. The same command goes on with what is left."
        ) from fault
