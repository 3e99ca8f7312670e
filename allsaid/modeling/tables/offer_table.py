"""The table of offers that dialogues are about, as words and as tensors.

A cell is identified by its content, never by its row. Most cells are several words of the vocabulary. A cell that
identifies its row (a name, an address) is one word, made of its column and its content: :func:`cell_word`. So the same
offer is the same word in any table. If the vocabulary of V words lacks that word, it is a copy candidate of the table,
with an id from V on.

A cell is copied word by word. If the text's last word is in the cell, the copy continues with the cell's next word;
otherwise it begins with the first. A *pair* is a column and a word with which a copy of one of its cells may begin or
continue.

Letters: R rows, C columns, N maximum number of distinct cells of a column, V words of the vocabulary, U words of the
vocabulary and copy candidates, P pairs, Q distinct words of pairs.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain, pairwise

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as F

from allsaid.modeling.data.tensors import Tensors
from allsaid.modeling.data.vocabulary import Vocabulary
from schemas.errors import UserError
from schemas.offer import EMPTY, Offer

ANY = -1  # in place of the word before, for pairs that begin a cell
SPELLING = 64  # size of the vector for a word that the vocabulary lacks
_BETWEEN = ": "  # between column and content in the word of a cell; words of texts have no blank

Cell = tuple[str, ...]  # its words
NOTHING: Cell = (EMPTY,)  # an empty cell


def cell_word(column: str, content: str) -> str:
    """Return the one word of a cell that identifies its row."""
    return f"{column.replace(_BETWEEN, ' ')}{_BETWEEN}{content}"


def is_cell_word(word: str) -> bool:
    """Return whether a word is that of :func:`cell_word`, a whole cell."""
    return _BETWEEN in word


def as_written(word: str) -> str:
    """Return a word as texts write it; for a whole cell, its content."""
    return word.partition(_BETWEEN)[2] or word


@dataclass(frozen=True, eq=False)
class OfferTable:
    """A table in words."""

    columns: tuple[str, ...]
    cells: tuple[tuple[Cell, ...], ...]  # R rows of C cells
    named: Mapping[str, str]  # a turn's token for a cell that identifies its row, such as _NAME_3 -> the cell's word
    forms: Mapping[str, str]  # lower-case words of other cells -> the table's form, if it has capitals

    @classmethod
    def of(cls, offers: Sequence[Offer], where: str) -> OfferTable:
        """Return the table of some offers; raises UserError if there are none."""
        if not offers:
            raise UserError(f"{where} holds a table without rows, so there is nothing to speak of.")
        named = {
            token: cell_word(column, written)
            for offer in offers
            for column, written, cell in zip(offer.columns, offer.written, offer.cells, strict=True)
            for token in cell[:1]
            if written is not None and token.startswith("_") and token.endswith(f"_{offer.row}")
        }
        cells = tuple(tuple(tuple(named.get(token, token) for token in cell) for cell in row.cells) for row in offers)
        forms = {
            word.lower(): word
            for offer in offers
            for written, cell in zip(offer.written, offer.cells, strict=True)
            for word in (written or "").split()
            if word.lower() in cell and word.lower() != word
        }
        return cls(tuple(offers[0].columns), cells, named, forms)

    @cached_property
    def words(self) -> list[str]:
        """The distinct words of all cells, in the order of their first occurrence."""
        return list(dict.fromkeys(word for row in self.cells for cell in row for word in cell))


def naming_columns(vocabulary: Vocabulary) -> tuple[str, ...]:
    """Return the columns whose cells are single words, in the tables that a vocabulary was made from."""
    return tuple(dict.fromkeys(word.partition(_BETWEEN)[0] for word in vocabulary.words if is_cell_word(word)))


@lru_cache(maxsize=2)
def word_ids(table: OfferTable, vocabulary: Vocabulary) -> dict[str, int]:
    """Return the ids of U words: those of the vocabulary and, from V on, the table's copy candidates."""
    candidates = [word for word in table.words if word not in vocabulary.ids]
    return vocabulary.ids | {word: len(vocabulary) + number for number, word in enumerate(candidates)}


@dataclass(frozen=True, eq=False)
class Table(Tensors):
    """A table for a model.

    Lists of different lengths are bags, as of `torch.nn.functional.embedding_bag`: all members, and each bag's start.
    """

    spelled: Tensor  # (Z, SPELLING) a unit vector for each word that the vocabulary lacks
    read: (
        Tensor  # bags of the ids that a model reads for each of U words, then each column; from V on rows of `spelled`
    )
    read_starts: Tensor  # (U + columns,) the table's C columns first, then others that words of the vocabulary name
    whole: Tensor  # (K,) the words among U that are whole cells
    whole_columns: Tensor  # (K,) the columns that they name
    written: Tensor  # bags of the words (of U) of each distinct cell, column by column
    written_starts: Tensor  # (C · N,) a column with fewer cells has empty bags
    cells: Tensor  # (R, C) the number of each cell among C · N
    rows: Tensor  # bags of the rows that have each distinct cell
    rows_starts: Tensor  # (C · N,)
    pair_words: Tensor  # (P,) of U
    pair_columns: Tensor  # (P,) of C
    pair_before: Tensor  # (P,) the word (of U) after which the pair applies; ANY if its word begins a cell
    pair_cells: Tensor  # bags of the distinct cells that each pair begins or continues
    pair_shares: Tensor  # of each member of these bags: 1 for the first word, else the change after the word before
    pair_starts: Tensor  # (P,)
    pair_of_cells: Tensor  # the pair of each member of these bags
    copied: Tensor  # (Q,) the words of pairs, each once
    copied_places: Tensor  # (P,) the place of each pair's word among these
    firsts: Tensor  # (U, C) the pair of a first word and a column; P if there is none
    keys: Tensor  # sorted: `_key` of each pair with a word before; these pairs are the last ones

    def pairs_of(self, before: Tensor, words: Tensor) -> tuple[Tensor, Tensor]:
        """Return the pairs (N, C) of ``words`` (N,) in each column, as first words, and as words after ``before`` (N,).

        P means that there is no such pair.
        """
        columns = torch.arange(self.cells.shape[1], device=words.device)
        keys = _key(before.unsqueeze(1), words.unsqueeze(1), columns, self.firsts.shape)
        place = torch.searchsorted(self.keys, keys)
        is_pair = F.pad(self.keys, (0, 1), value=-1)[place] == keys
        return self.firsts[words], (place + self.first_continuing).masked_fill(~is_pair, len(self.pair_words))

    @property
    def first_continuing(self) -> int:
        """The number of the first pair that continues a cell; the pairs before it begin cells."""
        return len(self.pair_words) - len(self.keys)

    def to(self, device: torch.device | str) -> Table:
        """Return the table on a device; it is moved once, since prompts of one table are searched together."""
        return self if self.cells.device.type == torch.device(device).type else _moved(self, device)


@lru_cache(maxsize=1)
def _moved(table: Table, device: torch.device | str) -> Table:
    return Tensors.to(table, device)


@lru_cache(maxsize=2)
def encode_table(table: OfferTable, vocabulary: Vocabulary) -> Table:
    """Return the tensors of a table; those of the last two tables are cached."""
    words = word_ids(table, vocabulary)
    return Table(**_reading(table, vocabulary, list(words)), **_cells(table, words))


def _reading(table: OfferTable, vocabulary: Vocabulary, words: Sequence[str]) -> dict[str, Tensor]:
    """Return the tensors by which words and columns are read: words of the vocabulary, or a vector for the spelling."""
    cell_words = [number for number, word in enumerate(words) if is_cell_word(word)]
    columns_of_cells = [words[number].partition(_BETWEEN)[0] for number in cell_words]
    columns = list(dict.fromkeys((*(column.replace(_BETWEEN, " ") for column in table.columns), *columns_of_cells)))
    parts = [as_written(word).lower().split() if is_cell_word(word) else [word] for word in words]
    parts += [column.lower().split() for column in columns]
    unknown = dict.fromkeys(part for part in chain.from_iterable(parts) if part not in vocabulary.ids)
    ids = {word: len(vocabulary) + number for number, word in enumerate(unknown)} | vocabulary.ids
    read, starts = _bags([[ids[part] for part in word_parts] for word_parts in parts])
    spelled = np.array([_spelling(word) for word in unknown], np.float32).reshape(-1, SPELLING)
    return {
        "spelled": torch.from_numpy(spelled),
        "read": read,
        "read_starts": starts,
        "whole": torch.tensor(cell_words, dtype=torch.int64),
        "whole_columns": torch.tensor([columns.index(column) for column in columns_of_cells], dtype=torch.int64),
    }


def _spelling(word: str) -> np.ndarray:
    """Return a random unit vector that depends on nothing but the word."""
    seed = int.from_bytes(hashlib.sha256(word.encode()).digest()[:8])
    vector = np.random.default_rng(seed).standard_normal(SPELLING)
    return vector / np.linalg.norm(vector)


def _cells(table: OfferTable, words: Mapping[str, int]) -> dict[str, Tensor]:
    """Return the tensors of cells, and of the pairs by which they are copied."""
    distinct = [list(dict.fromkeys(row[column] for row in table.cells)) for column in range(len(table.columns))]
    size = max(map(len, distinct))
    numbers = [{cell: column * size + place for place, cell in enumerate(of)} for column, of in enumerate(distinct)]
    cells = [[of[cell] for of, cell in zip(numbers, row, strict=True)] for row in table.cells]
    holders: list[list[int]] = [[] for _ in range(len(table.columns) * size)]
    writing: list[list[int]] = [[] for _ in holders]
    firsts: dict[tuple[int, int], Counter[int]] = {}
    continuing: dict[tuple[int, int, int], Counter[int]] = {}
    for row, of_row in enumerate(cells):
        for number in of_row:
            holders[number].append(row)
    for column, of in enumerate(numbers):
        for cell, number in of.items():
            writing[number] = [words[word] for word in cell]
            first, times = writing[number][0], Counter(writing[number][:-1])
            firsts.setdefault((first, column), Counter())[number] = 1
            for before in times:
                continuing.setdefault((before, first, column), Counter())[number] -= 1
            for before, word in pairwise(writing[number]):
                continuing.setdefault((before, word, column), Counter())[number] += 1 / times[before]  # type: ignore[assignment]
    places = torch.full((len(words), len(table.columns)), len(firsts) + len(continuing))
    for place, (word, column) in enumerate(firsts):
        places[word, column] = place
    pairs = [(ANY, *pair) for pair in firsts] + sorted(continuing)
    members = [*firsts.values(), *(continuing[key] for key in sorted(continuing))]
    written, written_starts = _bags(writing)
    rows, rows_starts = _bags(holders)
    pair_cells, pair_starts = _bags([[*member_counts] for member_counts in members])
    before, of_words, of_columns = torch.tensor(pairs).t()
    copied, copied_places = of_words.unique(return_inverse=True)
    return {
        "written": written,
        "written_starts": written_starts,
        "cells": torch.tensor(cells),
        "rows": rows,
        "rows_starts": rows_starts,
        "pair_words": of_words,
        "pair_columns": of_columns,
        "pair_before": before,
        "pair_cells": pair_cells,
        "pair_shares": torch.tensor([float(share) for member_counts in members for share in member_counts.values()]),
        "pair_starts": pair_starts,
        "pair_of_cells": torch.tensor([number for number, member_counts in enumerate(members) for _ in member_counts]),
        "copied": copied,
        "copied_places": copied_places,
        "firsts": places,
        "keys": _key(before, of_words, of_columns, places.shape)[len(firsts) :],
    }


def _key(before: Tensor, words: Tensor, columns: Tensor, shape: Sequence[int]) -> Tensor:
    """Return one number for a word before, a word and a column; shape: (U, C). Keys sort like these triples."""
    return (before * shape[0] + words) * shape[1] + columns


def _bags(members: Iterable[Sequence[int]]) -> tuple[Tensor, Tensor]:
    """Return the members of all bags, and the start of each bag."""
    bags = list(members)
    starts = np.cumsum([0, *map(len, bags)])[:-1]
    return torch.tensor(list(chain.from_iterable(bags)), dtype=torch.int64), torch.from_numpy(starts)
