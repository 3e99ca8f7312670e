"""Ids that stand in several rows, found by their hashes."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable
from typing import Any

import numpy as np

SIZE = 16  # bytes of a hash
SHARES = 64  # the hashes of one share are held in memory at once


def id_hash(value: Any) -> bytes:
    return hashlib.blake2b(repr(value).encode(), digest_size=SIZE).digest()


def in_shares(ids: Iterable[Any]) -> list[tuple[int, bytes]]:
    """The hashes of a part's ids by share, one after the other: to Beam an element costs more than its bytes do."""
    found: dict[int, list[bytes]] = defaultdict(list)
    for value in ids:
        one = id_hash(value)
        found[one[0] % SHARES].append(one)
    return [(share, b"".join(hashes)) for share, hashes in found.items()]


def doubled(share: tuple[int, Iterable[bytes]]) -> list[bytes]:
    """The hashes that stand more than once in what all parts have of a share."""
    hashes, rows = np.unique(np.frombuffer(b"".join(share[1]), f"S{SIZE}"), return_counts=True)
    return [one.ljust(SIZE, b"\0") for one in hashes[rows > 1].tolist()]  # NumPy ends a string at its last byte but 0
