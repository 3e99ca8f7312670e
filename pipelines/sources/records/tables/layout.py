"""A user's table as it is read: its layout, its rows, and what is no table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

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
    number: int = 0  # of the line that it begins in; of Excel and Parquet of the row; from 1


@dataclass(frozen=True)
class Start:
    """A row from which on a table is read."""

    offset: int = 0
    number: int = 1


BEGIN = Start()
END = Start(1 << 62)  # where only what could not be read is told


@dataclass(frozen=True)
class Layout:
    kind: str
    header: list[str]  # the columns in their order, "" for one that has neither name nor cells; of JSON lines the first
    delimiter: str = ""
    encoding: str = ""  # of text
    line_end: str = "\n"  # of text; "\r" in old Mac files
    sheet: str = ""  # of a workbook
    notes: tuple[str, ...] = ()  # sentences for the user about the file

    @property
    def columns(self) -> list[str]:
        return [name for name in self.header if name]
