"""Find equal hashes among all rows of a job without holding the hashes of all rows in one process, or in Beam.

Workers write the hashes of about half a million rows to a file, in order, so that a shard of the hashes is one stretch
of each file. Then each shard is read from all files. Hashes are records with the field "hash".

Rows are also looked up by their hashes: each shard of hashes and places becomes a file, of which few records are in
memory at a time.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import BinaryIO

import numpy as np

from allsaid import scratch
from allsaid.disk import temporary_faults
from allsaid.storage import files
from allsaid.storage.paths import absolute

ROWS = 1 << 19  # approximate number of hashes in a file, and in a shard of all files
NAMES = r"(?:ids|digests|(?:rows|earlier-\w+)-(?:block|shard))-\d+\.bin"  # of the files
SIZE = 16  # bytes of a hash
PLACE = np.dtype([("hash", f"S{SIZE}"), ("part", "<i4"), ("row", "<i4")])
NOWHERE = -1  # the place of a row that is not found
BUCKETS = 1 << 12  # parts of a shard's file, read separately; a power of two, and the largest number of shards
_BOUND = np.dtype("<i8")


def shards_of(rows: int) -> int:
    """Return the number of shards for some rows."""
    return 1 + rows // ROWS


def places(part: int, found: Sequence[bytes]) -> np.ndarray:
    """Return the places of a part's rows, whose hashes are given."""
    records = np.empty(len(found), PLACE)
    records["hash"], records["part"], records["row"] = found, part, np.arange(len(found))
    return records


def path_of(work: str, prefix: str, number: int) -> str:
    return files.join(work, f"{prefix}-{number:05}.bin")


def at_most_twice(hashes: np.ndarray) -> np.ndarray:
    """Return the hashes in order, each once or twice, so that no shard grows with the number of equal hashes."""
    unique, counts = np.unique(hashes, return_counts=True)
    return np.repeat(unique, counts.clip(max=2))


def in_order(records: Sequence[np.ndarray]) -> np.ndarray:
    """Return records as one array, sorted by their hashes."""
    every = np.concatenate(records)
    return every[np.argsort(np.ascontiguousarray(every["hash"]), kind="stable")]


def write(path: str, work: str, records: Sequence[np.ndarray], shards: int) -> None:
    """Write records to a file; ``work`` as in :func:`files.whole`."""
    _write(path, work, in_order(records), range(shards + 1), shards)


def _write(path: str, work: str, every: np.ndarray, borders: range, shards: int) -> None:
    """Write the positions of the ``borders`` between shards in sorted records, then the records."""
    bounds = np.searchsorted(_numbers(every["hash"], shards), np.array(borders)).astype(_BOUND)
    with files.whole(path, work) as stream:
        for part in (bounds, every):  # not joined, since that is one more copy
            stream.write(part.tobytes())


def _numbers(found: np.ndarray, shards: int) -> np.ndarray:
    """Return the shard of each hash; the shards of sorted hashes are in order."""
    firsts = np.ascontiguousarray(found).view(np.uint8).reshape(len(found), found.dtype.itemsize)[:, :4]
    return np.ascontiguousarray(firsts).view(">u4").ravel().astype(np.int64) * shards >> 32


def read(paths: Sequence[str], kind: np.dtype, shard: int, shards: int) -> np.ndarray:
    """Return the records of a shard from all files, sorted by their hashes."""
    found = []
    for path in paths:
        with files.open_read(path) as stream:
            found.append(_records(stream, kind, shard, shard + 1, shards))
    return in_order(found)


def _records(stream: BinaryIO, kind: np.dtype, first: int, last: int, shards: int) -> np.ndarray:
    """Return the records of the shards ``first`` to ``last`` - 1 of a file of ``shards`` shards."""
    bounds = []
    for shard in (first, last):
        stream.seek(shard * _BOUND.itemsize)
        bounds.append(int(np.frombuffer(stream.read(_BOUND.itemsize), _BOUND)[0]))
    stream.seek((shards + 1) * _BOUND.itemsize + bounds[0] * kind.itemsize)
    return np.frombuffer(stream.read((bounds[1] - bounds[0]) * kind.itemsize), kind)


@dataclass(frozen=True)
class Places:
    """Places of rows by their hashes, in one file for each shard (:func:`save`), so that they take no memory."""

    paths: tuple[str, ...]

    def find(self, row_hashes: np.ndarray) -> np.ndarray:
        """Return the place of each of N hashes, for `part_and_row`; :data:`NOWHERE` for an unknown hash."""
        found = np.full(len(row_hashes), NOWHERE)
        buckets = _numbers(row_hashes, len(self.paths) * BUCKETS)
        order = np.argsort(buckets, kind="stable")
        numbers, starts = np.unique(buckets[order], return_index=True)
        rows_of = dict(zip(numbers.tolist(), np.split(order, starts[1:]), strict=True))
        for shard, in_shard in groupby(rows_of, lambda bucket: bucket // BUCKETS):
            with _local(self.paths[shard]).open("rb") as stream:
                for bucket in in_shard:
                    first = bucket % BUCKETS
                    records = _records(stream, PLACE, first, first + 1, BUCKETS)
                    found[rows_of[bucket]] = _places(records, row_hashes[rows_of[bucket]])
        return found


def _places(records: np.ndarray, row_hashes: np.ndarray) -> np.ndarray:
    """Look hashes up in sorted records; return their places."""
    if not len(records):
        return np.full(len(row_hashes), NOWHERE)
    near = records[np.searchsorted(records["hash"], row_hashes).clip(max=len(records) - 1)]
    places = near["part"].astype(np.int64) << 32 | near["row"]
    return np.where(near["hash"] == row_hashes, places, NOWHERE)


@cache
def _local(path: str) -> Path:
    """Return the path of a file on this machine; a file of an object store is copied to a temporary folder."""
    if files.is_local(path):
        return Path(path)
    copy = scratch.folder("places") / "shard.bin"
    with temporary_faults(), files.open_read(path) as stream, copy.open("wb") as into:
        shutil.copyfileobj(stream, into)
    return copy


def save(prefix: str, work: str, parts: Iterable[np.ndarray]) -> Places:
    """Write the places of all parts to files, sorted; at most a block and a part are in memory at a time.

    prefix: of the files' names. work: as in :func:`files.whole`.
    """
    blocks: list[str] = []
    for block in _blocks(parts):
        blocks.append(path_of(work, f"{prefix}-block", len(blocks)))
        _write(blocks[-1], work, block, range(BUCKETS + 1), BUCKETS)
    shards = 1 << (len(blocks) - 1).bit_length()
    if shards == 1:
        return Places(tuple(map(absolute, blocks)))
    paths, size = [path_of(work, f"{prefix}-shard", shard) for shard in range(shards)], BUCKETS // shards
    for shard, path in enumerate(paths):
        found = []
        for block_path in blocks:
            with files.open_read(block_path) as stream:
                found.append(_records(stream, PLACE, shard * size, (shard + 1) * size, BUCKETS))
        first = shard * BUCKETS
        _write(path, work, in_order(found), range(first, first + BUCKETS + 1), shards * BUCKETS)
    return Places(tuple(map(absolute, paths)))


def _blocks(parts: Iterable[np.ndarray]) -> Iterator[np.ndarray]:
    """Yield the places of several parts, about :data:`ROWS`, sorted; at least once."""
    block: list[np.ndarray] = [np.empty(0, PLACE)]
    for records in parts:
        block.append(records)
        if sum(map(len, block)) >= ROWS:
            yield in_order(block)
            block = []
    if block:
        yield in_order(block)


def part_and_row(places: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the numbers of part and row of some places."""
    return places >> 32, places & 0xFFFFFFFF
