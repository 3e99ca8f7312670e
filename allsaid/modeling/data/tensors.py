"""Rows of ids as tensors, and dataclasses of tensors that move to a device together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Self

import numpy as np
import torch
from torch import Tensor

from allsaid.modeling.data.arrays import FlatTexts
from allsaid.modeling.data.vocabulary import END, PAD, START


@dataclass(frozen=True)
class Tensors:
    """Dataclass whose fields are tensors, or again such dataclasses."""

    def to(self, device: torch.device | str) -> Self:
        moved: dict[str, Any] = {part.name: getattr(self, part.name).to(device) for part in fields(self)}
        return replace(self, **moved)


def fill(rows: Sequence[Sequence[int]], value: int, least: int = 1) -> Tensor:
    """Return B lists of integers as a (B, longest) tensor padded with ``value``, with at least ``least`` columns."""
    filled = np.full((len(rows), max(least, max(len(row) for row in rows))), value, np.int64)
    for position, row in enumerate(rows):
        filled[position, : len(row)] = row
    return torch.from_numpy(filled)


def stretches(flat: np.ndarray, starts: np.ndarray, ends: np.ndarray, value: int, least: int = 1) -> np.ndarray:
    """Return B slices of a flat array as (B, longest), padded with ``value``, with at least ``least`` columns."""
    lengths = ends - starts
    columns = np.arange(max(least, lengths.max(initial=0)))
    real = columns < lengths[:, None]
    filled = np.full(real.shape, value, np.int64)
    filled[real] = flat[(starts[:, None] + columns)[real]]
    return filled


def learned(
    ids: FlatTexts, of_words: np.ndarray, rows: Sequence[int] | np.ndarray, longest: int, end: int, value: int
) -> Tensor:
    """Return a flat array's values for the words of the texts ``rows``, then ``end``: (B, T), padded with ``value``.

    A text of more words than ``longest`` is cut there, without an end.
    """
    rows = np.asarray(rows, np.int64)
    starts, ends = ids.text_starts[rows], ids.text_starts[rows + 1]
    cuts = np.minimum(ends, starts + longest)
    whole = np.flatnonzero(cuts == ends)
    lengths = cuts - starts
    filled = stretches(of_words, starts, cuts, value, 1 + lengths[whole].max(initial=0))
    filled[whole, lengths[whole]] = end
    return torch.from_numpy(filled)


def texts_to_learn(ids: FlatTexts, rows: Sequence[int] | np.ndarray, longest: int) -> Tensor:
    """Return the targets (B, T) of the texts ``rows``: x_1 … x_n END, padded with PAD.

    A text of more words than ``longest`` is cut there and has no END.
    """
    return learned(ids, ids.text, rows, longest, END, PAD)


def inputs_of(targets: Tensor) -> Tensor:
    """Return the input of each of the targets (B, T): START, then the target before."""
    return torch.cat([torch.full_like(targets[:, :1], START), targets[:, :-1]], dim=1)
