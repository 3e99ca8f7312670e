"""The rows of an earlier run, found by hashes of what they hold, and their texts.

A row costs 32 bytes of memory. Texts are read a file at a time; rows that stand in about the order of the earlier run
need each file once.
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from pipelines.storage import files
from schemas.generated import Generated
from schemas.table import from_table
from schemas.written import Written

HELD = 10_000  # rows of texts that are held in memory at once, or one file's where that has more
SIZE = 16  # bytes of a hash
PREFIX = "earlier-"  # of the name of an index
_RECORD = np.dtype([("content", f"S{SIZE}"), ("part", "i4"), ("row", "i4"), ("first", "i4"), ("texts", "i4")])


@dataclass(frozen=True)
class Place:
    part: int  # a pair of files
    row: int  # in the file of rows
    first: int  # row in the file of texts
    texts: int


@dataclass(frozen=True)
class Index:
    """Where the rows are: what a worker must know to find them."""

    path: str  # of the file of hashes
    parts: tuple[tuple[str, str], ...]  # paths of a file of texts and its file of rows

    @lru_cache(maxsize=1)  # noqa: B019 - one a process
    def open(self) -> Earlier:
        with files.open_read(self.path) as stream:
            return Earlier(self, np.load(io.BytesIO(stream.read())))


class Earlier:
    """The texts of an earlier run."""

    def __init__(self, index: Index, places: np.ndarray[Any, Any]) -> None:
        """``places``: records of :func:`save`, sorted by their hashes."""
        self._parts, self._places = index.parts, places
        self._contents = np.ascontiguousarray(places["content"])
        largest = int(places["first"].max() + 1) if len(places) else 1
        self._read = lru_cache(max(1, HELD // largest))(self._read_part)

    def find(self, content: bytes) -> Place | None:
        """Where the row with this content is."""
        near = int(np.searchsorted(self._contents, np.bytes_(content)))
        if near == len(self._contents) or self._contents[near] != content.rstrip(b"\0"):
            return None
        _, *place = self._places[near].tolist()
        return Place(*place)

    def texts(self, place: Place) -> tuple[list[Generated], str]:
        """The texts of a row, and what it adds to the run's figures, as JSON."""
        texts, rows = self._read(place.part)
        return texts[place.first : place.first + place.texts], rows[place.row].tally

    def _read_part(self, part: int) -> tuple[list[Generated], list[Written]]:
        texts, rows = (pq.read_table(io.BytesIO(_bytes(path))) for path in self._parts[part])
        return from_table(texts, Generated), from_table(rows, Written)


def content_hash(row_id: Any, values: Sequence[Any]) -> bytes:
    """A hash of a row's id and of what its texts are made from."""
    return hashlib.blake2b(repr((row_id, values)).encode("utf-8", "surrogatepass"), digest_size=SIZE).digest()


def places_of(part: int, rows: pa.Table) -> np.ndarray[Any, Any]:
    """The places of the rows of one part that have texts."""
    texts = rows["texts"].to_numpy()
    found = np.empty(len(texts), _RECORD)
    found["content"] = rows["content"].to_pylist()
    found["part"], found["row"] = part, np.arange(len(texts))
    found["first"], found["texts"] = np.cumsum(texts) - texts, texts
    return found[found["content"] != b""]


def save(folder: str, parts: Sequence[tuple[str, str]], places: Sequence[np.ndarray[Any, Any]]) -> Index:
    """Write the places of all parts to a file of ``folder``, named after what it holds."""
    table = np.sort(np.concatenate(places), order="content")
    buffer = io.BytesIO()
    np.save(buffer, table)
    path = files.join(folder, f"{PREFIX}{hashlib.sha256(buffer.getvalue()).hexdigest()[:16]}.npy")
    files.replace(path, buffer.getvalue())
    return Index(path, tuple(parts))


def _bytes(path: str) -> bytes:
    with files.open_read(path) as stream:
        return stream.read()
