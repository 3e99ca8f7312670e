"""Reading of dump files, with a sentence for each part of a file that is lost."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import BinaryIO

from allsaid.storage.streams import head_of, open_dump, with_content
from pipelines.source import FILES_ALONE, Result, Unreadable
from schemas.errors import UserError

HEAD = 1 << 16  # bytes of a file that must show its kind


def heads(paths: Sequence[str]) -> Iterator[tuple[str, bytes]]:
    """Yield path and first bytes of the first files, which must show that the input is of the expected kind."""
    for path in paths[:FILES_ALONE]:
        yield path, head_of(path, HEAD)[0]


def check_beginnings(paths: Sequence[str], shows: re.Pattern[bytes], otherwise: str) -> list[str]:
    """Return the files that are not empty; raise UserError if none of the first ones matches the pattern."""
    paths = with_content(paths)
    if not any(shows.search(head) for _, head in heads(paths)):
        raise UserError(f"{paths[0]} {otherwise}")
    return paths


def read_each(paths: Sequence[str], read: Callable[[BinaryIO, str], Iterator[Result]]) -> Iterator[Result]:
    """Yield what ``read`` yields for each file, decompressed."""
    for path in paths:
        dump, stream = open_dump(path)
        with stream:
            yield from read(stream, path)
        if dump.loss:
            yield Unreadable(dump.loss)
