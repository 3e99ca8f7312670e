"""Meal-Master dumps: the bytes of a stream -> raw records, and passages of text that belong to no record.

A record begins with a header line and a title (``MMMMM----- Recipe via Meal-Master (tm) v8.05``, ``------------- Recipe
Extracted from Meal-Master (tm) Database``, Krecipes' ``[Meal-Master Export Format]``), also in a quoted mail
(``> MMMMM-----``), or with a title alone, if its categories or yield follow. It ends with ``MMMMM``, with a line of
five or more hyphens, or where another record begins. Every byte is in a record, in a passage, or in a blank line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

from pipelines.sources.mealmaster.passages import FOREIGN, Passage, has_recipe, passages

MAX_LINE = 1 << 16  # bytes; a longer line is read in pieces
MAX_RECORD = 1 << 20  # bytes; further bytes are counted, but not kept

_MAYBE = re.compile(  # the beginning of lines that match the following, which is slow
    rb"[ \t>|:]*(?:ti|m[-=*@#+~_m]|-[- \t>|:+*#~=@_m\[{<]|[+*#~=@{<_\[])", re.IGNORECASE
)
_MARKS = frozenset(b"tTmM-+*#~=@{<_[ \t>|:")  # first bytes of these lines
_MARKED = re.compile(
    rb"(?P<title>[>|:]?[ \t]*title[ \t]*:)"
    rb"|(?P<end>[>|:]?(?P<indent>[ \t]*)(?:- )?(?:(?P<letters>M{2,5})|(?P<dashes>-{5,})[- ]*)[ \t\r]*\n?$)"
    rb"|(?P<header>[>|:+*#~= \t-]{0,12}?(?:(?P<run>M{2,5})-{2,}[^\r\n]*meal[- ]?master|-{3,}[^\r\n]*meal[- ]?master"
    rb"|[-M ]*\[meal-?master export))"
    rb"|(?P<foreign>" + FOREIGN + rb")",
    re.IGNORECASE,
)
_FIELD = re.compile(rb"[>|:]?[ \t]*(?:categories|yield|servings)[ \t]*:", re.IGNORECASE)
_HEAD = 2  # lines that most records have above their title: the header and a blank one
_FIELD_REACH = 6  # lines of a title without a header, one of which must be a field
_QUOTED = re.compile(rb"[>|:]")
_QUOTE = re.compile(rb"[>|:] ?")


@dataclass(frozen=True)
class RawRecord:
    """The bytes of a record."""

    offset: int  # of its first line, in bytes of the decompressed stream
    body: bytes  # the lines between header and end line, without a mail's marks of quotation
    header: bytes = b""  # the header line without its line end; b"" if the title is the first line
    size: int = 0  # bytes of all its lines
    has_end: bool = True  # whether it has an end line; without one, it ends at the next record


class _Lines:
    """Consecutive lines, of which at most MAX_RECORD bytes are kept."""

    def __init__(self, offset: int) -> None:
        self.offset, self.size, self.kept = offset, 0, 0
        self.lines: list[bytes] = []

    def add(self, line: bytes) -> None:
        self.size += len(line)
        if self.kept <= MAX_RECORD:
            self.lines.append(line)
            self.kept += len(line)

    def fill(self, stream: BinaryIO) -> bytes:
        """Add the lines before the next one that may be a mark; return that one, b"" at the end."""
        lines, size, kept = self.lines, self.size, self.kept
        while (line := stream.readline(MAX_LINE)) and (line[0] not in _MARKS or not _MAYBE.match(line)):
            size += len(line)
            if kept <= MAX_RECORD:
                lines.append(line)
                kept += len(line)
        self.size, self.kept = size, kept
        return line

    def take(self, other: _Begun) -> None:
        """Add the lines of an apparent beginning of a record that is none."""
        for line in other.lines:
            self.add(line)
        self.size += other.size - other.kept

    def parts(self, end: int = 0) -> Iterator[RawRecord | Passage]:
        """Yield the passages of the lines, which are outside of a record."""
        return passages(self.lines[end:], self.offset + sum(map(len, self.lines[:end])), self.size - self.kept)


class _Begun(_Lines):
    """A record, or its possible beginning: a header without a title so far, or a title without fields so far."""

    def __init__(self, offset: int, header: re.Match[bytes] | None) -> None:
        super().__init__(offset)
        self.letters = header["run"] if header else None
        self.title = 0  # number of the title's line
        self.first = 1 if header else 0  # number of the body's first line
        self.ends: list[int] = []  # numbers of the lines that end the record unless a better one comes

    def is_record(self, line: bytes, kind: str | None) -> bool:
        """Return whether the next line shows that a record begins here: a header's title, or a title's field."""
        if self.first and kind == "title":
            self.title = len(self.lines)
            return True
        return not self.first and _FIELD.match(line) is not None

    def is_none(self, found: re.Match[bytes] | None) -> bool:
        """Return whether the next line shows that no record begins here: an end, or a title without a field near it."""
        if found is not None and found.lastgroup == "end" and (self._is_own(found) or not self.letters):
            return True
        return not self.first and len(self.lines) > _FIELD_REACH

    def take(self, other: _Begun) -> None:
        if other.first:  # a header without a title belongs to a record only if the record's end follows
            self.ends.append(len(self.lines))
        super().take(other)

    def ends_with(self, found: re.Match[bytes]) -> bool:
        """Return whether a line certainly ends the record; store a line that may end it.

        The end of a record has the letters of its header, or five hyphens if the header has no letters. An indented
        rule is part of the directions; so is a rule in another form if the record's end follows.
        """
        is_own = self._is_own(found)
        indent = len(self.lines[0]) - len(self.lines[0].lstrip(b" \t"))
        is_indented = len(found["indent"]) > max(1, indent)
        if (found["dashes"] and (is_indented or not self._has_text())) or (found["letters"] and not is_own):
            return False
        self.ends.append(len(self.lines))
        return is_own and not is_indented

    def _is_own(self, found: re.Match[bytes]) -> bool:
        if found["letters"]:
            return len(found["letters"]) in (5, len(self.letters or b""))
        return not self.letters and found["dashes"] == b"-----"

    def _has_text(self) -> bool:
        """Return whether the record has more than fields."""
        return any(line.strip() and not _FIELD.match(line) for line in self.lines[self.title + 1 :])

    def parts(self, end: int = 0) -> Iterator[RawRecord | Passage]:
        """Yield the record up to its end, then the passages after it.

        ``end``: the number of the line after the record's end line; 0 if it has no end line.
        """
        has_end = end > 0
        if not has_end:
            end = next((place for place in self._foreign() if place > self.title), len(self.lines))
            ends = [place for place in self.ends if place < end]
            if ends:  # indented directions have no rule at the margin, others may have
                end = ends[0 if self.lines[self.title][:1].isspace() else -1]
                found = _MARKED.match(self.lines[end])
                has_end = found is not None and found.lastgroup == "end"
                end += has_end
        first, offset = self.first, self.offset
        before, fields = self.lines[: self.title], self.lines[self.title : self.title + _FIELD_REACH + 1]
        # their titles are not at the begin of a line
        if len(before) > _HEAD and has_recipe(before) and any(map(_FIELD.match, fields)):
            yield from passages(before, offset, 0)
            first, offset = self.title, offset + sum(map(len, before))
        body = self.lines[first : end - has_end]
        if _QUOTED.match(self.lines[self.title]):
            body = [_QUOTE.sub(b"", line, count=1) for line in body]
        header = b"".join(self.lines[:first]).strip(b"\r\n") if offset == self.offset else b""
        rest = list(super().parts(end)) if self.lines[end:] else []
        after = self.offset + self.size if not self.lines[end:] else self.offset + sum(map(len, self.lines[:end]))
        yield RawRecord(offset, b"".join(body), header, after - offset, has_end)
        yield from rest

    def _foreign(self) -> Iterator[int]:
        for place, line in enumerate(self.lines):
            found = _MARKED.match(line)
            if found and found.lastgroup == "foreign":
                yield place


def split_dump(stream: BinaryIO, offset: int = 0) -> Iterator[RawRecord | Passage]:
    """Yield the records of a decompressed dump and the passages between them in their order, one in memory at a time.

    ``offset``: of the stream's first byte, where no record is open.
    """
    current = _Lines(offset)  # the record or the text being read
    begun: _Begun | None = None  # what may be the next record
    in_record = False  # whether it is a record, and nothing else may have begun
    while line := current.fill(stream) if in_record else stream.readline(MAX_LINE):
        here = current.offset + current.size if in_record else offset
        offset = here + len(line)
        found = _MARKED.match(line) if line[0] in _MARKS else None
        kind = found.lastgroup if found else None
        if begun is not None and begun.is_record(line, kind):
            yield from current.parts()
            current, begun = begun, None
        elif kind in ("header", "title"):
            if begun is not None:
                current.take(begun)
            begun = _Begun(here, found if kind == "header" else None)
        elif begun is not None and begun.is_none(found):
            current.take(begun)
            begun = None
        is_end = False
        if begun is not None:
            begun.add(line)
        elif isinstance(current, _Begun):
            is_end = found is not None and kind == "end" and current.ends_with(found)
            current.add(line)
        else:
            if kind == "foreign" or current.kept > MAX_RECORD:
                yield from current.parts()
                current = _Lines(here)
            current.add(line)
        if is_end:
            yield from current.parts(len(current.lines))
            current = _Lines(offset)
        in_record = begun is None and isinstance(current, _Begun)
    if begun is not None:
        current.take(begun)
    yield from current.parts()


def split_records(stream: BinaryIO, offset: int = 0) -> Iterator[RawRecord]:
    """Yield the records of a decompressed dump."""
    return (part for part in split_dump(stream, offset) if isinstance(part, RawRecord))
