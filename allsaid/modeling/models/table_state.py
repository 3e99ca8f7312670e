"""What a model of dialogues over a table keeps of turns, and what it looks at from there.

Letters as in `allsaid.modeling.models.table_pointer`; R rows of the table, P pairs as in
`allsaid.modeling.tables.offer_table`.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from allsaid.modeling.layers.projection import Projection
from allsaid.modeling.models.contract import PerHypothesis, PerText, State
from allsaid.modeling.tables.offer_table import Table

PARTS = 4  # in which a batch is read and written, so that short turns are not filled up to the longest
LEAST = 8  # words, and turns, that are read together in a search: both come in whole numbers of these


@dataclass(frozen=True)
class TableState(State):
    """B turns, n hypotheses of each side by side."""

    project: Projection
    words: Tensor  # (U, k) what is read of each word
    table: Table
    memory: PerText  # (B, S, k)
    keys: PerText  # (B, S, k) what the writing LSTM's state is compared with
    is_place: PerText  # (B, S) bool
    rows: PerText  # (B, R) how much each row of the table was looked at before the first word; R is 0 without a table
    mass: PerText  # (B, P) of the rows, on each word of a column; P is 0 where nothing is copied
    before: PerHypothesis  # (B · n,) the word that was read last
    h: PerHypothesis  # (B · n, k)
    c: PerHypothesis  # (B · n, k)
    d: PerHypothesis  # (B · n, k) what was read last, nothing where there is no place


def place_scores(state: TableState, h: Tensor) -> Tensor:
    """How well the writing LSTM's states (B · n, k) fit each place, (B, n, S)."""
    by_turn = h.view(len(state.keys), -1, h.shape[1])
    scores = torch.bmm(by_turn, state.keys.transpose(1, 2))
    return scores.masked_fill(~state.is_place.unsqueeze(1), torch.finfo(h.dtype).min)


def cell_weights(state: TableState) -> Tensor:
    """How much each cell is looked at (B · n, R, C) after the last step, the row's share times the column's."""
    columns = state.table.cells.shape[1]
    by_column = place_scores(state, state.h)[:, :, -columns:].softmax(2)
    return (state.rows[:, None, :, None] * by_column.unsqueeze(2)).flatten(0, 1)


def alike(lengths: Tensor) -> tuple[Tensor, ...]:
    """The rows in PARTS parts, those of like length together."""
    return lengths.argsort().chunk(PARTS)


def of_size(lengths: Tensor) -> list[Tensor]:
    """The rows of each size, which depends on nothing but a row's own length."""
    number = torch.bucketize(lengths, torch.tensor([LEAST << power for power in range(32)], device=lengths.device))
    return [(number == one).nonzero().flatten() for one in number.unique()]


def size_of(length: int) -> int:
    """The power of two, LEAST at least, that holds so many words."""
    return max(LEAST, 1 << (length - 1).bit_length())
