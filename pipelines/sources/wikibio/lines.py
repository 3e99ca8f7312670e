"""Access to the files of the WikiBio corpus, plain or in an archive."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import BinaryIO

from allsaid.storage.archives import Archive
from allsaid.storage.files import open_read

SKIPPED = 1 << 20  # bytes skipped at a time

_COUNT = re.compile(rb"[ \t]*(\d{1,4})[ \t\r]*\n?")


def sentences_of(line: bytes) -> int | None:
    """Return the number of sentences in a line of ``.nb``; None if the line is not a number."""
    found = _COUNT.fullmatch(line)
    return int(found[1]) if found else None


def open_at(archive: Archive | None, name: str, start: int) -> tuple[BinaryIO, Callable[[], str]]:
    """Open a file, or a member of an archive, at a byte; return it with a function that reports what was lost."""
    if archive is None:
        stream = open_read(name)
        stream.seek(start)
        return stream, str
    unpacked, stream = archive.open(name)
    while start and (skipped := stream.read(min(start, SKIPPED))):
        start -= len(skipped)
    return stream, lambda: unpacked.loss
