"""Rows of ids as tensors, and dataclasses of tensors, which move to a device together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Self

import numpy as np
import torch
from torch import Tensor


@dataclass(frozen=True)
class Tensors:
    """Fields are tensors, or such dataclasses again."""

    def to(self, device: torch.device | str) -> Self:
        moved: dict[str, Any] = {part.name: getattr(self, part.name).to(device) for part in fields(self)}
        return replace(self, **moved)


def fill(rows: Sequence[Sequence[int]], value: int) -> Tensor:
    """B lists of whole numbers as a (B, longest) tensor filled up with ``value``; at least one column."""
    filled = np.full((len(rows), max(1, max(len(row) for row in rows))), value, np.int64)
    for position, row in enumerate(rows):
        filled[position, : len(row)] = row
    return torch.from_numpy(filled)
