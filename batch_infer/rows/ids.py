"""Search for ids that occur in several rows, by their hashes.

The hashes of all parts are cut into shards of about equal size, so that a worker holds those of one shard only.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator

import numpy as np

SIZE = 16  # bytes of a hash
SHARD_ROWS = 1 << 20  # approximate number of hashes in a shard


def id_hash(value: object) -> bytes:
    return hashlib.blake2b(repr(value).encode(), digest_size=SIZE).digest()


def hashes_of(ids: Iterable[object]) -> np.ndarray:
    return np.array([id_hash(value) for value in ids], f"S{SIZE}")


def shards_of(rows: int) -> int:
    """Return the number of shards for the hashes of some rows."""
    return 1 + rows // SHARD_ROWS


def by_shard(hashes: np.ndarray, shards: int) -> Iterator[tuple[int, bytes]]:
    """Yield the shards of a part's hashes, each with its hashes joined: in Beam an element costs more than its bytes.

    Each hash is there at most twice, so that no shard grows with the rows of equal hashes.
    """
    unique, counts = np.unique(hashes, return_counts=True)
    few = np.repeat(unique, counts.clip(max=2))
    firsts = few.view(np.uint8).reshape(len(few), few.itemsize)[:, :4]
    numbers = np.ascontiguousarray(firsts).view(">u4").ravel().astype(np.int64) * shards >> 32
    for shard in np.unique(numbers).tolist():
        yield shard, few[numbers == shard].tobytes()


def duplicates(_shard: int, parts: Iterable[tuple[int, bytes]]) -> Iterator[tuple[int, bytes]]:
    """Yield for each part those of its hashes in a shard that occur more than once, over all parts."""
    own = [(part, np.frombuffer(hashes, f"S{SIZE}")) for part, hashes in parts]
    every, rows = np.unique(np.concatenate([hashes for _, hashes in own]), return_counts=True)
    doubled = every[rows > 1]
    for part, hashes in own if len(doubled) else ():
        if len(both := np.intersect1d(hashes, doubled)):
            yield part, both.tobytes()


def unpacked(joined: Iterable[bytes]) -> set[bytes]:
    """Return the hashes that some bytes hold."""
    return {packed[place : place + SIZE] for packed in joined for place in range(0, len(packed), SIZE)}
