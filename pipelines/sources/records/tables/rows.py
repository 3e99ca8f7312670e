"""A user's table (CSV, JSON lines, Excel or Parquet, by its bytes) -> rows of named cells, one in memory at a time.

A row's place is the offset of its first byte in the decompressed file, in Excel the row's number in the sheet, in
Parquet the row's number from 0. CSV may have byte order marks, and line breaks in quoted cells. Its delimiter is that
of the mapping, else the one of ``, ; tab |`` that splits the first rows into the same number of columns, as many as
possible. A text file has one encoding (`encoding.py`).
"""

from __future__ import annotations

import io
import json
import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import dropwhile
from typing import BinaryIO

import pyarrow as pa

from allsaid.storage.files import open_read
from allsaid.storage.parquet import batches, check_size, groups_from, open_parquet
from allsaid.storage.streams import archive_in, head_of, open_dump
from pipelines.sources.records.tables.csv_rows import csv_rows, line_reader, text_of
from pipelines.sources.records.tables.dialect import BOM, check_names, column_name, csv_layout
from pipelines.sources.records.tables.encoding import UTF_16, find_encoding, wide_encoding
from pipelines.sources.records.tables.layout import (
    BEGIN,
    END,
    EXCEL,
    Cells,
    Layout,
    NativeNumber,
    Row,
    Start,
    TableFault,
)
from schemas.runs.rejected import HEAD_BYTES

LOOK = 1 << 16  # first bytes of a file, which determine its kind, delimiter and columns
MAX_CONTROL = 0.05  # share of control bytes above which a file is no text
PARQUET, JSON_LINES = "Parquet", "JSON lines"
_PARQUET_MARK, _EXCEL_MARK = b"PAR1", b"PK\x03\x04"
_PARQUET_FAULTS = (pa.ArrowException, OSError, ValueError, NotImplementedError)
_TEXT_BYTES = bytes({*range(256)} - {*range(32)} | {*b"\t\n\x0b\x0c\r\x1a"})
_QUOTED = re.compile(r'"[^"]*"')
_LINE_END = re.compile(r"\r+\n?|\n")
_OLD_EXCEL, _LOCKED_EXCEL = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "EncryptedPackage".encode("utf-16-le")
_MARKUP = ("<!doctype", "<html", "<table", "<?xml")
_SAVE = "Save the table as .xlsx or as CSV in UTF-8."


def look(path: str, delimiter: str = "", encoding: str = "", sheet: str = "", sheet_option: str = "--sheet") -> Layout:
    """Return the layout of a table; raises TableFault. ``sheet_option`` is the option that names the sheet.

    A text file is read to its end to find its encoding, unless ``encoding`` is given.
    """
    try:
        start, damage = head_of(path, LOOK)
    except OSError as fault:
        raise TableFault(f"{path} can't be read: {fault}") from fault
    if start.startswith(_PARQUET_MARK):
        return Layout(PARQUET, _parquet_columns(path))
    if start.startswith(_EXCEL_MARK):
        from pipelines.sources.records.tables.excel import excel_layout  # openpyxl takes long to load

        return excel_layout(path, sheet, sheet_option)
    _check_bytes(path, start)
    if encoding in ("", UTF_16):
        encoding = wide_encoding(start) or ("utf-16-le" if encoding else _encoding(path))
    text = start.decode(encoding, "replace").removeprefix(BOM)
    if not text.strip():
        raise TableFault(damage or f"{path} is empty.")
    if text.lstrip().lower().startswith(_MARKUP):
        raise TableFault(f"{path} is HTML or XML, not a table. {_SAVE}")
    lines = list(io.StringIO(text, newline=""))
    if len(start) == LOOK and len(lines) > 1:
        lines.pop()  # it may be incomplete
    line_end = _line_end(text)
    opening = [line.lstrip()[:1] for line in lines if line.strip()]
    if opening[0] in "{[" or opening.count("{") > len(opening) // 2:  # JSON lines, even if the first is damaged
        return Layout(JSON_LINES, _json_columns(path, lines), encoding=encoding, line_end=line_end)
    return csv_layout(path, lines, delimiter, encoding, line_end)


def _check_bytes(path: str, start: bytes) -> None:
    """Raise TableFault for a file that is not text."""
    if start.startswith(_OLD_EXCEL):
        if _LOCKED_EXCEL in start:
            raise TableFault(f"{path} has a password. Open it in Excel, take the password off and save it.")
        raise TableFault(f"{path} is an old Excel file (.xls), or one with a password. {_SAVE}")
    if archive := archive_in(start):
        raise TableFault(f"{path} is {archive}")
    if start.startswith(b"%PDF"):
        raise TableFault(f"{path} is a PDF, no table. {_SAVE}")
    if start.startswith((b"\xff\xfe\0\0", b"\0\0\xfe\xff")):
        raise TableFault(f"{path} is UTF-32. Save the table as UTF-8.")
    control = len(start.translate(None, _TEXT_BYTES)) - (start.count(0) if wide_encoding(start) else 0)
    if control > MAX_CONTROL * len(start) and not start.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        raise TableFault(f"{path} is a binary file, no table. {_SAVE}")


def _encoding(path: str) -> str:
    with open_dump(path)[1] as stream:
        found, guess = find_encoding(stream)
    if not found:
        perhaps = f" It may be {guess}." if guess else ""
        raise TableFault(f"{path} is in an encoding that its bytes don't show.{perhaps} Give it with --encoding.")
    return found


def _line_end(text: str) -> str:
    """Return the line end of the first line outside of quotes."""
    found = _LINE_END.search(_QUOTED.sub("", text))
    return "\r" if found and "\n" not in found[0] else "\n"


def _parquet_columns(path: str) -> list[str]:
    try:
        with open_read(path) as stream:
            parquet = open_parquet(stream)
            check_size(parquet.metadata)
            names = [*map(column_name, parquet.schema_arrow.names)]
    except _PARQUET_FAULTS as fault:
        raise TableFault(f"{path} is no Parquet file that can be read: {fault}") from fault
    check_names(path, names)
    return names


def _json_columns(path: str, lines: Sequence[str]) -> list[str]:
    objects = [cells for line in lines if (cells := _parse(line)[0]) is not None]
    if not objects:
        raise TableFault(f"{path} holds no JSON lines. Write one object a line.")
    return list(dict.fromkeys(name for cells in objects for name in cells))


def read_table(
    path: str, layout: Layout, columns: list[str] | None = None, start: Start = BEGIN, last: int | None = None
) -> Iterator[Row | str]:
    """Yield the rows of a table from ``start`` on; at the end a sentence if something could not be read.

    ``columns``: the columns that are needed; None: all. ``last``: reading ends before this place, which `cuts.py`
    found; None: at the end of the table. A workbook is always read from its beginning to its end.
    """
    rows = _rows(path, layout, columns, start, last)
    return dropwhile(lambda row: isinstance(row, Row) and row.offset < start.offset, rows)


def _rows(path: str, layout: Layout, columns: list[str] | None, start: Start, last: int | None) -> Iterator[Row | str]:
    if layout.kind == PARQUET:
        yield from _parquet_rows(path, columns, start, last)
        return
    if layout.kind == EXCEL:
        from pipelines.sources.records.tables.excel import excel_rows

        yield from excel_rows(path, layout)
        return
    dump, stream = open_dump(path, end=last)
    with stream:
        yield from (_json_rows if layout.kind == JSON_LINES else csv_rows)(stream, layout, start)
    if dump.loss:
        yield dump.loss  # a sentence on what could not be read


def _parse(line: str) -> tuple[Cells | None, str, str]:
    """Return the cells of a JSON line, with numbers as written; or None with reason and detail."""
    try:
        found = json.loads(line, parse_float=NativeNumber, parse_int=str, parse_constant=str)
    except (ValueError, RecursionError) as fault:
        return None, "bad_json", f"The line is no JSON: {fault}. Write one object a line."
    if not isinstance(found, dict):
        return None, "not_an_object", "The line is no JSON object. Write one object a line, with a name for each value."
    return {column_name(name): value for name, value in found.items()}, "", ""


def _json_rows(stream: BinaryIO, layout: Layout, start: Start) -> Iterator[Row]:
    stream.seek(start.offset)
    offset, number, read = start.offset, start.number - 1, line_reader(stream, layout)
    while line := read():
        number += 1
        text, fault = text_of(line, layout.encoding)
        if fault:
            yield Row(offset, line[:HEAD_BYTES], None, "bad_bytes", fault, number)
        elif text.strip():
            yield Row(offset, line[:HEAD_BYTES], *_parse(text), number)
        offset += len(line)


def _parquet_rows(path: str, columns: list[str] | None, start: Start, last: int | None) -> Iterator[Row | str]:
    """Yield the rows from ``start`` to the row group that begins at ``last``; only damaged row groups are lost."""
    losses: list[str] = []
    try:
        with open_read(path) as stream:
            parquet = open_parquet(stream)
            every = parquet.schema_arrow.names
            columns = None if columns is None else [name for name in every if column_name(name) in columns]
            groups, number = groups_from(parquet, 0 if start == END else start.offset)
            for group in groups:
                if number == last:
                    break
                group_end = number + parquet.metadata.row_group(group).num_rows
                try:
                    for batch in batches(parquet, columns, [group]):
                        skipped = min(max(start.offset - number, 0), batch.num_rows)
                        number += skipped
                        for row in _batch_rows(batch.slice(skipped)):
                            yield Row(number, *row, number + 1)
                            number += 1
                except _PARQUET_FAULTS as fault:
                    losses.append(
                        f"{path} is damaged after row {number:,} ({fault}); rows up to {group_end:,} are lost."
                    )
                number = group_end
    except _PARQUET_FAULTS as fault:
        losses.append(f"{path} can't be read: {fault}")
    if losses:
        yield " ".join(losses)


def _batch_rows(batch: pa.RecordBatch) -> Iterator[tuple[bytes, Cells | None, str, str]]:
    batch = batch.rename_columns([*map(column_name, batch.schema.names)])
    for place, name in enumerate(batch.schema.names):
        if batch.schema.field(place).type == pa.float32():  # as double, 24.9 would be 24.899999618530273
            batch = batch.set_column(place, name, batch.column(place).cast(pa.string()).cast(pa.float64()))
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


@cache
def place_of(file: str, offset: int) -> str:
    """Return a row's place for messages: in a text file the number of its first line, else the row's number."""
    _, stream = open_dump(file)
    with stream:
        start = stream.read(min(offset, LOOK)) if offset >= 4 else stream.read(4)
        if start.startswith((_PARQUET_MARK, _EXCEL_MARK)):
            return f"row {offset + start.startswith(_PARQUET_MARK):,} of {file}"
        before, left = start[:offset], offset - len(start)
        feeds, returns = before.count(b"\n"), before.count(b"\r")
        while left > 0 and (chunk := stream.read(min(left, LOOK))):
            feeds, returns, left = feeds + chunk.count(b"\n"), returns + chunk.count(b"\r"), left - len(chunk)
    return f"line {(feeds or returns) + 1:,} of {file}"  # lines of old Mac files end in carriage returns
