"""The lines of a CoNLL file -> its documents, each the lines between a begin mark and an end mark."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from pipelines.lines import Lines
from pipelines.source import RecordFault
from schemas.runs.rejected import HEAD_BYTES

MAX_DOCUMENT = 1 << 24  # bytes; the longest real document has 200,000

BEGIN = re.compile(rb"#\s*begin document\b\s*(?:\((?P<name>.+)\))?")
_END = re.compile(rb"#\s*end document\b")


@dataclass
class Raw:
    """The lines of a document after its begin mark; places count from the file's beginning."""

    offset: int  # of its first line
    name: str = ""  # from the begin mark
    rows: list[tuple[int, int, str]] = field(default_factory=list)  # offset, number and text of each line
    head: bytes = b""
    size: int = 0  # bytes
    tokens: int = 0  # lines that are not empty
    fault: RecordFault | None = None  # the first fault; lines after it are counted, but not stored

    def begin(self, line: bytes, name: bytes, lines: Lines) -> None:
        """Add the begin mark, the last line read."""
        self.add(line)
        try:
            self.name = lines.text(name)
        except RecordFault as fault:
            self.fault = fault

    def take(self, offset: int, line: bytes, lines: Lines) -> None:
        """Add the last line read."""
        self.add(line)
        self.tokens += bool(line.strip())
        if self.fault is None and self.size > MAX_DOCUMENT:
            self.fault = RecordFault("too_large", f"{lines.where} exceeds {MAX_DOCUMENT:,} bytes of one document.")
        if self.fault is not None:
            return
        try:
            self.rows.append((offset, lines.number, lines.text(line)))
        except RecordFault as fault:
            self.fault = fault

    def add(self, line: bytes) -> None:
        self.size += len(line)
        self.head += line[: HEAD_BYTES - len(self.head)]


def raw_documents(lines: Lines) -> Iterator[Raw]:
    """Yield every document; lines outside of documents, and a document without its end, have a fault."""
    current: Raw | None = None
    offset = lines.offset
    while line := lines.next():
        if begin := BEGIN.match(line):
            if current is not None:
                yield _without_end(current, f"{lines.where} begins the next one")
            current = Raw(offset)
            current.begin(line, begin["name"] or b"", lines)
        elif _END.match(line):
            current = current or _without_begin(offset, lines)
            current.add(line)
            yield current
            current = None
        elif current is not None or line.strip():
            current = current or _without_begin(offset, lines)
            current.take(offset, line, lines)
        offset = lines.offset
    if current is not None:
        yield _without_end(current, f"{lines.name} ends")


def _without_begin(offset: int, lines: Lines) -> Raw:
    sentence = f"{lines.where} is in no document: no line '#begin document' is before it."
    return Raw(offset, fault=RecordFault("no_begin", sentence))


def _without_end(raw: Raw, next_event: str) -> Raw:
    raw.fault = raw.fault or RecordFault("no_end", f"The document has no line '#end document' before {next_event}.")
    return raw
