"""Cuts of a large uncompressed file into several shards, each at the beginning of a record."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import BinaryIO

from allsaid.storage.streams import open_dump, plain_size
from pipelines.source import Shard

SHARD_BYTES = 64_000_000


def cut(path: str, size: int, offsets: Callable[[BinaryIO], Iterator[int]]) -> list[Shard]:
    """Return the shards of a file: several of at least ``size`` bytes each, or one if it is compressed or smaller.

    ``offsets`` reads the file and yields the offsets at which a shard may begin, except 0. A shard's ``first`` and
    ``last`` are such offsets, so that the shards have exactly the records of the file.
    """
    whole = plain_size(path) or 0
    if whole <= size:
        return [Shard((path,))]
    starts = [0]
    with open_dump(path)[1] as stream:
        for offset in offsets(stream):
            if starts[-1] + size <= offset < whole:
                starts.append(offset)
    return [Shard((path,), *ends) for ends in zip(starts, [*starts[1:], None], strict=True)]
