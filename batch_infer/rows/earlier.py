"""The rows of an earlier run, found by hashes of their content, and their texts.

Hashes are looked up in files (`hashes.Places`). Texts are read one file at a time and stay in Arrow tables. If the rows
are in about the order of the earlier run, each file is read once.
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
from batch_infer.rows import hashes
from batch_infer.rows.hashes import Places
from schemas.texts.generated import GENERATED
from schemas.texts.written import WRITTEN

CACHED_ROWS = 10_000  # the texts of this many rows are in memory at once, or those of one file if it has more rows
TEXTS = pa.schema(list(GENERATED)[1:])  # all columns but the id, which comes from the input

Numbers = np.ndarray[tuple[int, ...], np.dtype[np.int64]]
Tables = tuple[pa.Table, pa.Table]  # texts without their ids, and their rows (`schemas.texts.written`)


@dataclass(frozen=True)
class Index:
    """The location of the rows: all that a worker needs to find them."""

    places: Places
    parts: tuple[tuple[str, str], ...]  # paths of each file of texts and its file of rows
    largest: int  # rows of a part

    @lru_cache(maxsize=1)  # noqa: B019 - one per process
    def open(self) -> Earlier:
        return Earlier(self)


class Earlier:
    """The texts of an earlier run, found by the content of their rows."""

    def __init__(self, index: Index) -> None:
        self._parts, self._places = index.parts, index.places
        self._read = lru_cache(max(1, CACHED_ROWS // index.largest))(self._read_part)

    def find(self, content_hashes: Sequence[bytes]) -> Numbers:
        """Return the places of N rows by their hashes; `hashes.NOWHERE` for rows that are not found."""
        return self._places.find(np.array(content_hashes, f"S{hashes.SIZE}"))

    def take(self, places: Numbers) -> Tables:
        """Return the rows at some places, in the order of ``places``."""
        numbers, rows = hashes.part_and_row(places)
        by_part = np.argsort(numbers, kind="stable")
        parts, starts = np.unique(numbers[by_part], return_index=True)
        rows_by_part = np.split(rows[by_part], starts[1:])
        tables = [in_order(*self._read(int(part)), order) for part, order in zip(parts, rows_by_part, strict=True)]
        return in_order(*concatenated(tables), np.argsort(by_part))

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
    return hashlib.blake2b(repr((row_id, values)).encode("utf-8", "surrogatepass"), digest_size=hashes.SIZE).digest()


def places_of(part: int, rows: pa.Table) -> np.ndarray:
    """Return the places of the rows of a part that have texts."""
    found = hashes.places(part, rows["content"].to_pylist())
    return found[found["hash"] != b""]


def _read(path: str, schema: pa.Schema) -> pa.Table:
    with files.open_read(path) as stream, open_parquet(io.BytesIO(stream.read())) as parquet:
        return parquet.read(columns=schema.names, use_threads=False).cast(schema)
