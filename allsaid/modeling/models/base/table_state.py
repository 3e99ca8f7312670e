"""The state of a model of dialogues over a table, and its attention.

Letters as in `allsaid.modeling.models.table_pointer`; R rows of the table, P pairs as in
`allsaid.modeling.tables.offer_table`.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from allsaid.modeling.layers.projection import Projection
from allsaid.modeling.models.base.contract import PerHypothesis, PerText, State
from allsaid.modeling.tables.offer_table import Table

PARTS = 4  # of a batch, by length, so that short turns are not padded to the longest
LEAST = 8  # in a search: minimum length of a turn in words, and of a batch in turns; both are padded


@dataclass(frozen=True)
class TableState(State):
    """State of B turns with n hypotheses each."""

    project: Projection
    words: Tensor  # (U, k) vectors of the words
    table: Table
    memory: PerText  # (B, S, k)
    keys: PerText  # (B, S, k) of the attention
    is_place: PerText  # (B, S) bool
    rows: PerText  # (B, R) the attention to rows of the table before the first word; R is 0 without a table
    mass: PerText  # (B, P) of the rows, on each word of a column; P is 0 if nothing is copied
    before: PerHypothesis  # (B · n,) the last word
    h: PerHypothesis  # (B · n, k)
    c: PerHypothesis  # (B · n, k)
    d: PerHypothesis  # (B · n, k) the result of the last attention; (B · n, 0) without places


def place_scores(state: TableState, h: Tensor) -> Tensor:
    """Return the scores of the places (B, n, S) for the decoder's states (B · n, k)."""
    by_turn = h.view(len(state.keys), -1, h.shape[1])
    scores = torch.bmm(by_turn, state.keys.transpose(1, 2))
    return scores.masked_fill(~state.is_place.unsqueeze(1), torch.finfo(h.dtype).min)


def cell_weights(state: TableState) -> Tensor:
    """Return the attention to each cell (B · n, R, C) in the last step: that to its row times that to its column."""
    columns = state.table.cells.shape[1]
    by_column = place_scores(state, state.h)[:, :, -columns:].softmax(2)
    return (state.rows[:, None, :, None] * by_column.unsqueeze(2)).flatten(0, 1)


def similar_lengths(lengths: Tensor) -> tuple[Tensor, ...]:
    """Return the rows in PARTS groups of similar length."""
    return lengths.argsort().chunk(PARTS)


def equal_sizes(lengths: Tensor) -> list[Tensor]:
    """Return the rows in groups of equal `padded_size`, which depends on nothing but a row's own length."""
    power = torch.bucketize(lengths, torch.tensor([LEAST << power for power in range(32)], device=lengths.device))
    return [(power == group).nonzero().flatten() for group in power.unique()]


def padded_size(length: int) -> int:
    """Return the smallest power of two, at least LEAST, that is no less than the length."""
    return max(LEAST, 1 << (length - 1).bit_length())
