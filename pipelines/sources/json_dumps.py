"""Reading of dump files of JSON values, apart from `dumps.py`, so that other sources do not depend on it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import BinaryIO

from allsaid.storage.json_stream import MAX_VALUE, Element, Values
from allsaid.storage.streams import open_dump
from pipelines.source import Result, Shard, Unreadable

# In the first bytes of a file of JSON objects, or of an empty array.
OBJECTS = re.compile(rb"^(?:\xef\xbb\xbf)?[\s\[]*\{\s*[\"}]|^\s*\[\s*\]", re.MULTILINE)


def offsets(stream: BinaryIO) -> Iterator[int]:
    """Yield the offsets of JSON lines, except soon after a damaged one: there, more than its line is read."""
    values, begin = Values(stream), 1
    for element in values:
        if element.offset >= begin and values.is_splittable:
            yield element.offset
        if element.fault:
            begin = element.offset + MAX_VALUE


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
