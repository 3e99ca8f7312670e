"""Reading of dump files of JSON values, apart from `dumps.py`, so that other sources do not depend on it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from allsaid.storage.json_stream import Element, Values
from allsaid.storage.streams import open_dump
from pipelines.source import Result, Shard, Unreadable


def read_values(shard: Shard, read: Callable[[Element, str], Iterable[Result]]) -> Iterator[Result]:
    """Yield what ``read`` returns for each JSON value of the shard's files, given its file."""
    for path in shard.files:
        dump, stream = open_dump(path, shard.first, shard.last)
        with stream:
            values = Values(stream, shard.first)
            for element in values:
                yield from read(element, path)
        if dump.loss:
            yield Unreadable(dump.loss)
        elif values.unclosed:
            yield Unreadable(f"{path} ends before its JSON array does; any records after that are lost.")
