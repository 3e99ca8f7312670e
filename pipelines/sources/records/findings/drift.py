"""Changes of a table's columns since the previous run: new, missing and renamed columns, and changes of kind.

Each run keeps a sample: the rows whose ids have the smallest hashes, so that the samples of two runs share their common
rows (a bottom-k sketch; Cohen and Kaplan, PODC 2007). A column was renamed if nearly all of these rows have equal
values in the old and the new column. Rows without an id are identified by their place in the file.

A change of a kind's share of a column's cells is reported if it is at least :data:`CHANGED`, and more than chance
explains: the two samples differ at the level :data:`LEVEL` by Fisher's exact test (R. A. Fisher, Statistical Methods
for Research Workers, 1934). With some 350 rows or more, the test confirms each change of :data:`CHANGED`.
"""

from __future__ import annotations

import hashlib
import heapq
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from math import comb
from typing import Any  # Any: cells of any type that a file has

from pipelines.source import RecordFault
from pipelines.sources.records.findings.kinds import EMPTY, kind_of
from pipelines.sources.records.ids import name_of
from pipelines.sources.records.mapping import TableMapping
from pipelines.sources.records.tables.layout import Cells, Row, cell_text
from pipelines.sources.records.tables.rows import look, read_table

ROWS = 500  # of a sample
MIN_EQUAL = 0.9  # share of the rows that must have equal values in an old column and a new one to count as renamed
CHANGED = 0.1  # least change of a kind's share of a column's cells
# How often the test reports a kind of a column although both samples are of one source, if rows are independent.
LEVEL = 0.01
SHOWN = 40  # characters of an example
NEW, MISSING, RENAMED, KIND = "new", "missing", "renamed", "kind"


@dataclass(frozen=True)
class Sample:
    """The sample of a table: R rows, each with the same position in every column."""

    rows: list[str] = field(default_factory=list)  # R hashes of their ids
    values: dict[str, list[str]] = field(default_factory=dict)  # column -> R hashes of cells, "" of an empty one
    kinds: dict[str, dict[str, int]] = field(default_factory=dict)  # column -> kind -> cells
    examples: dict[str, dict[str, str]] = field(default_factory=dict)  # column -> kind -> a cell, shortened


@dataclass(frozen=True)
class Drift:
    """One change of a column."""

    column: str
    change: str  # NEW, MISSING, RENAMED or KIND
    sentence: str


def sample(paths: Sequence[str], mapping: TableMapping, encoding: str = "", sheet: str = "") -> Sample:
    """Read tables once, with :data:`ROWS` rows in memory; raise TableFault for a file that is no table."""
    names: dict[str, None] = {}
    chosen: list[tuple[int, int, Cells]] = []  # a heap with the largest hash, negated, first
    for number, (path, row) in enumerate(_rows(paths, mapping, encoding, sheet, names)):
        assert row.cells is not None
        names.update(dict.fromkeys(row.cells))
        entry = (-int(_hash(_row_id(row, path, mapping)), 16), number, row.cells)
        (heapq.heappush if len(chosen) < ROWS else heapq.heappushpop)(chosen, entry)
    chosen.sort(reverse=True)
    found = Sample(rows=[f"{-negated:016x}" for negated, _, _ in chosen])
    for name in filter(None, names):
        _add(found, name, [cells.get(name) for _, _, cells in chosen], mapping)
    return found


def _rows(
    paths: Sequence[str], mapping: TableMapping, encoding: str, sheet: str, names: dict[str, None]
) -> Iterator[tuple[str, Row]]:
    """Yield the rows of all tables; add the columns of their headers to ``names``."""
    for path in paths:
        layout = look(path, mapping.delimiter, encoding, sheet)
        names.update(dict.fromkeys(layout.columns))
        yield from ((path, row) for row in read_table(path, layout) if isinstance(row, Row) and row.cells is not None)


def _row_id(row: Row, path: str, mapping: TableMapping) -> str:
    try:
        given_id = cell_text(mapping.renamed(row.cells or {}).get(mapping.id), mapping.id) if mapping.id else ""
    except RecordFault:
        given_id = ""
    return given_id or f"{name_of(path)}:{row.number}"


def _add(found: Sample, name: str, cells: Sequence[Any], mapping: TableMapping) -> None:
    """Add a column to a sample."""
    kinds: dict[str, int] = {}
    examples: dict[str, str] = {}
    values = []
    for kind, text in (kind_of(cell, name, mapping.missing) for cell in cells):
        kinds[kind] = kinds.get(kind, 0) + 1
        examples.setdefault(kind, text[:SHOWN])
        values.append(_hash(text)[:8] if text else "")
    found.values[name], found.kinds[name], found.examples[name] = values, kinds, examples


def _hash(text: str) -> str:
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=8).hexdigest()


def compare(before: Sample, now: Sample, mapping: TableMapping) -> list[Drift]:
    """Return the changes in the order of the columns; ``mapping`` is the model's, for the remedies."""
    gone = [name for name in before.values if name not in now.values]
    new = [name for name in now.values if name not in before.values]
    renamed = _renamed(before, now, gone, new)
    found = [Drift(old, RENAMED, _on_renamed(old, name, share, mapping)) for old, (name, share) in renamed.items()]
    found += [
        Drift(name, MISSING, f"The column '{name}' is missing, which the table had in the run before.")
        for name in gone
        if name not in renamed
    ]
    names = {name for name, _ in renamed.values()}
    found += [Drift(name, NEW, _on_new(name, mapping)) for name in new if name not in names]
    pairs = {name: name for name in now.values if name in before.values} | {
        old: name for old, (name, _) in renamed.items()
    }
    for old, name in pairs.items():
        if sentence := _on_kind(name, before.kinds[old], now.kinds[name], now.examples[name]):
            found.append(Drift(name, KIND, sentence))
    return found


def _renamed(before: Sample, now: Sample, gone: Sequence[str], new: Sequence[str]) -> dict[str, tuple[str, float]]:
    """Return old column -> new column with its values, and the share of equal rows; the most similar pair first."""
    indices = {row: index for index, row in enumerate(now.rows)}
    common = [(index, indices[row]) for index, row in enumerate(before.rows) if row in indices]
    found = []
    for old, name in product(gone, new):
        pairs = [(before.values[old][first], now.values[name][second]) for first, second in common]
        filled = [pair for pair in pairs if any(pair)]
        share = sum(old_cell == new_cell for old_cell, new_cell in filled) / len(filled) if filled else 0.0
        if share >= MIN_EQUAL:
            found.append((share, old, name))
    matched: dict[str, tuple[str, float]] = {}
    for share, old, name in sorted(found, key=lambda pair: -pair[0]):
        if old not in matched and all(name != matched_name for matched_name, _ in matched.values()):
            matched[old] = name, share
    return matched


def _on_renamed(old: str, name: str, share: float, mapping: TableMapping) -> str:
    sentence = f"The column '{old}' is now called '{name}': their values are equal in {share:.0%} of the rows."
    mapped = next((known for known in mapping.named if old in mapping.names_of(known)), "")
    if not mapped:
        return f"{sentence} The mapping reads neither."
    if name in mapping.names_of(mapped):
        return f"{sentence} The mapping reads both."
    return (
        f"{sentence} Write `was: [{name}]` next to '{mapped}' in the mapping and train again, or rename it in the "
        "table."
    )


def _on_new(name: str, mapping: TableMapping) -> str:
    is_read = any(name in mapping.names_of(known) for known in mapping.named)
    return f"The column '{name}' is new{'' if is_read else '; the mapping does not read it, so no text says it'}."


def _on_kind(name: str, before: Mapping[str, int], now: Mapping[str, int], examples: Mapping[str, str]) -> str:
    """Report the kinds whose share of the cells fell and rose most; "" if no kind's share changed."""
    old, new = _shares(before), _shares(now)
    changes = {kind: round(new.get(kind, 0.0) - old.get(kind, 0.0), 9) for kind in (*old, *new)}
    rows = sum(before.values()), sum(now.values())
    if not any(
        abs(change) >= CHANGED and _chance(before.get(kind, 0), now.get(kind, 0), rows) < LEVEL
        for kind, change in changes.items()
    ):
        return ""
    fewer, more = min(changes, key=lambda kind: changes[kind]), max(changes, key=lambda kind: changes[kind])
    example = f", such as '{examples[more]}'" if more != EMPTY else ""
    return (
        f"The column '{name}' changed its kind: {fewer} were {old[fewer]:.0%} of its cells and are "
        f"{new.get(fewer, 0.0):.0%}; {more} were {old.get(more, 0.0):.0%} and are {new[more]:.0%}{example}."
    )


def _chance(before: int, now: int, rows: tuple[int, int]) -> float:
    """Return the two-sided p-value of Fisher's exact test for two samples of one source.

    before, now: number of cells of the kind in each sample. rows: number of rows of each sample.
    """
    first, second = rows
    cells = before + now
    ways = [
        comb(first, in_first) * comb(second, cells - in_first)
        for in_first in range(max(0, cells - second), min(first, cells) + 1)
    ]
    observed = comb(first, before) * comb(second, now)
    return sum(number for number in ways if number <= observed) / comb(first + second, cells)


def _shares(kinds: Mapping[str, int]) -> dict[str, float]:
    total = sum(kinds.values())
    return {kind: cells / total for kind, cells in kinds.items()}
