"""Boxes with their sentences as flat arrays of ids, and batches of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, fields
from itertools import chain, islice
from pathlib import Path
from typing import Protocol

import numpy as np
import torch
from torch import Tensor

from allsaid.modeling.data.arrays import STARTS, FlatTexts, map_from_files
from allsaid.modeling.data.tensors import Tensors, fill, inputs_of, texts_to_learn
from allsaid.modeling.data.vocabulary import PAD
from allsaid.modeling.tables.box_table import Table, TableIds, Vocabularies, table_ids, text_ids

PIECE = 1000  # examples encoded at a time
PLACES = ("of_word", "fields", "starts", "ends", "items")  # fields of `Prompts` with one element for each place


class Example(Protocol):
    @property
    def table(self) -> Table: ...

    @property
    def tokens(self) -> list[str]: ...  # T, lower case, numerals as NUMBER or YEAR

    @property
    def originals(self) -> list[str]: ...  # T


@dataclass(frozen=True)
class Ids(FlatTexts):
    """A split of N examples as flat arrays; ``x_starts[i]:x_starts[i + 1]`` is the part of example i."""

    words: np.ndarray  # the tables' different words, as TableIds has them; int32
    reads: np.ndarray  # int32
    of_word: np.ndarray  # the tables' places; int16, as the next two
    fields: np.ndarray
    items: np.ndarray
    starts: np.ndarray  # int8, as the next
    ends: np.ndarray
    word_starts: np.ndarray  # N + 1, counts different words
    place_starts: np.ndarray  # N + 1, counts places

    def read(self, first: int, last: int, words: int) -> np.ndarray:
        """Return texts as in `FlatTexts`, but copy candidates as they are read: as NUMBER, YEAR or UNKNOWN."""
        last = min(last, len(self))
        text = self.text[self.text_starts[first] : self.text_starts[last]].copy()
        places = slice(self.word_starts[first], self.word_starts[last])
        is_own = self.words[places] >= words
        # Each table numbers its copy candidates from V on, in their order.
        before = np.concatenate([[0], np.cumsum(is_own)])[self.word_starts[first:last] - self.word_starts[first]]
        numbers = text - words + np.repeat(before, self.lengths[first:last])
        is_own_there = text >= words
        text[is_own_there] = self.reads[places][is_own][numbers[is_own_there]]
        return text


TYPES = {"text": np.int32, "words": np.int32, "reads": np.int32, "starts": np.int8, "ends": np.int8}


def encode(examples: Iterator[Example], vocabularies: Vocabularies, folder: Path) -> Ids:
    """Write the ids of examples as arrays below ``folder`` and map them into memory."""
    batches = iter(lambda: list(islice(examples, PIECE)), [])
    return map_from_files(Ids, (_encode(batch, vocabularies) for batch in batches), folder)


def _encode(examples: Sequence[Example], vocabularies: Vocabularies) -> dict[str, np.ndarray]:
    tables = [table_ids(example.table, vocabularies) for example in examples]
    columns: dict[str, list[list[int]]] = {name: [getattr(ids, name) for ids in tables] for name in asdict(tables[0])}
    columns["text"] = [
        text_ids(example.tokens, example.originals, example.table, ids, vocabularies.text)
        for example, ids in zip(examples, tables, strict=True)
    ]
    flat = {name: np.array([*chain.from_iterable(rows)], TYPES.get(name, np.int16)) for name, rows in columns.items()}
    counted = {"text": "text", "word": "words", "place": "fields"}  # name of the starts -> a column of these lists
    return flat | {
        name + STARTS: np.cumsum([0, *map(len, columns[column])], dtype=np.int64) for name, column in counted.items()
    }


@dataclass(frozen=True)
class Prompts(Tensors):
    """B tables of at most C different words at N places; all filled up with 0, which is PAD."""

    words: Tensor  # (B, C) ids, copy candidates from V on
    reads: Tensor  # (B, C) the ids below V as which they are read
    of_word: Tensor  # (B, N) the number of each place's word, from 1
    fields: Tensor  # (B, N) ids of fields
    starts: Tensor  # (B, N) positions from the start of the field, from 1
    ends: Tensor  # (B, N) and from its end
    items: Tensor  # (B, N) which field of the table it is in, from 1


@dataclass(frozen=True)
class Batch(Tensors):
    """B texts to learn; position t of ``inputs`` is answered by position t of ``targets``."""

    prompts: Prompts
    inputs: Tensor  # (B, T) ids: START x_1 … x_n; copy candidates from V on
    targets: Tensor  # (B, T) ids: x_1 … x_n END, then PAD


def collate(ids: Ids, rows: np.ndarray, max_text: int) -> Batch:
    """Batch the examples ``rows`` of a split; texts longer than ``max_text`` tokens are cut there, without an END."""
    targets = texts_to_learn(ids, rows, max_text)
    return Batch(make_prompts([_table_ids(ids, row) for row in rows]), inputs_of(targets), targets)


def find(words: Tensor, reads: Tensor, ids: Tensor) -> tuple[Tensor, Tensor]:
    """Look up the words of texts in their tables.

    words, reads: (B, C) as in `Prompts`; ids: (B, T). Returns two tensors (B, T): the number of each word among its
    table's words, from 1, or 0 if the table lacks it; and the id below V as which it is read.
    """
    is_word = (words.unsqueeze(1) == ids.unsqueeze(2)) & (words != PAD).unsqueeze(1)
    is_known, place = is_word.any(2), is_word.int().argmax(2)
    return torch.where(is_known, place + 1, 0), torch.where(is_known, reads.gather(1, place), ids)


def _table_ids(ids: Ids, row: int) -> TableIds:
    of_words = slice(ids.word_starts[row], ids.word_starts[row + 1])
    of_places = slice(ids.place_starts[row], ids.place_starts[row + 1])
    words = [getattr(ids, name)[of_words].tolist() for name in ("words", "reads")]
    return TableIds(*words, *(getattr(ids, name)[of_places].tolist() for name in PLACES))


def make_prompts(tables: Sequence[TableIds], words: int = 1, places: int = 1) -> Prompts:
    """Return the prompts of B tables; words, places: minimum length of their axes C and N."""
    sizes = {column.name: places if column.name in PLACES else words for column in fields(Prompts)}
    return Prompts(*(fill([getattr(table, name) for table in tables], PAD, size) for name, size in sizes.items()))
