"""Export the texts of a finished run as one file for a shop: CSV, JSON lines or an Excel workbook.

The file is written from the Parquet files in the order of the rows, with few rows in memory at a time. In CSV and
Excel a list is JSON in its cell. A text that a spreadsheet would read as a formula is prefixed with an apostrophe, as
OWASP recommends ("CSV Injection"). Excel cells hold text and numbers, never formulas.
"""

from __future__ import annotations

import csv
import io
import json
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, BinaryIO

from allsaid.disk import temporary_faults
from allsaid.storage import files
from allsaid.storage.parquet import open_parquet
from allsaid.storage.rows import read_rows
from batch_infer.proof.summary import text_files
from batch_infer.rows.sources import ID
from schemas.errors import UserError

if TYPE_CHECKING:
    from openpyxl.cell import WriteOnlyCell
    from openpyxl.worksheet._write_only import WriteOnlyWorksheet

MOST_ROWS, MOST_LETTERS = 1_048_575, 32_767  # of an Excel sheet below its header; of a cell
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
Rows = Iterator[dict[str, object]]


def check(formats: str) -> tuple[str, ...]:
    """Parse a list such as ``parquet,csv``; return its formats without Parquet; raise UserError for an unknown one."""
    named = [name.strip().lower() for name in formats.split(",")]
    for name in named:
        if name != "parquet" and name not in WRITERS:
            raise UserError(f"--format {name}: the valid ones are parquet, {', '.join(WRITERS)}.")
    return tuple(dict.fromkeys(name for name in named if name in WRITERS))


def write(folder: str, formats: Sequence[str], id_name: str = ID) -> list[str]:
    """Write the texts of ``folder`` in further formats; return the paths of the files.

    The column of ids is named ``id_name``, so that a shop can join the texts to its table, unless the name is taken.
    """
    texts, paths = text_files(folder), []
    for name in formats:
        with files.open_read(texts[0]) as stream, open_parquet(stream) as parquet:
            columns = list(parquet.schema_arrow.names)
        titles = columns if id_name in columns else [id_name if column == ID else column for column in columns]
        paths.append(files.join(folder, f"texts.{name}"))
        with tempfile.TemporaryFile() as file:
            with temporary_faults():
                WRITERS[name](file, titles, (row for path in texts for row in read_rows(path, columns)))
                file.seek(0)
            with files.create(paths[-1]) as stream:
                shutil.copyfileobj(file, stream)
    return paths


def _write_csv(file: BinaryIO, columns: Sequence[str], rows: Rows) -> None:
    text = io.TextIOWrapper(file, "utf-8-sig", newline="")  # without the mark, Excel reads a CSV in the local code page
    writer = csv.writer(text)
    writer.writerow(map(_harmless, columns))
    for row in rows:
        cells = map(_cell, row.values())
        writer.writerow([_harmless(cell) if isinstance(cell, str) else cell for cell in cells])
    text.detach()


def _write_lines(file: BinaryIO, columns: Sequence[str], rows: Rows) -> None:
    for row in rows:
        named = dict(zip(columns, row.values(), strict=True))
        file.write((json.dumps(named, ensure_ascii=False, default=str) + "\n").encode())


def _write_workbook(file: BinaryIO, columns: Sequence[str], rows: Rows) -> None:
    from openpyxl import Workbook  # imported here: slow to load, and only workbooks need it

    book = Workbook(write_only=True)
    sheet = book.create_sheet("texts")
    sheet.append([_excel_cell(sheet, name) for name in columns])
    for number, row in enumerate(rows):
        if number == MOST_ROWS:
            raise UserError(f"An Excel sheet holds {MOST_ROWS:,} rows, and there are more. Use --format csv.")
        sheet.append([_excel_cell(sheet, _cell(value)) for value in row.values()])
    book.save(file)


def _excel_cell(sheet: WriteOnlyWorksheet, value: object) -> WriteOnlyCell:
    from openpyxl.cell import WriteOnlyCell
    from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE

    if not isinstance(value, str):
        return WriteOnlyCell(sheet, value)
    cell = WriteOnlyCell(sheet, ILLEGAL_CHARACTERS_RE.sub("", _harmless(value))[:MOST_LETTERS])
    cell.data_type = "s"  # never "f", a formula
    return cell


def _cell(value: object) -> object:
    """Convert a value so that it fits one cell."""
    if isinstance(value, list | dict | tuple):
        return json.dumps(value, ensure_ascii=False, default=str)
    if value is None or isinstance(value, str | bool | int | float):
        return value
    return str(value)


def _harmless(text: str) -> str:
    return f"'{text}" if text.startswith(_FORMULA) else text


WRITERS: dict[str, Callable[[BinaryIO, Sequence[str], Rows], None]] = {
    "csv": _write_csv,
    "jsonl": _write_lines,
    "xlsx": _write_workbook,
}
