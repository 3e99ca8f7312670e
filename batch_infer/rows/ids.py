"""Search for ids that occur in several rows, by their hashes."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator

import numpy as np

from allsaid.language.characters import comparable
from batch_infer.rows import hashes

RECORD = np.dtype([("hash", f"S{hashes.SIZE}"), ("part", "<i4")])


def id_hash(value: object) -> bytes:
    value = comparable(value) if isinstance(value, str) else value
    return hashlib.blake2b(repr(value).encode(), digest_size=hashes.SIZE).digest()


def records_of(part: int, ids: Iterable[object]) -> np.ndarray:
    """Return the hashes of a part's ids, each at most twice, with the number of the part."""
    few = hashes.at_most_twice(np.array([id_hash(value) for value in ids], f"S{hashes.SIZE}"))
    records = np.empty(len(few), RECORD)
    records["hash"], records["part"] = few, part
    return records


def duplicates(records: np.ndarray) -> Iterator[tuple[int, bytes]]:
    """Yield the numbers of parts with their hashes that occur more than once in sorted records, joined."""
    every = np.ascontiguousarray(records["hash"])
    is_same, is_doubled = every[1:] == every[:-1], np.zeros(len(every), bool)
    is_doubled[1:] |= is_same
    is_doubled[:-1] |= is_same
    found = records[is_doubled]
    found = found[np.argsort(found["part"], kind="stable")]
    parts, counts = np.unique(found["part"], return_counts=True)
    for part, last, count in zip(parts.tolist(), counts.cumsum(), counts, strict=True):
        yield part, found["hash"][last - count : last].tobytes()


def unpacked(joined: Iterable[bytes]) -> set[bytes]:
    """Split joined hashes, as :func:`duplicates` yields them."""
    return {packed[place : place + hashes.SIZE] for packed in joined for place in range(0, len(packed), hashes.SIZE)}
