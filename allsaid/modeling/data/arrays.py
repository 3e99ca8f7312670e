"""Lists of a table's rows as flat arrays: the values of all rows after one another, and the start of each row."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar  # Any: further fields of the class

import numpy as np
import pyarrow as pa

from allsaid.modeling.data.vocabulary import UNKNOWN, Vocabulary

Lists = tuple[np.ndarray, np.ndarray]  # all values of N lists; (N + 1,) the start of each list, and the last end
Arrays = TypeVar("Arrays")  # a dataclass of arrays
STARTS = "_starts"  # suffix of the names of arrays that hold the starts of rows


@dataclass(frozen=True)
class FlatTexts:
    """N texts; ``text[text_starts[i]:text_starts[i + 1]]`` are the words of text i."""

    text: np.ndarray  # ids of all words, int32
    text_starts: np.ndarray  # N + 1, int64

    def __len__(self) -> int:
        return len(self.text_starts) - 1

    @cached_property
    def lengths(self) -> np.ndarray:
        return np.diff(self.text_starts)

    def read(self, first: int, last: int, words: int) -> np.ndarray:
        """Return the texts from ``first`` to before ``last`` as ids below ``words``, V; copy candidates are unknown."""
        text = self.text[self.text_starts[first] : self.text_starts[min(last, len(self))]]
        return np.where(text < words, text, UNKNOWN)


def flat(table: pa.Table, column: str) -> pa.Array:
    """Return the values of a column of lists."""
    return table.column(column).combine_chunks().flatten()


def starts(lists: pa.Array) -> np.ndarray:
    """Return the start of each of N lists in the flat array, and the end of the last one (N + 1,)."""
    offsets = lists.offsets.to_numpy().astype(np.int64)
    return offsets - offsets[0]


def distinct(values: np.ndarray, starts: np.ndarray) -> Lists:
    """Return the distinct values of each of N lists of ids, in their order, and the new start of each list."""
    lists = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    kept = np.sort(np.unique(lists * (values.max(initial=0) + 1) + values, return_index=True)[1])
    return values[kept], np.concatenate([[0], np.bincount(lists[kept], minlength=len(starts) - 1).cumsum()])


def look_up(words: pa.Array, vocabulary: Vocabulary) -> np.ndarray:
    """Return the ids of a flat array of strings; each distinct word is looked up once."""
    coded = words.dictionary_encode()
    ids = np.array(vocabulary.encode(coded.dictionary.to_pylist()), dtype=np.int32)
    return ids[coded.indices.to_numpy()]


def map_from_files(kind: type[Arrays], pieces: Iterable[Mapping[str, np.ndarray]], folder: Path, **more: Any) -> Arrays:
    """Join the arrays of all pieces by name, write them below ``folder`` and map them into memory.

    kind: a dataclass of arrays; more: its other fields.
    """
    parts: dict[str, list[np.ndarray]] = {column.name: [] for column in fields(kind) if column.name not in more}  # type: ignore[arg-type]
    for piece in pieces:
        for name, values in piece.items():
            parts[name].append(values)
    folder.mkdir(parents=True, exist_ok=True)
    arrays = {}
    for name, part in parts.items():
        if name.endswith(STARTS):
            joined = np.concatenate([np.zeros(1, np.int64), *map(np.diff, part)]).cumsum()
        else:
            joined = np.concatenate(part) if part else np.zeros(0, np.int32)
        np.save(folder / f"{name}.npy", joined)
        # An empty file cannot be mapped.
        arrays[name] = np.load(folder / f"{name}.npy", mmap_mode="r") if joined.size else joined
    return kind(**arrays, **more)
