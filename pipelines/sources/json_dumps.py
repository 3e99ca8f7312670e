"""Reading of dump files of JSON values, apart from `dumps.py`, so that other sources do not depend on it."""

from __future__ import annotations

from collections.abc import Iterator

from allsaid.storage.json_stream import Element, Values
from allsaid.storage.streams import open_dump
from pipelines.source import Unreadable


def json_values(path: str, first: int = 0, last: int | None = None) -> Iterator[Element | Unreadable]:
    """Yield the JSON values of a file that begin at the bytes ``first`` to ``last``."""
    dump, stream = open_dump(path, first, last)
    with stream:
        values = Values(stream, first)
        yield from values
    if dump.loss:
        yield Unreadable(dump.loss)
    elif values.unclosed:
        yield Unreadable(f"{path} ends before its JSON array does; any records after that are lost.")
