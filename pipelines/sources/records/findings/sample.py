"""The first rows of a user's tables, by column: what a guess of their mapping has to go by."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from statistics import mean
from typing import Any

from allsaid.console import say
from pipelines.datasets.statistics import Histograms, count
from pipelines.source import RecordFault
from pipelines.sources.mappings import DEFAULT_MISSING
from pipelines.sources.records.cell_findings import SPOILT, findings_of
from pipelines.sources.records.cells import Cleaner
from pipelines.sources.records.mapping import VALUE, Column, TableMapping
from pipelines.sources.records.tables.layout import Cells, Layout, Row, TableFault, cell_text
from pipelines.sources.records.tables.rows import look, read_table
from schemas.errors import UserError

ROWS = 1000  # looked at, of all tables together


@dataclass(frozen=True)
class Seen:
    """A column's cells that hold something, each with its row."""

    name: str
    values: list[tuple[int, Any]]  # as read
    cells: list[tuple[int, str]]  # the same as text, a list's elements parted by blanks
    is_list: bool  # of JSON or Parquet
    is_optional: bool  # some table lacks it
    spoilt: Mapping[str, int]  # by a spreadsheet: finding -> cells

    @property
    def words(self) -> float:
        return mean(len(cell.split()) for _, cell in self.cells) if self.cells else 0.0

    @property
    def distinct(self) -> int:
        return len({cell for _, cell in self.cells})

    def share(self, hits: Iterable[bool]) -> float:
        return sum(hits) / len(self.cells) if self.cells else 0.0


def look_at(paths: Sequence[str], encoding: str, sheet: str) -> tuple[list[Seen], int]:
    """The columns of all tables by name, and the number of rows looked at."""
    found: list[Cells] = []
    headers: list[list[str]] = []
    for path, layout in _layouts(paths, encoding, sheet):
        rows = (row.cells for row in read_table(path, layout) if isinstance(row, Row) and row.cells is not None)
        first = list(islice(rows, max(1, ROWS // len(paths))))
        found += first
        headers.append([*dict.fromkeys((*layout.columns, *(name for cells in first for name in cells)))])
    names = dict.fromkeys(name for header in headers for name in header if name)
    cleaner = Cleaner(TableMapping("", "", tuple(Column(name, VALUE) for name in names)))
    histograms: Histograms = {}
    for place, cells in enumerate(found):
        found[place], figures = cleaner.clean(cells)
        count(histograms, "", figures | {f"given {name}": 1 for name, cell in cells.items() if cell})
    findings = findings_of([histograms])
    columns = [
        _seen(name, [cells.get(name) for cells in found], not all(name in header for header in headers), findings)
        for name in names
    ]
    return columns, len(found)


def _layouts(paths: Sequence[str], encoding: str, sheet: str) -> list[tuple[str, Layout]]:
    """The files that are tables; the others are told, as the ingest does it."""
    tables, faults = [], []
    for path in paths:
        try:
            tables.append((path, look(path, encoding=encoding, sheet=sheet)))
        except TableFault as fault:
            faults.append(str(fault))
    if not tables:
        raise UserError(faults[0])
    for sentence in faults:
        say(sentence, "warning")
    return tables


def _seen(name: str, values: Sequence[Any], is_optional: bool, findings: Mapping[str, Mapping[str, int]]) -> Seen:
    filled: list[tuple[int, Any]] = []
    cells: list[tuple[int, str]] = []
    for row, value in enumerate(values):
        is_many = isinstance(value, list | tuple)
        try:
            cell = cell_text(" ".join(map(str, value)) if is_many else value, name)
        except RecordFault:  # an object in JSON: such a column has no kind
            cell = ""
        if cell and cell.lower() not in DEFAULT_MISSING:
            filled.append((row, value))
            cells.append((row, cell))
    spoilt = {kind: number for kind, number in findings.get(name, {}).items() if kind in SPOILT}
    return Seen(name, filled, cells, any(isinstance(value, list | tuple) for value in values), is_optional, spoilt)
