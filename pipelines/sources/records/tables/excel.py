"""A workbook of Excel (.xlsx) -> rows of one sheet, one in memory at a time, with cells as Excel shows them.

The values that Excel stored with its formulas are read. A cell that is merged with those below it gives them its value.
Hidden rows and columns are read. A row's place is its number in the sheet.
"""

from __future__ import annotations

import re
import warnings
import zipfile
import zlib
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from itertools import islice
from typing import Any, BinaryIO  # Any: cells of any type, and openpyxl's objects, which are not typed
from xml.etree.ElementTree import Element, iterparse

from openpyxl import load_workbook
from openpyxl.cell.read_only import ReadOnlyCell
from openpyxl.utils.cell import range_boundaries
from openpyxl.utils.escape import unescape
from openpyxl.worksheet._reader import DATA_TAG, ROW_TAG, WorkSheetParser

from allsaid.console import counted
from allsaid.storage.files import open_read
from pipelines.sources.records.tables.dialect import header_of
from pipelines.sources.records.tables.formats import shown_date, shown_number
from pipelines.sources.records.tables.layout import EXCEL, Layout, NativeNumber, Row, TableFault

FIRST_ROWS = 100  # rows that determine the columns
LARGE, MAX_RATIO = 64 << 20, 200  # bytes, and ratio of compression; a part that exceeds both is refused
MAX_MERGED = 1 << 16
CHUNK = 1 << 20
_MERGED = re.compile(rb'<mergeCell ref="([A-Z]+\d+:[A-Z]+\d+)"')
_HIDDEN = re.compile(rb'<row [^>]*hidden="(?:1|true)"')
# A formula without a stored value. Formulas for texts (t="str") are left out, since an empty result is a value.
_NOT_STORED = re.compile(
    rb"""<c (?![^>]*t="str")[^>]*>\s*(?:<f[^>]*/>|<f[^>]*>[^<]*</f>)\s*(?:<v\s*/>|<v>\s*</v>)?\s*</c>"""
)
# The errors of openpyxl, the archive and XML for damaged input.
_FAULTS = (
    OSError, ValueError, LookupError, TypeError, AttributeError, ArithmeticError, SyntaxError, EOFError, RuntimeError,
    zipfile.BadZipFile, zlib.error,
)  # fmt: skip
# The name of a file in an archive that is no workbook of Excel -> the kind of archive.
_OTHERS = {
    "content.xml": "an OpenDocument file (.ods)",
    "Index/Document.iwa": "a Numbers file",
    "xl/workbook.bin": "a binary Excel file (.xlsb)",
    "word/document.xml": "a Word file",
}
_SAVE = "Save the table as .xlsx or as CSV in UTF-8."


def excel_layout(path: str, sheet: str = "", option: str = "--sheet") -> Layout:
    """Return the layout of a sheet, by default the first that is not hidden; raises TableFault.

    option: the command-line option by which a user chooses a sheet, for messages.
    """
    with _opened(path) as book:
        found = _sheet(path, book, sheet)
        numbered = [*islice(_filled_rows(found), FIRST_ROWS)]
        others = tuple(other.title for other in book.worksheets if other is not found)
        layout = Layout(EXCEL, [], sheet=found.title, other_sheets=others, sheet_option=option)
        if not numbered:
            raise TableFault(f"{path} is empty: its sheet '{found.title}' has no cells.{layout.sheet_sentence}")
        # A row with a single cell, above a row with several cells, is a title.
        filled = [sum(cell != "" for cell in row) for _, row in numbered]
        first = next((place for place, cells in enumerate(filled) if cells > 1), 0)
        number, rows = numbered[first][0], [row for _, row in numbered[first:]]
        rows[0] += [""] * (max(map(len, rows)) - len(rows[0]))
        try:
            header = header_of(path, [[str(cell) for cell in row] for row in rows])
        except TableFault as fault:
            raise TableFault(f"{fault}{layout.sheet_sentence}") from None
        notes = _notes(path, layout, found, titles=first)
        return replace(layout, header=header, header_row=number, notes=tuple(notes))


def excel_rows(path: str, layout: Layout) -> Iterator[Row | str]:
    """Yield the rows below the header; at the end a sentence if the file is damaged."""
    number = 0
    try:
        with _opened(path) as book:
            sheet = _sheet(path, book, layout.sheet)
            for number, cells in _filled_rows(sheet, _merged(sheet), layout.header_row):
                if number > layout.header_row:
                    yield _row(number, cells, layout.header)
    except TableFault as fault:
        yield f"{path} is damaged after row {number:,} ({fault}); the rest is lost." if number else str(fault)


def _row(number: int, cells: list[Any], header: list[str]) -> Row:
    cells += [""] * (len(header) - len(cells))
    if any(map(str, cells[len(header) :])):
        detail = f"The row has a cell in column {len(cells)}, but the header has {len(header)} names. Name the column."
        return Row(number, b"", None, "ragged_row", detail, number)
    return Row(number, b"", {name: cell for name, cell in zip(header, cells, strict=False) if name}, number=number)


@contextmanager
def _opened(path: str) -> Iterator[Any]:
    """Open a workbook with openpyxl; raise TableFault if the file is not one or is damaged, also during reading."""
    try:
        with open_read(path) as stream, warnings.catch_warnings():
            warnings.simplefilter("ignore")  # on charts and styles, which openpyxl drops
            _check_archive(path, stream)
            yield load_workbook(stream, read_only=True, data_only=True, keep_links=False)
    except _FAULTS as fault:
        raise TableFault(f"{path} can't be read as Excel's .xlsx: {fault}. {_SAVE}") from fault


def _check_archive(path: str, stream: BinaryIO) -> None:
    if not zipfile.is_zipfile(stream):
        raise TableFault(
            f"{path} is not a readable .xlsx file: it is packed in another way or damaged. Unpack it, or copy it again."
        )
    entries = {entry.filename: entry for entry in zipfile.ZipFile(stream).infolist()}
    if "xl/workbook.xml" not in entries:
        what = next((what for name, what in _OTHERS.items() if name in entries), "")
        if not what:
            raise TableFault(f"{path} is a zip archive. Unpack it, and give the tables in it.")
        raise TableFault(f"{path} is {what}, which can't be read. {_SAVE}")
    for name, entry in entries.items():
        if entry.file_size > max(LARGE, MAX_RATIO * entry.compress_size):
            raise TableFault(
                f"{path} contains {name}, which would expand from {entry.compress_size:,} to {entry.file_size:,} "
                f"bytes. Real workbooks are not compressed so well. {_SAVE}"
            )


def _sheet(path: str, book: Any, name: str) -> Any:  # Any here and below: openpyxl has no types
    sheets = {sheet.title: sheet for sheet in book.worksheets}
    if name and name not in sheets:
        raise TableFault(f"{path} has no sheet '{name}'. Its sheets are: {', '.join(sheets)}.")
    shown = [sheet for sheet in sheets.values() if sheet.sheet_state == "visible"]
    if not sheets:
        raise TableFault(f"{path} has no sheet with cells.")
    return sheets[name] if name else (shown or list(sheets.values()))[0]


def _notes(path: str, layout: Layout, sheet: Any, titles: int) -> Iterator[str]:
    if layout.other_sheets:
        others = ", ".join(layout.other_sheets)
        yield f"{path}: the sheet '{sheet.title}' is read. Choose another with {layout.sheet_option}: {others}."
    if titles:
        yield f"{path}: {counted(titles, 'row')} of '{sheet.title}' above the names of the columns, not read."
    hidden = sum(1 for _ in _matches(sheet, _HIDDEN))
    if hidden:
        yield f"{path}: {counted(hidden, 'row')} of '{sheet.title}' hidden in the sheet; read like the others."
    formulas = sum(1 for _ in _matches(sheet, _NOT_STORED))
    if formulas:
        yield (
            f"{path}: {counted(formulas, 'formula')} of '{sheet.title}' without a stored value, read as empty. "
            "Open the file in Excel or LibreOffice and save it."
        )


def _merged(sheet: Any) -> Mapping[int, list[tuple[int, int]]]:
    """Return the vertical merges: first row -> (column, last row) of each."""
    found = defaultdict(list)
    for match in islice(_matches(sheet, _MERGED), MAX_MERGED):
        left, top, _, bottom = range_boundaries(match[1].decode())
        if bottom > top:
            found[top].append((left, bottom))
    return found


def _matches(sheet: Any, pattern: re.Pattern[bytes]) -> Iterator[re.Match[bytes]]:
    """Yield the matches of a pattern in a sheet's XML."""
    rest = b""
    with sheet._get_source() as source:
        while chunk := source.read(CHUNK):
            rest += chunk
            end = max(rest.rfind(b"<c "), rest.rfind(b"<row "), rest.rfind(b"<mergeCell "), 0) or len(rest)
            yield from pattern.finditer(rest, 0, end)
            rest = rest[end:]
        yield from pattern.finditer(rest)


def _filled_rows(
    sheet: Any, merged: Mapping[int, list[tuple[int, int]]] | None = None, header_row: int = 0
) -> Iterator[tuple[int, list[Any]]]:
    """Yield number and cells of each row that has any; fill merged cells below the header."""
    below: dict[int, tuple[int, Any]] = {}  # column -> the last row that its value is for, and the value
    for number, cells in _rows(sheet):
        for column, (last, value) in list(below.items()):
            if number > last:
                del below[column]
            else:
                cells += [""] * (column - len(cells))
                cells[column - 1] = value
        if any(cell != "" for cell in cells):
            for column, last in merged.get(number, ()) if merged and number > header_row else ():
                below[column] = last, cells[column - 1] if len(cells) >= column else ""
            yield number, cells


def _rows(sheet: Any) -> Iterator[tuple[int, list[Any]]]:
    """Yield number and cells of each row in the sheet's XML, whose elements are freed."""
    book, formats = sheet.parent, {}
    with sheet._get_source() as source:
        parser = WorkSheetParser(
            source, sheet._shared_strings, data_only=True, epoch=book.epoch, date_formats=book._date_formats,
            timedelta_formats=book._timedelta_formats,
        )  # fmt: skip
        data: Element | None = None
        for event, element in iterparse(source, ("start", "end")):
            if event == "start":
                data = element if element.tag == DATA_TAG else data
            elif element.tag == ROW_TAG and data is not None:
                number, found = parser.parse_row(element)
                parser.row_dimensions.clear()
                data.clear()
                cells = [""] * (found[-1]["column"] if found else 0)
                for cell in found:
                    style = cell["style_id"]
                    if style not in formats:
                        formats[style] = ReadOnlyCell(sheet, **cell).number_format
                    cells[cell["column"] - 1] = _shown(cell["value"], cell["data_type"], formats[style])
                yield number, cells
            elif element.tag == DATA_TAG:
                return


def _shown(value: Any, kind: str, code: str) -> Any:
    """Return a cell as text, or a truth value."""
    if value is None:
        return ""
    if kind == "n":
        return NativeNumber(shown_number(value, code))
    if kind == "d":
        return shown_date(value, code)
    return unescape(value) if isinstance(value, str) and "_x" in value else value  # _x000D_ is a line break
