"""Reader of a table of offers: its words, which of them were mentioned, and attention to columns and rows.

Yang et al. 2016, sections 2.1.2 and 2.1.3, equations 2 to 5, with the bilinear attention of Luong et al. 2015. Equal
cells of a column share one vector. The attention to rows is summed by distinct cell, and from there by word. So the
largest tensor is (C · N, FEATURES, B): for 10,000 rows of 7 columns it has 1.1 MB per turn.

Letters as in `allsaid.modeling.tables.offer_table`; D dialogues of H turns of W words, B turns to generate, k hidden
size.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from allsaid.modeling.data.vocabulary import PAD
from allsaid.modeling.tables.offer_table import ANY, SPELLING, Table

FEATURES = 4  # of a word at a turn: how recently the machine used it, whether it did, and the same of the user


@dataclass(frozen=True)
class WordVectors:
    """Vectors of words and columns."""

    of_words: Tensor  # (U, k)
    of_columns: Tensor  # (C, k)


class WordReader(nn.Module):
    """Vectors of U words: learned ones for the vocabulary; for others, vectors of the words in them.

    The vector of a word that is a whole cell is made from the words in it and from its column (section 2.1.2). If the
    vocabulary has the word, a learned vector is added. Training drops it at random, so that unseen cells can be read.
    """

    def __init__(self, words: int, k: int, unseen: float) -> None:
        """unseen: the share of cells that training reads as if the vocabulary lacked them."""
        super().__init__()
        self.embedding = nn.Parameter(torch.empty(words, k))
        self.spelling = nn.Parameter(torch.empty(SPELLING, k))
        self.cell = nn.Linear(2 * k, k)
        self.unseen = unseen

    def forward(self, table: Table) -> WordVectors:
        size = len(table.firsts)
        base = torch.cat([self.embedding, table.spelled.to(self.embedding.dtype) @ self.spelling])
        read = F.embedding_bag(table.read, base, table.read_starts, mode="mean")
        words, columns = read[:size], read[size:]
        known = table.whole < len(self.embedding)
        if self.training:
            known = known & (torch.rand(len(known), device=known.device) >= self.unseen)
        identity = self.embedding[table.whole.clamp(max=len(self.embedding) - 1)] * known.unsqueeze(1)
        whole = torch.cat([words[table.whole] + identity, columns[table.whole_columns]], dim=1)
        words = words.index_copy(0, table.whole, self.cell(whole).tanh())
        return WordVectors(
            words.index_fill(0, torch.tensor([PAD], device=words.device), 0), columns[: table.firsts.shape[1]]
        )


@dataclass(frozen=True)
class TableAttention:
    """Attention of B turns to a table."""

    columns: Tensor  # (B, C, k) e_c
    rows: Tensor  # (B, R) p_r
    mass: Tensor  # (B, P) the attention to rows, summed by the words of each column


class TableReader(nn.Module):
    def __init__(self, k: int, knows_spoken: bool) -> None:
        super().__init__()
        self.cell = nn.Linear(2 * k, k)
        self.to_columns = nn.Linear(k, k, bias=False)
        self.to_cells = nn.Linear(k, k, bias=False)
        self.to_spoken = nn.Linear(k, FEATURES * k, bias=False) if knows_spoken else None
        self.spoken = nn.Parameter(torch.empty(FEATURES, k)) if knows_spoken else None

    def forward(self, table: Table, words: WordVectors, spoken: Tensor, q: Tensor) -> TableAttention:
        """Return the attention; spoken: (C · N, FEATURES, B) features of the distinct cells; q: (B, k)."""
        turns, columns = len(q), len(words.of_columns)
        cells = self._cells(table, words)  # (C · N, k)
        p_column = torch.softmax(self.to_columns(q) @ words.of_columns.t(), 1)  # (B, C)
        scores = (cells @ self.to_cells(q).t()).view(columns, -1, turns)
        by_column = spoken.view(columns, -1, FEATURES, turns)
        if self.to_spoken is not None:
            on_spoken = self.to_spoken(q).view(turns, FEATURES, -1) @ words.of_columns.t()  # (B, FEATURES, C)
            scores = scores + torch.einsum("cnfb,bfc->cnb", by_column, on_spoken)
        scores = (scores * p_column.t().unsqueeze(1)).flatten(0, 1)
        p_row = torch.softmax(F.embedding_bag(table.cells, scores, mode="sum"), 0)  # (R, B)
        mass = F.embedding_bag(table.rows, p_row, table.rows_starts, mode="sum")  # (C · N, B)
        of_cell = mass.view(columns, -1, turns).transpose(1, 2)  # (C, B, N)
        e_c = torch.bmm(of_cell, cells.view(columns, -1, cells.shape[1]))
        if self.spoken is not None:
            e_c = e_c + torch.einsum("cbn,cnfb->cbf", of_cell, by_column) @ self.spoken
        shares = table.pair_shares.to(mass.dtype)
        pairs = F.embedding_bag(table.pair_cells, mass, table.pair_starts, mode="sum", per_sample_weights=shares)
        return TableAttention(e_c.transpose(0, 1), p_row.t(), pairs.t())

    def _cells(self, table: Table, words: WordVectors) -> Tensor:
        """Return e = tanh(W [f, g]) of the distinct cells (C · N, k); f is the mean of a cell's words."""
        f = F.embedding_bag(table.written, words.of_words, table.written_starts, mode="mean")
        g = words.of_columns.repeat_interleave(len(f) // len(words.of_columns), 0)
        return torch.tanh(self.cell(torch.cat([f, g], dim=1)))


def spoken_cells(table: Table, turns: Tensor, dialogue: Tensor, place: Tensor, dtype: torch.dtype) -> Tensor:
    """Return how recently each distinct cell was mentioned before B turns, as the mean over its words.

    turns: (D, H, W); dialogue, place: (B,) the dialogue of each turn and the number of turns before it, by machine and
    user alternately. Returns (C · N, FEATURES, B): 1 / n for a word last used n turns before, 0 for one never used.
    """
    dialogues, length, _ = turns.shape
    heard, where = torch.unique(turns, return_inverse=True)  # Q words
    numbers = torch.arange(length, device=turns.device)
    has = torch.zeros(len(heard), dialogues, length, dtype=torch.bool, device=turns.device)
    has[where, torch.arange(dialogues, device=turns.device)[:, None, None], numbers[None, :, None]] = True
    has[heard == PAD] = False
    parts = []
    for speaker in (0, 1):
        last = torch.where(has & (numbers % 2 == speaker), numbers + 1, 0).cummax(2).values
        before = F.pad(last, (1, 0))[:, dialogue, place]  # (Q, B) from 1, 0 if it was never used
        parts += [(before > 0) / (place - before + 1), before > 0]
    by_word = torch.stack([part.to(dtype) for part in parts], dim=1).flatten(1)  # (Q, FEATURES · B)
    index = turns.new_full((len(table.firsts),), len(heard))
    index[heard] = torch.arange(len(heard), device=turns.device)
    by_cell = F.embedding_bag(index[table.written], F.pad(by_word, (0, 0, 0, 1)), table.written_starts, mode="mean")
    return by_cell.view(-1, FEATURES, len(dialogue))


def writing_cells(table: Table, before: Tensor, words: Tensor) -> Tensor:
    """Return the probability (N, R, C) that copying each cell continues ``before`` (N,) with ``words`` (N,)."""
    is_word = (table.pair_words == words.unsqueeze(1)) & is_next(table, before)
    is_word = is_word.index_select(1, table.pair_of_cells)
    parts = table.pair_shares.new_zeros(len(words), len(table.written_starts))
    return parts.index_add_(1, table.pair_cells, is_word * table.pair_shares)[:, table.cells]


def is_next(table: Table, before: Tensor) -> Tensor:
    """Return which pairs of a column and a word (N, P) may follow the words ``before`` (N,)."""
    return (table.pair_before == ANY) | (table.pair_before == before.unsqueeze(1))
