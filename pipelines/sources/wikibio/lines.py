"""The line files of the WikiBio corpus, plain or within an archive, read with bounds."""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from collections.abc import Callable
from typing import BinaryIO

from pipelines.language.code_pages import without_c1
from pipelines.source import RecordFault
from pipelines.storage.archives import Archive
from pipelines.storage.files import open_read

MAX_LINE = 1 << 18  # bytes; the longest line of the real files has 4,406
SKIPPED = 1 << 20  # bytes skipped at a time

_COUNT = re.compile(rb"[ \t]*(\d{1,4})[ \t\r]*\n?")


def sentences_of(line: bytes) -> int | None:
    """The number that a line of ``.nb`` gives; None where it gives none."""
    found = _COUNT.fullmatch(line)
    return int(found[1]) if found else None


def open_at(archive: Archive | None, name: str, start: int) -> tuple[BinaryIO, Callable[[], str]]:
    """A file, or a member of an archive, from a byte on; and what tells whether some of it was lost."""
    if archive is None:
        stream = open_read(name)
        stream.seek(start)
        return stream, str
    unpacked, stream = archive.open(name)
    while start and (skipped := stream.read(min(start, SKIPPED))):
        start -= len(skipped)
    return stream, lambda: unpacked.loss


class Lines:
    """The lines of a stream, knowing where they stand; of a line that is too long only the beginning is held."""

    def __init__(self, stream: BinaryIO, name: str, offset: int, number: int) -> None:
        self.stream, self.name, self.offset, self.number = stream, name, offset, number

    def next(self) -> bytes | None:
        """The next line with its end; None behind the last one."""
        line = more = self.stream.readline(MAX_LINE + 1)
        if self.offset == 0:
            line = line.removeprefix(BOM_UTF8)
        while len(more) > MAX_LINE and not more.endswith(b"\n"):
            self.offset += len(more)
            more = self.stream.readline(MAX_LINE + 1)
        self.offset += len(more)
        self.number += 1
        return line or None

    @property
    def where(self) -> str:
        """The place of the last line read, as a sentence begins."""
        return f"Line {self.number:,} of {self.name}"

    def text(self, line: bytes) -> str:
        """The last line read without its end; raises RecordFault."""
        if len(line) > MAX_LINE:
            raise RecordFault("too_large", f"{self.where} has more than {MAX_LINE:,} bytes.")
        try:
            return without_c1(line.rstrip(b"\r\n").decode())
        except UnicodeDecodeError as fault:
            raise RecordFault(
                "not_utf8", f"{self.where} is no UTF-8 text ({fault.reason} at byte {fault.start})."
            ) from None
