"""The layout, rows and cells of a user's table, and the error for a file that is no table."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any  # Any: cells of any type that a file has

from allsaid.language.characters import comparable
from allsaid.language.code_pages import without_c1
from pipelines.source import RecordFault

Cells = Mapping[str, Any]  # column -> a value of the file's own types, such as a string, a list or a date


class NativeNumber(str):
    """A number that its file holds as a number, not as text, so its decimal separator is a point in any table."""

    __slots__ = ()


class TableFault(Exception):
    """A file that is no table; the message is a sentence."""


@dataclass(frozen=True)
class Row:
    offset: int
    head: bytes  # the row's first bytes
    cells: Cells | None  # None if the row can't be read
    reason: str = ""  # why it can't be read
    detail: str = ""
    number: int = 0  # from 1: of its first line in a text file, of the row in Excel and Parquet
    lacks: str = ""  # the first column that it lacks


@dataclass(frozen=True)
class Start:
    """The row at which reading begins."""

    offset: int = 0
    number: int = 1


BEGIN = Start()
END = Start(1 << 62)  # reading from here yields no row, only the faults of the file


EXCEL = "Excel"
# In CSV, quotes inside quoted cells are doubled or escaped by a backslash. UNQUOTED: no cell is quoted.
DOUBLED, ESCAPED, UNQUOTED = "doubled", "escaped", "unquoted"


@dataclass(frozen=True)
class Layout:
    kind: str  # of the file: CSV, EXCEL, JSON_LINES or PARQUET
    header: list[str]  # names of the C columns; "" for an empty column; of JSON lines, the keys of the first lines
    delimiter: str = ""
    encoding: str = ""  # of text
    line_end: str = "\n"  # of text; "\r" in old Mac files
    sheet: str = ""  # of a workbook
    other_sheets: tuple[str, ...] = ()
    sheet_option: str = "--sheet"  # the option that chooses another sheet
    header_row: int = 0  # of a sheet, from 1
    notes: tuple[str, ...] = ()  # sentences for the user about the file
    quoting: str = DOUBLED  # of CSV
    cell_kinds: tuple[Counter[str], ...] = ()  # of CSV: for each of C columns the cells of each kind in the first rows

    @property
    def sheet_sentence(self) -> str:
        """Sentence to append to an error that choosing another sheet of the workbook may solve; "" if there is none."""
        if not self.other_sheets:
            return ""
        others = ", ".join(self.other_sheets)
        return f" This is its sheet '{self.sheet}'; choose another with {self.sheet_option}: {others}."

    @property
    def columns(self) -> list[str]:
        return [name for name in self.header if name]


def plain_number(value: int | float) -> str:
    """Return a number without exponent; a fraction is rounded to the 15 digits that a float holds reliably."""
    if isinstance(value, int) or value.is_integer():
        return str(int(value))
    return f"{Decimal(f'{value:.15g}'):f}"


def iso_time(value: date | time) -> str:
    """Return a date or a time by ISO 8601, without zero seconds; a datetime at midnight without its time."""
    if isinstance(value, time):
        return value.isoformat("auto" if value.second else "minutes")
    if not isinstance(value, datetime):
        return str(value)
    if value.time() == time():
        return value.date().isoformat()
    return value.isoformat(" ", "seconds" if value.second else "minutes")


def cell_text(value: Any, column: str) -> str:
    """Return a cell as text in one line, "" if it is empty.

    Raises RecordFault for a list, an object, and bytes that are not UTF-8.
    """
    if isinstance(value, str):
        text = value
    elif value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    elif isinstance(value, bool):
        return "yes" if value else "no"
    elif isinstance(value, float):
        text = plain_number(value)
    elif isinstance(value, date | time):
        text = iso_time(value)
    elif isinstance(value, bytes):
        try:
            text = value.decode()
        except UnicodeDecodeError as fault:
            raise RecordFault("bad_value", f"The cell of '{column}' holds bytes that are no text: {fault}.") from fault
    elif isinstance(value, Mapping | list | tuple):
        raise RecordFault("bad_value", f"The cell of '{column}' holds {str(value)[:80]}, which is no single value.")
    else:
        text = str(value)
    if not text.isascii():
        text = without_c1(text.encode("utf-8", "replace").decode())  # halves of surrogate pairs
        if not comparable(text).strip():
            return ""
    return " ".join(text.split())
