"""Search for ids that occur in several rows, by their hashes."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable

import numpy as np

SIZE = 16  # bytes of a hash
SHARDS = 64  # number of shards; the hashes of one shard are in memory at once


def id_hash(value: object) -> bytes:
    return hashlib.blake2b(repr(value).encode(), digest_size=SIZE).digest()


def by_shard(ids: Iterable[object]) -> list[tuple[int, bytes]]:
    """Return the hashes of a part's ids, joined per shard: in Beam an element costs more than its bytes."""
    found: dict[int, list[bytes]] = defaultdict(list)
    for value in ids:
        one = id_hash(value)
        found[one[0] % SHARDS].append(one)
    return [(shard, b"".join(hashes)) for shard, hashes in found.items()]


def duplicates(shard: tuple[int, Iterable[bytes]]) -> list[bytes]:
    """Return the hashes that occur more than once in a shard, over all parts."""
    hashes, rows = np.unique(np.frombuffer(b"".join(shard[1]), f"S{SIZE}"), return_counts=True)
    return [one.ljust(SIZE, b"\0") for one in hashes[rows > 1].tolist()]  # NumPy strips zero bytes from the end
