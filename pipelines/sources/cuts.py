"""Large plain files in several shards, cut where a record begins that nothing before it reaches into."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import BinaryIO

from allsaid.storage.streams import open_dump, plain_size
from pipelines.source import Shard

SHARD_BYTES = 64_000_000


def cut(path: str, size: int, borders: Callable[[BinaryIO], Iterator[int]]) -> list[Shard]:
    """One shard of a file; where it is plain and has more than ``size`` bytes, one for each stretch of at least those.

    ``borders`` reads the file once, for the offsets of the records, but the first, at which one may begin to read. A
    shard's ``first`` and ``last`` are such offsets, so that the shards have the records of the whole file, as they are.
    """
    whole = plain_size(path) or 0
    if whole <= size:
        return [Shard((path,))]
    starts = [0]
    with open_dump(path)[1] as stream:
        for offset in borders(stream):
            if starts[-1] + size <= offset < whole:
                starts.append(offset)
    return [Shard((path,), *ends) for ends in zip(starts, [*starts[1:], None], strict=True)]
