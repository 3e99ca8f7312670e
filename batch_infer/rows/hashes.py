"""Equal hashes among all rows of a job, found without a process, or Beam, holding the hashes of all rows.

Workers write the hashes of about a million rows to a file, sorted and thereby cut into shards. Then each shard is read
from all files. Hashes are records with the field "hash".
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from allsaid.storage import files

ROWS = 1 << 20  # approximate number of hashes in a file, and in a shard of all files
NAMES = r"(?:ids|digests)-\d+\.bin"  # of the files
_BOUND = np.dtype("<i8")


def shards_of(rows: int) -> int:
    """Return the number of shards for some rows."""
    return 1 + rows // ROWS


def path_of(work: str, what: str, number: int) -> str:
    return files.join(work, f"{what}-{number:05}.bin")


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
    every = in_order(records)
    size = every.dtype["hash"].itemsize
    firsts = np.ascontiguousarray(np.ascontiguousarray(every["hash"]).view(np.uint8).reshape(len(every), size)[:, :4])
    numbers = firsts.view(">u4").ravel().astype(np.int64) * shards >> 32
    bounds = np.searchsorted(numbers, np.arange(shards + 1)).astype(_BOUND)
    with files.whole(path, work) as stream:
        stream.write(bounds.tobytes() + every.tobytes())


def read(paths: Sequence[str], kind: np.dtype, shard: int, shards: int) -> np.ndarray:
    """Return the records of a shard from all files, sorted by their hashes."""
    found = []
    for path in paths:
        with files.open_read(path) as stream:
            stream.seek(shard * _BOUND.itemsize)
            first, last = np.frombuffer(stream.read(2 * _BOUND.itemsize), _BOUND).tolist()
            stream.seek((shards + 1) * _BOUND.itemsize + first * kind.itemsize)
            found.append(np.frombuffer(stream.read((last - first) * kind.itemsize), kind))
    return in_order(found)
