"""Tensor files that are never left half written by a crash."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from safetensors.torch import save_file
from torch import Tensor


def write_tensors(path: Path, tensors: Mapping[str, Tensor], metadata: dict[str, str]) -> None:
    """Write a safetensors file next to ``path``, force it to the disk and move it into place."""
    part = path.with_suffix(".part")
    save_file({name: value.detach().cpu().contiguous() for name, value in tensors.items()}, part, metadata)
    part.chmod(0o644)  # the library makes it private to its owner, but other hosts read a model's folder
    with part.open("rb") as file:
        os.fsync(file.fileno())
    part.replace(path)
