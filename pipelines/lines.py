"""Lines of a byte stream with their places; no line takes more than a bounded amount of memory."""

from __future__ import annotations

from codecs import BOM_UTF8
from typing import BinaryIO

from allsaid.language.code_pages import without_c1
from pipelines.source import RecordFault

MAX_LINE = 1 << 18  # bytes; the longest line of the real WikiBio files has 4,406


class Lines:
    """Reads the lines of a stream and counts them; keeps only the beginning of a line that is too long."""

    def __init__(self, stream: BinaryIO, name: str, offset: int, number: int) -> None:
        self.stream, self.name, self.offset, self.number = stream, name, offset, number

    def next(self) -> bytes | None:
        """Return the next line with its line break; None after the last one."""
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
        """The place of the last line read, as the beginning of a sentence."""
        return f"Line {self.number:,} of {self.name}"

    def text(self, line: bytes) -> str:
        """Decode a line that `next` has just returned, and strip its line break; raises RecordFault."""
        if len(line) > MAX_LINE:
            raise RecordFault("too_large", f"{self.where} has more than {MAX_LINE:,} bytes.")
        try:
            return without_c1(line.rstrip(b"\r\n").decode())
        except UnicodeDecodeError as fault:
            raise RecordFault(
                "not_utf8", f"{self.where} is not UTF-8 ({fault.reason} at byte {fault.start})."
            ) from None
