"""A user's table -> rows of named cells, one in memory at a time: CSV, JSON lines or Parquet, told by the first bytes.

A row's place is the byte of the decompressed file where it begins; of Parquet, whose rows stand in no one place, the
row's number from 0. CSV may have a byte order mark and line breaks in quoted cells; its delimiter is that of the
mapping, else the one of ``, ; tab |`` that cuts the first rows into the most columns of equal number.
"""

from __future__ import annotations

import csv
import json
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq

from pipelines.decode import decode
from pipelines.files import open_read
from pipelines.streams import open_dump
from schemas.rejected import HEAD_BYTES

MAX_LINE = 1 << 20  # bytes; a longer line is read in pieces, none of which is a row
MAX_ROW = 1 << 20  # bytes of a CSV row after which no line more belongs to it
MAX_REREAD = 4  # times a file's size; lines that all open a quote would else be read again and again
OPEN_QUOTE = "A quote is opened in this line and closed nowhere, or where it makes no row; the next line is read anew."
DELIMITERS = ",;\t|"
LOOK = 1 << 16  # bytes that tell a table's kind, delimiter and columns
BATCH = 1000  # rows of Parquet in memory
PARQUET, JSON_LINES, CSV = "Parquet", "JSON lines", "CSV"
_BOM = "\ufeff".encode()
_PARQUET_FAULTS = (pa.ArrowException, OSError, ValueError, NotImplementedError)

Cells = Mapping[str, Any]


class TableFault(Exception):
    """A file that is no table; the message is a sentence."""


@dataclass(frozen=True)
class Row:
    offset: int
    head: bytes  # the row's first bytes
    cells: Cells | None  # None where it is no row
    reason: str = ""  # why it is none
    detail: str = ""


@dataclass(frozen=True)
class Layout:
    kind: str
    header: list[str]  # the columns; of JSON lines those of the first objects
    delimiter: str = ""


def look(path: str, delimiter: str = "") -> Layout:
    """What kind of table a file is and which columns it has; raises TableFault."""
    try:
        dump, stream = open_dump(path)
        with stream:
            start = stream.read(LOOK)
    except OSError as fault:
        raise TableFault(f"{path} can't be read: {fault}") from fault
    if start.startswith(b"PAR1"):
        return Layout(PARQUET, _parquet_columns(path))
    if start.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\0" in start[:4]:
        raise TableFault(f"{path} is UTF-16 or no text at all. Save the table as UTF-8.")
    start = start.removeprefix(_BOM)
    if not start.strip():
        raise TableFault(dump.loss or f"{path} is empty.")
    lines = start.splitlines(keepends=True)
    if len(start) > LOOK - len(_BOM) - 1 and len(lines) > 1:
        lines.pop()  # cut off by the look, not by the file
    opening = [line.lstrip()[:1] for line in lines if line.strip()]
    if opening[0] in (b"{", b"[") or opening.count(b"{") > len(opening) // 2:  # a bad first line makes no CSV
        return Layout(JSON_LINES, _json_columns(path, lines))
    return _csv_layout(path, [_text(line) for line in lines], delimiter)


def _parquet_columns(path: str) -> list[str]:
    try:
        with open_read(path) as stream:
            return list(pq.read_schema(stream).names)
    except _PARQUET_FAULTS as fault:
        raise TableFault(f"{path} is no Parquet file that can be read: {fault}") from fault


def _json_columns(path: str, lines: list[bytes]) -> list[str]:
    objects = [cells for line in lines for cells in (_parse(line)[0],) if cells is not None]
    if not objects:
        raise TableFault(f"{path} holds no JSON lines. Write one object a line.")
    return list(dict.fromkeys(name for cells in objects for name in cells))


def _csv_layout(path: str, lines: list[str], delimiter: str) -> Layout:
    """The header, and the delimiter that makes the most of the first rows' cells where none is given."""
    best: tuple[int, int] | None = None
    layout = Layout(CSV, [])
    for one in delimiter or DELIMITERS:
        rows = _first_rows(lines, one)
        width = len(rows[0]) if rows else 0
        fitting = sum(len(row) == width for row in rows)
        if width and (best is None or (width > 1) * fitting * width > best[0]):
            best, layout = ((width > 1) * fitting * width, width), Layout(CSV, rows[0], one)
    if best is None:
        raise TableFault(f"{path} has no header row that can be read as CSV.")
    names = [name.strip() for name in layout.header]
    doubled, times = Counter(names).most_common(1)[0]
    if times > 1:
        raise TableFault(f"{path} has the column '{doubled}' more than once in its header. Rename one of them.")
    return Layout(CSV, names, layout.delimiter)


def _first_rows(lines: list[str], delimiter: str) -> list[list[str]]:
    rows = []
    try:
        for row in csv.reader(lines, delimiter=delimiter):
            if row:
                rows.append(row)
    except csv.Error:
        pass  # what came before tells enough
    return rows


def read_table(path: str, layout: Layout, columns: list[str] | None = None) -> Iterator[Row | str]:
    """The rows of a table; at the end a sentence if something could not be read.

    ``columns``: those that are enough, where others need not be read.
    """
    if layout.kind == PARQUET:
        yield from _parquet_rows(path, columns)
        return
    dump, stream = open_dump(path)
    with stream:
        yield from (_json_rows(stream) if layout.kind == JSON_LINES else _csv_rows(stream, layout))
    if dump.loss:
        yield dump.loss


def _text(line: bytes) -> str:
    try:
        return line.decode()
    except UnicodeDecodeError:
        return decode(line)[0].rstrip("\n") + "\n"


class _Lines:
    """Lines of text for the CSV reader, which decides how many make a row; those of a bad row can be read again."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._again: deque[bytes] = deque()  # lines to be read once more, before those of the stream
        self._reread = 0  # bytes that were read more than once so far
        self._size = 0  # bytes of the row's lines
        self._limit = MAX_ROW
        self.offset = 0  # of the row
        self.taken: list[bytes] = []  # lines of the row
        self.is_open = False  # whether the reader wanted a line more than the row may have

    def begin(self) -> int:
        """The offset of the next row."""
        self.offset += self._size
        self._size = 0
        self._limit = MAX_ROW if self._reread <= MAX_REREAD * (self.offset + MAX_ROW) else 0
        self.taken = []
        self.is_open = False
        return self.offset

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        line = b""
        if self._size <= self._limit:
            line = self._again.popleft() if self._again else self._stream.readline(MAX_LINE)
        if not line:
            self.is_open = bool(self.taken)
            raise StopIteration
        is_first = self.offset == self._size == 0
        self._size += len(line)
        self.taken.append(line)
        return _text(line.removeprefix(_BOM) if is_first else line)

    def head(self) -> bytes:
        return self.taken[0][:HEAD_BYTES] if len(self.taken) == 1 else b"".join(self.taken)[:HEAD_BYTES]

    def leave_first(self) -> None:
        """End the row after its first line: the others begin rows of their own."""
        first, *others = self.taken
        self._again.extendleft(reversed(others))
        self._reread += self._size - len(first)
        self._size, self.taken = len(first), [first]


def _csv_rows(stream: BinaryIO, layout: Layout) -> Iterator[Row]:
    """Rows with the header's number of cells, or what is wrong with them.

    A stray quote makes a row of all lines up to the next one: of a bad row that has several lines only the first is
    rejected, and the next line begins a row.
    """
    lines = _Lines(stream)
    reader = csv.reader(lines, delimiter=layout.delimiter)
    is_header = True
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
        if is_header and not fault:
            is_header = False
        elif lines.is_open or (len(lines.taken) > 1 and not _fits(lines.taken, cells, layout)):
            lines.leave_first()
            yield Row(offset, lines.head(), None, "open_quote", OPEN_QUOTE)
        elif fault:
            yield Row(offset, lines.head(), None, "bad_csv", fault)
        elif len(cells) == len(layout.header):
            yield Row(offset, lines.head(), dict(zip(layout.header, cells, strict=True)))
        else:
            yield Row(offset, lines.head(), None, "ragged_row", _ragged(len(cells), len(layout.header)))


def _fits(lines: Iterable[bytes], cells: Sequence[str], layout: Layout) -> bool:
    """Whether a row of several lines has the header's number of cells, and only delimiters behind closing quotes."""
    if len(cells) != len(layout.header):
        return False
    try:
        next(csv.reader(map(_text, lines), delimiter=layout.delimiter, strict=True))
    except csv.Error:
        return False
    return True


def _ragged(cells: int, width: int) -> str:
    return f"The row has {cells} cells, the header {width}: a delimiter or a quote is missing or too much."


def _parse(line: bytes) -> tuple[Cells | None, str, str]:
    """The cells of a JSON line, numbers as written; or why it has none."""
    try:
        found = json.loads(_text(line), parse_float=str, parse_int=str, parse_constant=str)
    except (ValueError, RecursionError) as fault:
        return None, "bad_json", f"The line is no JSON: {fault}."
    if not isinstance(found, dict):
        return None, "not_an_object", "The line is no JSON object with a name for each value."
    return found, "", ""


def _json_rows(stream: BinaryIO) -> Iterator[Row]:
    offset = 0
    while line := stream.readline(MAX_LINE):
        text = line if offset else line.removeprefix(_BOM)
        if text.strip():
            yield Row(offset, text[:HEAD_BYTES], *_parse(text))
        offset += len(line)


def _parquet_rows(path: str, columns: list[str] | None) -> Iterator[Row | str]:
    number = 0
    try:
        with open_read(path) as stream:
            for batch in pq.ParquetFile(stream).iter_batches(BATCH, columns=columns, use_threads=False):
                for row in _batch_rows(batch):
                    yield Row(number, *row)
                    number += 1
    except _PARQUET_FAULTS as fault:
        yield f"{path} is damaged after row {number:,} ({fault}); the rest is lost."


def _batch_rows(batch: pa.RecordBatch) -> Iterator[tuple[bytes, Cells | None, str, str]]:
    try:
        rows: list[Cells] = batch.to_pylist()
    except (ValueError, OverflowError):  # text that is no UTF-8, a date out of Python's range
        for number in range(batch.num_rows):
            yield _single(batch.slice(number, 1))
        return
    for cells in rows:
        yield b"", cells, "", ""


def _single(batch: pa.RecordBatch) -> tuple[bytes, Cells | None, str, str]:
    cells = {}
    for name, column in zip(batch.schema.names, batch.columns, strict=True):
        try:
            cells[name] = column[0].as_py()
        except (ValueError, OverflowError) as fault:
            return b"", None, "bad_value", f"The cell of '{name}' can't be read: {fault}."
    return b"", cells, "", ""
