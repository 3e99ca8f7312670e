"""Bytes -> lines -> rows of CSV, one in memory at a time.

Lines end where the file's line ends do (``\\n``, or ``\\r`` in old Mac files), in UTF-16 too. A line with bytes that
the file's encoding can't hold, or with a NUL, makes its row a rejected one; nothing is put in the place of such bytes.
"""

from __future__ import annotations

import csv
import re
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import BinaryIO

from pipelines.sources.records.tables.layout import Layout, Row, Start, TableFault
from schemas.runs.rejected import HEAD_BYTES

MAX_LINE = 1 << 20  # bytes; a longer line is read in pieces, none of which is a row
MAX_ROW = 1 << 20  # bytes of a CSV row after which no line more belongs to it
MAX_REREAD = 4  # times a file's size; lines that all open a quote would else be read again and again
OPEN_QUOTE = "A quote is opened in this line and closed nowhere, or where it makes no row; the next line is read anew."
DELIMITERS = ",;\t|"
CSV = "CSV"
_DELIMITER_LINE = re.compile(r"sep=(.?)", re.IGNORECASE)  # Excel's own way to name it
BOM = "\ufeff"  # also before later parts of a file that was put together

ReadLine = Callable[[], bytes]


def line_reader(stream: BinaryIO, layout: Layout) -> ReadLine:
    """What gives the next line with its end, b"" behind the last one."""
    end = layout.line_end.encode(layout.encoding)
    return (lambda: stream.readline(MAX_LINE)) if end == b"\n" else _Lines(stream, end).read


class _Lines:
    """Lines of a stream that end in something else than a line feed byte."""

    def __init__(self, stream: BinaryIO, end: bytes) -> None:
        self._stream, self._end = stream, end
        self._waiting = b""
        self._sought = 0  # bytes of those that wait in which no line ends

    def read(self) -> bytes:
        while (place := self._next_end()) < 0 and len(self._waiting) < MAX_LINE:
            more = self._stream.read(1 << 15)
            if not more:
                place = len(self._waiting)
                break
            self._waiting += more
        place = place if place >= 0 else MAX_LINE
        line, self._waiting, self._sought = self._waiting[:place], self._waiting[place:], 0
        return line

    def _next_end(self) -> int:
        """Behind the next line end that stands at a whole character; -1 where there is none."""
        place = self._sought
        while (place := self._waiting.find(self._end, place)) >= 0:
            if place % len(self._end) == 0:
                return place + len(self._end)
            place += 1
        self._sought = max(len(self._waiting) - len(self._end) + 1, 0)
        return -1


def text_of(line: bytes, encoding: str) -> tuple[str, str]:
    """A line's text, and a sentence where some of its bytes are none, which then stand as U+FFFD."""
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


def csv_layout(path: str, lines: list[str], delimiter: str, encoding: str, line_end: str) -> Layout:
    """The header, and the delimiter that makes the most of the first rows' cells where none is given."""
    if lines and (named := _DELIMITER_LINE.fullmatch(lines[0].rstrip("\r\n"))):
        delimiter = delimiter or named[1]
        lines = lines[1:]
    best: tuple[int, int] | None = None
    found: list[list[str]] = []
    for one in delimiter or DELIMITERS:
        rows = _first_rows(lines, one)
        width = len(rows[0]) if rows else 0
        fitting = sum(len(row) == width for row in rows)
        if width and (best is None or (width > 1) * fitting * width > best[0]):
            best, found, delimiter = ((width > 1) * fitting * width, width), rows, one
    if best is None:
        raise TableFault(f"{path} has no header row that can be read as CSV.")
    return Layout(CSV, header_of(path, found), delimiter, encoding, line_end)


def header_of(path: str, rows: Sequence[Sequence[str]]) -> list[str]:
    """The columns' names by a table's first rows, the header before all; a column without a name is told by its place.

    Raises TableFault where two columns have one name, or what comes first is a title and no header.
    """
    names = [name.strip() for name in rows[0]]
    titles = [name for name in names if name]
    if len(titles) < 2 and any(sum(map(bool, row)) > 2 for row in rows[1:]):
        raise TableFault(
            f"{path} begins with '{''.join(titles)[:80]}', which is no header row. "
            "Remove what stands above the names of the columns."
        )
    for place, name in enumerate(names):
        if not name and any(len(row) > place and row[place].strip() for row in rows[1:]):
            names[place] = f"column {place + 1}"
    doubled, times = Counter(filter(None, names)).most_common(1)[0]
    if times > 1:
        raise TableFault(f"{path} has the column '{doubled}' more than once in its header. Rename one of them.")
    return names


def _first_rows(lines: list[str], delimiter: str) -> list[list[str]]:
    rows = []
    try:
        for row in csv.reader(lines, delimiter=delimiter):
            if row:
                rows.append(row)
    except csv.Error:
        pass  # what came before tells enough
    return rows


class RowLines:
    """Lines of text for the CSV reader, which decides how many make a row; those of a bad row can be read again."""

    def __init__(self, read: ReadLine, encoding: str) -> None:
        self._read, self._encoding = read, encoding
        self._again: deque[bytes] = deque()  # lines to be read once more, before those of the stream
        self.reread = 0  # bytes that were read more than once so far
        self._size = 0  # bytes of the row's lines
        self._limit = MAX_ROW
        self.offset = 0  # of the row
        self.number = 1  # of the row's first line
        self.taken: list[bytes] = []  # lines of the row
        self.is_open = False  # whether the reader wanted a line more than the row may have
        self.fault = ""  # what is wrong with the row's bytes

    def go_to(self, start: Start, read: ReadLine) -> None:
        """Go on with the row at ``start``, where ``read`` begins."""
        self._read, self.offset, self.number = read, start.offset, start.number
        self._size, self.taken = 0, []

    def begin(self) -> int:
        """The offset of the next row."""
        self.offset += self._size
        self.number += len(self.taken)
        self._size = 0
        self._limit = MAX_ROW if self.reread <= MAX_REREAD * (self.offset + MAX_ROW) else 0
        self.taken = []
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
            self.is_open = bool(self.taken)
            raise StopIteration
        self._size += len(line)
        self.taken.append(line)
        text, fault = text_of(line, self._encoding)
        self.fault = self.fault or fault
        return text

    def texts(self) -> Iterator[str]:
        """The texts of the row's lines."""
        return (text_of(line, self._encoding)[0] for line in self.taken)

    def head(self) -> bytes:
        return self.taken[0][:HEAD_BYTES] if len(self.taken) == 1 else b"".join(self.taken)[:HEAD_BYTES]

    def leave_first(self) -> None:
        """End the row after its first line: the others begin rows of their own."""
        first, *others = self.taken
        self._again.extendleft(reversed(others))
        self.reread += self._size - len(first)
        self._size, self.taken = len(first), [first]


def csv_rows(stream: BinaryIO, layout: Layout, start: Start, lines: RowLines | None = None) -> Iterator[Row]:
    """Rows with the header's number of cells, or what is wrong with them; of those below the header from ``start`` on.

    A stray quote makes a row of all lines up to the next one: of a bad row that has several lines only the first is
    rejected, and the next line begins a row. ``lines``: those of the stream, where the caller asks what they cost.
    """
    lines = lines or RowLines(line_reader(stream, layout), layout.encoding)
    reader = csv.reader(lines, delimiter=layout.delimiter)
    header: list[str] | None = None
    width, is_full = len(layout.header), all(layout.header)
    while True:
        offset = lines.begin()
        try:
            cells, fault = next(reader), ""
        except StopIteration:
            return
        except csv.Error as error:
            cells, fault = [], f"The row is no CSV: {error}."
        if not cells and not fault:  # a blank line is no row
            continue
        if header is None and not fault:
            header = None if _DELIMITER_LINE.fullmatch("".join(cells)) else cells
            if header and start.offset > offset:
                stream.seek(start.offset)
                lines.go_to(start, line_reader(stream, layout))
            continue
        if len(cells) > width:
            cells = without_tail(cells, width)
        if lines.is_open or (len(lines.taken) > 1 and not fits(lines.texts(), cells, layout)):
            lines.leave_first()
            yield Row(offset, lines.head(), None, "open_quote", OPEN_QUOTE, lines.number)
        elif fault or lines.fault:
            reason = "bad_csv" if fault else "bad_bytes"
            yield Row(offset, lines.head(), None, reason, fault or lines.fault, lines.number)
        elif len(cells) != width:
            yield Row(offset, lines.head(), None, "ragged_row", _ragged(len(cells), width), lines.number)
        elif cells == header:
            detail = "The row is the header once more, no data."
            yield Row(offset, lines.head(), None, "header_again", detail, lines.number)
        else:
            named = dict(zip(layout.header, cells, strict=True))
            if not is_full:
                del named[""]
            yield Row(offset, lines.head(), named, number=lines.number)


def without_tail(cells: list[str], width: int) -> list[str]:
    """A row's cells without those behind the header's last column, where they are empty."""
    return cells if any(cells[width:]) else cells[:width]


def fits(lines: Iterable[str], cells: Sequence[str], layout: Layout) -> bool:
    """Whether a row of several lines has the header's number of cells, and only delimiters behind closing quotes."""
    if len(cells) != len(layout.header):
        return False
    try:
        next(csv.reader(lines, delimiter=layout.delimiter, strict=True))
    except csv.Error:
        return False
    return True


def _ragged(cells: int, width: int) -> str:
    return f"The row has {cells} cells, the header {width}: a delimiter or a quote is missing or too much."
