"""Boxes with their sentences as flat arrays of ids, and batches of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, fields
from itertools import chain
from pathlib import Path
from typing import Protocol

import numpy as np
import torch
from torch import Tensor

from training.tasks.arrays import STARTS, FlatTexts, map_from_files
from training.tasks.box_table import Table, TableIds, Vocabularies, table_ids, text_ids
from training.tasks.tensors import Tensors, fill
from training.tasks.vocabulary import END, PAD, START

PIECE = 1000  # examples encoded at a time


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

    numbers: np.ndarray  # of each word of a text, the number of the table's word from 1, 0 where it lacks it; int16
    words: np.ndarray  # the tables' different words, as TableIds has them; int32
    reads: np.ndarray  # int32
    of_word: np.ndarray  # the tables' places; int16, as the next two
    fields: np.ndarray
    items: np.ndarray
    starts: np.ndarray  # int8, as the next
    ends: np.ndarray
    word_starts: np.ndarray  # N + 1, counts different words
    place_starts: np.ndarray  # N + 1, counts places


TYPES = {"text": np.int32, "words": np.int32, "reads": np.int32, "starts": np.int8, "ends": np.int8}


def encode(found: Iterator[Example], vocabularies: Vocabularies, folder: Path) -> Ids:
    """Write the ids of examples as arrays under ``folder`` and map them into memory."""
    parts: dict[str, list[np.ndarray]] = {column.name: [] for column in fields(Ids)}
    while some := [example for _, example in zip(range(PIECE), found, strict=False)]:
        for name, values in _encode(some, vocabularies).items():
            parts[name].append(values)
    return Ids(**map_from_files(parts, folder))


def _encode(some: Sequence[Example], vocabularies: Vocabularies) -> dict[str, np.ndarray]:
    tables = [table_ids(example.table, vocabularies) for example in some]
    texts = [
        text_ids(example.tokens, example.originals, example.table, ids, vocabularies.text)
        for example, ids in zip(some, tables, strict=True)
    ]
    columns: dict[str, list[list[int]]] = {name: [getattr(ids, name) for ids in tables] for name in asdict(tables[0])}
    columns |= {"text": [text for text, _ in texts], "numbers": [numbers for _, numbers in texts]}
    flat = {name: np.array([*chain.from_iterable(rows)], TYPES.get(name, np.int16)) for name, rows in columns.items()}
    counted = {"text": "text", "word": "words", "place": "fields"}
    lengths = {name: np.cumsum([0, *map(len, columns[of])], dtype=np.int64) for name, of in counted.items()}
    return flat | {name + STARTS: values for name, values in lengths.items()}


@dataclass(frozen=True)
class Prompts(Tensors):
    """B tables of at most C different words at N places; all filled up with 0, which is PAD."""

    words: Tensor  # (B, C) ids, the table's own words from V on
    reads: Tensor  # (B, C) ids below V: what each is read as
    of_word: Tensor  # (B, N) the number of each place's word, from 1
    fields: Tensor  # (B, N) ids of fields
    starts: Tensor  # (B, N) positions from the start of the field, from 1
    ends: Tensor  # (B, N) and from its end
    items: Tensor  # (B, N) which field of the table it is in, from 1


@dataclass(frozen=True)
class Batch(Tensors):
    """B texts to learn; position t of ``inputs`` is answered by position t of ``targets``."""

    prompts: Prompts
    inputs: Tensor  # (B, T) ids below V: START x_1 … x_n as they are read
    input_words: Tensor  # (B, T) their numbers among the table's words, from 1, 0 where it lacks them
    targets: Tensor  # (B, T) ids: x_1 … x_n END, then PAD; the table's own words from V on
    read_targets: Tensor  # (B, T) the same as they are read
    target_words: Tensor  # (B, T) their numbers among the table's words


def collate(ids: Ids, rows: np.ndarray, max_text: int) -> Batch:
    """Batch the examples ``rows`` of a split; texts longer than ``max_text`` tokens are cut there, without an END."""
    texts, read, numbers = [], [], []
    for row in rows:
        start, end = ids.text_starts[row], ids.text_starts[row + 1]
        cut, last = (end, [END]) if end <= start + max_text else (start + max_text, [])
        text, number = ids.text[start:cut], ids.numbers[start:cut]
        reads = ids.reads[ids.word_starts[row] : ids.word_starts[row + 1]]
        texts.append([*text.tolist(), *last])
        read.append([*np.where(number > 0, reads[number - 1], text).tolist(), *last])
        numbers.append([*number.tolist(), *[0] * len(last)])
    targets, read_targets, target_words = fill(texts, PAD), fill(read, PAD), fill(numbers, 0)
    return Batch(
        make_prompts([_table_ids(ids, row) for row in rows]),
        _shifted(read_targets, START),
        _shifted(target_words, 0),
        targets,
        read_targets,
        target_words,
    )


def _shifted(targets: Tensor, first: int) -> Tensor:
    return torch.cat([torch.full_like(targets[:, :1], first), targets[:, :-1]], dim=1)


def _table_ids(ids: Ids, row: int) -> TableIds:
    of_words = slice(ids.word_starts[row], ids.word_starts[row + 1])
    of_places = slice(ids.place_starts[row], ids.place_starts[row + 1])
    words = [getattr(ids, name)[of_words].tolist() for name in ("words", "reads")]
    return TableIds(*words, *(getattr(ids, name)[of_places].tolist() for name in PLACES))


PLACES = ("of_word", "fields", "starts", "ends", "items")


def make_prompts(tables: Sequence[TableIds]) -> Prompts:
    return Prompts(*(fill([getattr(table, column.name) for table in tables], PAD) for column in fields(Prompts)))
