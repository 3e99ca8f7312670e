"""Bytes -> lines -> rows of CSV, one in memory at a time.

Lines end with the file's line end (``\\n``, or ``\\r`` in old Mac files), also in UTF-16. A row is rejected if one of
its lines has bytes that are invalid in the file's encoding, or a NUL. Invalid bytes are never replaced.
"""

from __future__ import annotations

import csv
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import BinaryIO

from allsaid.console import counted
from pipelines.sources.records.tables.dialect import BOM, DELIMITER_LINE, csv_reader, ends_early, raw_cells
from pipelines.sources.records.tables.layout import Layout, Row, Start
from schemas.runs.rejected import HEAD_BYTES

MAX_LINE = 1 << 20  # bytes; a longer line is read in pieces, none of which is a row
MAX_ROW = 1 << 20  # bytes of a CSV row after which no further line belongs to it
MAX_REREAD = 4  # times a file's size; without the limit, lines that all open a quote would be reread again and again
OPEN_QUOTE = (
    "A quote is opened in this line and not closed, or closed where it makes no row; the next line is read on its own. "
    "Double the quotes within cells."
)

ReadLine = Callable[[], bytes]


def line_reader(stream: BinaryIO, layout: Layout) -> ReadLine:
    """Return a function that returns the next line with its line end, b"" after the last one."""
    end = layout.line_end.encode(layout.encoding)
    return (lambda: stream.readline(MAX_LINE)) if end == b"\n" else _Lines(stream, end).read


class _Lines:
    """Lines of a stream that do not end with a line feed byte."""

    def __init__(self, stream: BinaryIO, end: bytes) -> None:
        self._stream, self._end = stream, end
        self._waiting = b""
        self._searched = 0  # number of waiting bytes in which no line ends

    def read(self) -> bytes:
        while (place := self._next_end()) < 0 and len(self._waiting) < MAX_LINE:
            more = self._stream.read(1 << 15)
            if not more:
                place = len(self._waiting)
                break
            self._waiting += more
        place = place if place >= 0 else MAX_LINE
        line, self._waiting, self._searched = self._waiting[:place], self._waiting[place:], 0
        return line

    def _next_end(self) -> int:
        """Return the position after the next line end at a whole character; -1 if there is no line end."""
        place = self._searched
        while (place := self._waiting.find(self._end, place)) >= 0:
            if place % len(self._end) == 0:
                return place + len(self._end)
            place += 1
        self._searched = max(len(self._waiting) - len(self._end) + 1, 0)
        return -1


def text_of(line: bytes, encoding: str) -> tuple[str, str]:
    """Return a line's text, with U+FFFD for invalid bytes, and a sentence if there are any."""
    try:
        text, fault = line.decode(encoding), ""
    except UnicodeDecodeError as error:
        text = line.decode(encoding, "replace")
        fault = (
            f"The byte 0x{line[error.start]:02X}, the {_nth(error.start + 1)} of the line, can't be read as "
            f"{encoding}, the file's encoding. Save the table in one encoding, or give another with --encoding."
        )
    if "\0" in text:
        fault = fault or "The line has a NUL byte, which no text has. Save the table anew."
    return text.removeprefix(BOM), fault


def _nth(number: int) -> str:
    ending = "th" if number // 10 % 10 == 1 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number:,}{ending}"


class RowLines:
    """Lines of text for the CSV reader, which decides how many form a row; lines of a bad row can be read again."""

    def __init__(self, read: ReadLine, encoding: str) -> None:
        self._read, self._encoding = read, encoding
        self._again: deque[bytes] = deque()  # lines to read again, before those of the stream
        self.reread = 0  # bytes that were read more than once
        self._size = 0  # bytes of the row's lines
        self._limit = MAX_ROW
        self.offset = 0  # of the row
        self.number = 1  # of the row's first line
        self.row_lines: list[bytes] = []  # lines of the row
        self.is_open = False  # whether the reader wanted more lines than the row may have
        self.fault = ""  # a sentence on invalid bytes of the row

    def go_to(self, start: Start, read: ReadLine) -> None:
        """Continue with the row at ``start``, where ``read`` begins."""
        self._read, self.offset, self.number = read, start.offset, start.number
        self._size, self.row_lines = 0, []
        self._again.clear()

    def begin(self) -> int:
        """Begin the next row and return its offset."""
        self.offset += self._size
        self.number += len(self.row_lines)
        self._size = 0
        self._limit = MAX_ROW if self.reread <= MAX_REREAD * (self.offset + MAX_ROW) else 0
        self.row_lines = []
        self.is_open = False
        self.fault = ""
        return self.offset

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        line = b""
        if self._size <= self._limit:
            line = self._again.popleft() if self._again else self._read()
        if not line:
            self.is_open = bool(self.row_lines)
            raise StopIteration
        self._size += len(line)
        self.row_lines.append(line)
        text, fault = text_of(line, self._encoding)
        self.fault = self.fault or fault
        return text

    def texts(self) -> Iterator[str]:
        """Return the texts of the row's lines."""
        return (text_of(line, self._encoding)[0] for line in self.row_lines)

    def head(self) -> bytes:
        return self.row_lines[0][:HEAD_BYTES] if len(self.row_lines) == 1 else b"".join(self.row_lines)[:HEAD_BYTES]

    def leave_first(self) -> None:
        """End the row after its first line; its other lines are read again as new rows."""
        first, *others = self.row_lines
        self._again.extendleft(reversed(others))
        self.reread += self._size - len(first)
        self._size, self.row_lines = len(first), [first]


def csv_rows(stream: BinaryIO, layout: Layout, start: Start, lines: RowLines | None = None) -> Iterator[Row]:
    """Yield the rows below the header from ``start`` on; a bad row has a reason instead of cells.

    A stray quote joins all lines up to the next quote to one row. Then only the first line is rejected, and the next
    line begins a row. ``lines``: the lines of the stream, if the caller wants to know how many were read again.
    """
    lines = lines or RowLines(line_reader(stream, layout), layout.encoding)
    reader = csv_reader(lines, layout.delimiter, layout.quoting)
    header: list[str] | None = None
    width = len(layout.header)
    while True:
        offset = lines.begin()
        try:
            cells, fault = next(reader), ""
        except StopIteration:
            return
        except csv.Error as error:
            cells, fault = _raw_cells(lines, layout), ""
            if not cells or (header and len(cells) != width):
                cells, fault = [], f"The row is no CSV: {error}. Double the quotes within cells."
        is_sound = not (fault or lines.fault or lines.is_open)
        if is_sound and not any(map(str.strip, cells)):  # a blank line, also one with delimiters, is no row
            continue
        if header is None and not fault:
            header = None if DELIMITER_LINE.fullmatch("".join(cells)) else cells
            if header and start.offset > offset:
                stream.seek(start.offset)
                lines.go_to(start, line_reader(stream, layout))
            continue
        is_header = cells == header
        if len(cells) > width:
            cells = without_tail(cells, width)
        if lines.is_open or (len(lines.row_lines) > 1 and not fits(cells, lines.texts(), layout)):
            lines.leave_first()
            yield Row(offset, lines.head(), None, "open_quote", OPEN_QUOTE, lines.number)
        elif fault or lines.fault:
            reason = "bad_csv" if fault else "bad_bytes"
            yield Row(offset, lines.head(), None, reason, fault or lines.fault, lines.number)
        elif is_header:
            detail = "The row is the header once more, no data."
            yield Row(offset, lines.head(), None, "header_again", detail, lines.number)
        elif not fits(cells, (), layout):
            yield Row(offset, lines.head(), None, "ragged_row", _ragged(len(cells), width), lines.number)
        else:
            named = dict(zip(layout.header, cells, strict=False))
            named.pop("", None)
            lacks = layout.header[len(cells)] if len(cells) < width else ""
            yield Row(offset, lines.head(), named, number=lines.number, lacks=lacks)


def _raw_cells(lines: RowLines, layout: Layout) -> list[str]:
    """Return the cells of a line with quotes that are not CSV's; [] if the row has several lines or is unclear."""
    text = next(lines.texts())
    if lines.is_open or len(lines.row_lines) > 1 or '"' not in text:
        return []
    return without_tail(raw_cells(text, layout.delimiter) or [], len(layout.header))


def without_tail(cells: list[str], width: int) -> list[str]:
    """Return a row's cells; drop the cells after the header's last column if all of them are empty."""
    return cells if any(cells[width:]) else cells[:width]


def fits(cells: Sequence[str], lines: Iterable[str], layout: Layout) -> bool:
    """Return whether cells are a row: as many as the header has names, or fewer because the row ends early.

    If a row of several ``lines`` ends early, none of its lines may look like a row itself.
    """
    if len(cells) == len(layout.header):
        return True
    inner = islice(lines, 1, None)
    return ends_early(cells, layout) and all(line.count(layout.delimiter) < len(cells) - 1 for line in inner)


def _ragged(cells: int, width: int) -> str:
    return (
        f"The row has {counted(cells, 'cell')}, the header {width}: a delimiter is missing, or there is one too many. "
        "Put quotes around cells that contain one."
    )
