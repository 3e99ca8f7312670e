"""Rows of ids as tensors, and dataclasses of tensors that move to a device together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Self  # Any: tensors, or dataclasses of tensors

import numpy as np
import torch
from torch import Tensor

from allsaid.modeling.data.arrays import FlatTexts
from allsaid.modeling.data.vocabulary import END, PAD, START


@dataclass(frozen=True)
class Tensors:
    """Dataclass whose fields are tensors, or dataclasses of this kind."""

    def to(self, device: torch.device | str) -> Self:
        moved: dict[str, Any] = {part.name: getattr(self, part.name).to(device) for part in fields(self)}
        return replace(self, **moved)


def fill(rows: Sequence[Sequence[int]], value: int, least: int = 1) -> Tensor:
    """Return B lists of integers as a (B, longest) tensor padded with ``value``, with at least ``least`` columns."""
    filled = np.full((len(rows), max(least, max(len(row) for row in rows))), value, np.int64)
    for position, row in enumerate(rows):
        filled[position, : len(row)] = row
    return torch.from_numpy(filled)


def fill_nested(rows: Sequence[Sequence[Sequence[int]]]) -> Tensor:
    """Return B lists of lists of ids as (B, longest list, longest inner list), at least (B, 1, 1), padded with PAD."""
    longest = max((len(ids) for lists in rows for ids in lists), default=1)
    filled = np.full((len(rows), max(1, *map(len, rows)), max(1, longest)), PAD, np.int64)
    for row, lists in enumerate(rows):
        for place, ids in enumerate(lists):
            filled[row, place, : len(ids)] = ids
    return torch.from_numpy(filled)


def padded_slices(flat: np.ndarray, starts: np.ndarray, ends: np.ndarray, value: int, least: int = 1) -> np.ndarray:
    """Return B slices of a flat array as (B, longest), padded with ``value``, with at least ``least`` columns."""
    lengths = ends - starts
    columns = np.arange(max(least, lengths.max(initial=0)))
    real = columns < lengths[:, None]
    filled = np.full(real.shape, value, np.int64)
    filled[real] = flat[(starts[:, None] + columns)[real]]
    return filled


def values_to_learn(
    ids: FlatTexts,
    word_values: np.ndarray,
    text_indices: Sequence[int] | np.ndarray,
    longest: int,
    end: int,
    value: int,
) -> Tensor:
    """Return the values of each text's words, followed by ``end``: (B, T), padded with ``value``.

    word_values: of all words of the split. text_indices: B, the texts' numbers in the split. A text of more than
    ``longest`` words is cut there, without an end.
    """
    indices = np.asarray(text_indices, np.int64)
    starts, ends = ids.text_starts[indices], ids.text_starts[indices + 1]
    cuts = np.minimum(ends, starts + longest)
    whole = np.flatnonzero(cuts == ends)
    lengths = cuts - starts
    filled = padded_slices(word_values, starts, cuts, value, 1 + lengths[whole].max(initial=0))
    filled[whole, lengths[whole]] = end
    return torch.from_numpy(filled)


def texts_to_learn(ids: FlatTexts, text_indices: Sequence[int] | np.ndarray, longest: int) -> Tensor:
    """Return the targets (B, T) of the B texts with these indices: x_1 … x_n END, padded with PAD.

    A text of more than ``longest`` words is cut there and has no END.
    """
    return values_to_learn(ids, ids.text, text_indices, longest, END, PAD)


def inputs_of(targets: Tensor) -> Tensor:
    """Return the inputs (B, T) that the targets answer: START, then each target but the last."""
    return torch.cat([torch.full_like(targets[:, :1], START), targets[:, :-1]], dim=1)
