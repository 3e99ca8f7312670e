"""The rows of an earlier run, found by hashes of their content, and their texts.

A row costs 24 bytes of memory. Texts are read one file at a time and stay in Arrow tables. If the rows are in about
the order of the earlier run, each file is read once.
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import pyarrow as pa

from allsaid.storage import files
from allsaid.storage.parquet import open_parquet
from allsaid.storage.paths import absolute
from schemas.texts.generated import GENERATED
from schemas.texts.written import WRITTEN

CACHED_ROWS = 10_000  # rows whose texts are in memory at once, or those of one file if it has more
SIZE = 16  # bytes of a hash
PREFIX = "earlier-"  # of an index file's name
NOWHERE = -1  # the place of a row that is not in the earlier run
TEXTS = pa.schema(list(GENERATED)[1:])  # all columns but the id, which comes from the input
_RECORD = np.dtype([("content", f"S{SIZE}"), ("part", "i4"), ("row", "i4")])

Numbers = np.ndarray[tuple[int, ...], np.dtype[np.int64]]
Tables = tuple[pa.Table, pa.Table]  # texts without their ids, and their rows (`schemas.texts.written`)


@dataclass(frozen=True)
class Index:
    """The location of the rows: all that a worker needs to find them."""

    path: str  # of the file of hashes
    parts: tuple[tuple[str, str], ...]  # paths of each file of texts and its file of rows

    @lru_cache(maxsize=1)  # noqa: B019 - one per process
    def open(self) -> Earlier:
        with files.open_read(self.path) as stream:
            return Earlier(self, np.load(io.BytesIO(stream.read())))


class Earlier:
    """The texts of an earlier run, found by the content of their rows."""

    def __init__(self, index: Index, places: np.ndarray) -> None:
        """``places``: records of :func:`save`, sorted by their hashes."""
        self._parts, self._places = index.parts, places
        self._contents = np.ascontiguousarray(places["content"])
        largest = int(places["row"].max() + 1)
        self._read = lru_cache(max(1, CACHED_ROWS // largest))(self._read_part)

    def find(self, contents: Sequence[bytes]) -> Numbers:
        """Return the places of N rows by their content; :data:`NOWHERE` for rows that are not found."""
        wanted = np.array(contents, f"S{SIZE}")
        near = np.searchsorted(self._contents, wanted).clip(max=len(self._contents) - 1)
        return np.where(self._contents[near] == wanted, near, NOWHERE)

    def take(self, places: Numbers) -> Tables:
        """Return the rows at some places, in the order of ``places``."""
        found = self._places[places]
        by_part = np.argsort(found["part"], kind="stable")
        parts, starts = np.unique(found["part"][by_part], return_index=True)
        rows = np.split(found["row"][by_part], starts[1:])
        taken = [in_order(*self._read(int(part)), of_part) for part, of_part in zip(parts, rows, strict=True)]
        return in_order(*concatenated(taken), np.argsort(by_part))

    def _read_part(self, part: int) -> Tables:
        texts, rows = (_read(path, schema) for path, schema in zip(self._parts[part], (TEXTS, WRITTEN), strict=True))
        return texts, rows


def concatenated(parts: Sequence[Tables]) -> Tables:
    """Return the rows of all parts as one part."""
    texts, rows = (pa.concat_tables(tables).combine_chunks() for tables in zip(*parts, strict=True))
    return texts, rows


def in_order(texts: pa.Table, rows: pa.Table, order: np.ndarray) -> Tables:
    """Return the rows at the positions ``order``, in that order, with their texts."""
    counts = rows["texts"].to_numpy()
    first, counts = (np.cumsum(counts) - counts)[order], counts[order]
    places = np.repeat(first - (np.cumsum(counts) - counts), counts) + np.arange(counts.sum())
    return texts.take(places), rows.take(order)


def row_hash(row_id: object, values: Sequence[object]) -> bytes:
    """Return a hash of a row's id and of the values that its texts are generated from."""
    return hashlib.blake2b(repr((row_id, values)).encode("utf-8", "surrogatepass"), digest_size=SIZE).digest()


def places_of(part: int, rows: pa.Table) -> np.ndarray:
    """Return the places of those rows of a part that have texts."""
    found = np.empty(rows.num_rows, _RECORD)
    found["content"] = rows["content"].to_pylist()
    found["part"], found["row"] = part, np.arange(rows.num_rows)
    return found[found["content"] != b""]


def save(folder: str, parts: Sequence[tuple[str, str]], places: Sequence[np.ndarray]) -> Index:
    """Write the places of all parts to a file in ``folder``, named after the hash of its content."""
    table = np.sort(np.concatenate(places), order="content")
    buffer = io.BytesIO()
    np.save(buffer, table)
    path = files.join(folder, f"{PREFIX}{hashlib.sha256(buffer.getvalue()).hexdigest()[:16]}.npy")
    files.replace(path, buffer.getvalue())
    return Index(absolute(path), tuple((absolute(texts), absolute(rows)) for texts, rows in parts))


def _read(path: str, schema: pa.Schema) -> pa.Table:
    with files.open_read(path) as stream, open_parquet(io.BytesIO(stream.read())) as parquet:
        return parquet.read(columns=schema.names, use_threads=False).cast(schema)
