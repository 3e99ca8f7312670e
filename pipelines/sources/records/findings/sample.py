"""The first rows of a user's tables, by column: the basis for the guess of their mapping."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from statistics import mean
from typing import Any  # Any: cells of any type that a file has

from allsaid.console import say
from allsaid.language.characters import comparable
from pipelines.datasets.statistics import Histograms, count
from pipelines.source import RecordFault
from pipelines.sources.mappings import DEFAULT_MISSING
from pipelines.sources.records.cell_findings import DAMAGED, findings_of
from pipelines.sources.records.cells import Cleaner
from pipelines.sources.records.exports import list_in
from pipelines.sources.records.mapping import Column, TableMapping
from pipelines.sources.records.mapping_keys import VALUE
from pipelines.sources.records.tables.layout import Cells, Layout, Row, TableFault, cell_text
from pipelines.sources.records.tables.rows import look, read_table
from schemas.errors import UserError

ROWS = 1000  # of all tables together
MOST = 0.9  # share of a column's cells that are lists if all are


@dataclass(frozen=True)
class Seen:
    """A column's filled cells, each with its row."""

    name: str
    values: list[tuple[int, Any]]  # as read
    cells: list[tuple[int, str]]  # the same as text, a list's elements with blanks between
    is_list: bool  # of JSON or Parquet, or written as code
    is_optional: bool  # some table lacks it
    damaged: Mapping[str, int]  # by a spreadsheet: finding -> cells
    nones: int  # cells with "none", which is read as an empty cell

    @property
    def words(self) -> float:
        """The mean number of words of a cell; of a list, of an element."""
        texts = [cell for _, cell in self.cells]
        if self.is_list:
            texts = [
                str(element) for _, value in self.values for element in (value if isinstance(value, list) else [value])
            ]
        return mean(len(text.split()) for text in texts) if texts else 0.0

    @property
    def distinct(self) -> int:
        return len({cell for _, cell in self.cells})

    def share(self, hits: Iterable[bool]) -> float:
        return sum(hits) / len(self.cells) if self.cells else 0.0


def look_at(paths: Sequence[str], encoding: str, sheet: str) -> tuple[list[Seen], int]:
    """Return the columns of all tables by name, and the number of rows looked at."""
    found: list[Cells] = []
    headers: list[list[str]] = []
    layouts = _layouts(paths, encoding, sheet)
    for path, layout in layouts:
        rows = (row.cells for row in read_table(path, layout) if isinstance(row, Row) and row.cells is not None)
        first = list(islice(rows, max(1, ROWS // len(paths))))
        found += first
        headers.append([*dict.fromkeys((*layout.columns, *(name for cells in first for name in cells)))])
    if not found:
        path, layout = layouts[0]
        raise UserError(f"{path} has a header, but no row. Give a table that has rows.{layout.sheet_sentence}")
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
    """Return the files that are tables; the others are reported, as the ingest does it."""
    tables, faults = [], []
    for path in paths:
        try:
            layout = look(path, encoding=encoding, sheet=sheet)
        except TableFault as fault:
            faults.append(str(fault))
            continue
        tables.append((path, layout))
        for note in layout.notes:
            say(note, "warning")
    if not tables:
        raise UserError(faults[0])
    for sentence in faults:
        say(sentence, "warning")
    return tables


def _seen(name: str, values: Sequence[Any], is_optional: bool, findings: Mapping[str, Mapping[str, int]]) -> Seen:
    lists = [list_in(value.strip()) if isinstance(value, str) else None for value in values]
    if sum(elements is not None for elements in lists) >= MOST * max(sum(map(bool, values)), 1):
        values = [value if elements is None else elements for value, elements in zip(values, lists, strict=True)]
    filled: list[tuple[int, Any]] = []
    cells: list[tuple[int, str]] = []
    nones = 0
    for row, value in enumerate(values):
        is_many = isinstance(value, list | tuple)
        try:
            cell = comparable(cell_text(" ".join(map(str, value)) if is_many else value, name))
        except RecordFault:  # an object in JSON: such a column has no kind
            cell = ""
        nones += cell.lower() == "none"
        if cell and cell.lower() not in DEFAULT_MISSING:
            filled.append((row, value))
            cells.append((row, cell))
    is_list = any(isinstance(value, list | tuple) for _, value in filled)
    damaged = {kind: number for kind, number in findings.get(name, {}).items() if kind in DAMAGED}
    return Seen(name, filled, cells, is_list, is_optional, damaged, nones)
