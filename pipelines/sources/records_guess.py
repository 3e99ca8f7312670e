"""A first mapping for a user's table, guessed from its first rows; the user reads and mends it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from statistics import mean
from typing import Any

import yaml

from console import UserError
from pipelines import files
from pipelines.source import RecordFault
from pipelines.sources.records_cells import cell_text
from pipelines.sources.records_mapping import IGNORED, LIST, NUMBER, VALUE, YES_NO
from pipelines.sources.records_rows import Row, TableFault, look, read_table

ROWS = 1000  # that the guess looks at
TEXT_WORDS = 6  # a text has more words than that on average
SEPARATORS = ("|", ";", ",")
NEARLY_ALL = 0.9
_YES_NO = frozenset(("yes", "no", "true", "false", "y", "n"))
_NUMBER = re.compile(r"[-+]?\d[\d.,' ]*")
_UNIT = re.compile(r"[^\W\d_]{1,12}|[€$£¥%°]\w?")
_ID_NAMES = re.compile(r"(?:^|[_ -])(?:id|sku|key|code|number|nr|no)$|^isbn|^ean", re.IGNORECASE)
_GOAL_NAMES = re.compile(r"category|type|kind|class|genre|goal|group|act", re.IGNORECASE)


@dataclass(frozen=True)
class Seen:
    """A column's cells that hold something."""

    name: str
    cells: list[str]
    is_list: bool  # of JSON or Parquet

    @property
    def words(self) -> float:
        return mean(len(cell.split()) for cell in self.cells) if self.cells else 0.0

    @property
    def distinct(self) -> int:
        return len(set(self.cells))

    def share(self, hits: Iterable[bool]) -> float:
        return sum(hits) / len(self.cells) if self.cells else 0.0


def guess(path: str) -> dict[str, Any]:
    """A mapping as plain data (`records_mapping`); raises UserError where the file is no table."""
    try:
        layout = look(path)
    except TableFault as fault:
        raise UserError(str(fault)) from fault
    rows = [row for row in islice(read_table(path, layout), ROWS) if isinstance(row, Row) and row.cells is not None]
    names = dict.fromkeys((*layout.header, *(name for row in rows for name in row.cells or ())))
    columns = [_seen(name, [(row.cells or {}).get(name) for row in rows]) for name in names]
    text = max((column for column in columns if column.words > TEXT_WORDS), key=lambda one: one.words, default=None)
    identity = _identity([column for column in columns if column is not text], len(rows))
    rest = [column for column in columns if column is not text and column is not identity]
    goal = _goal(rest)
    named = {"id": identity, "goal": goal, "text": text}
    return {
        **{key: column.name for key, column in named.items() if column is not None},
        "columns": {column.name: _kind(column) for column in rest if column is not goal},
    }


def write_guess(path: str) -> str:
    """The guessed mapping as YAML, with what the user must add."""
    mapping = guess(path)
    missing = [f"{key}:   # which column is the {key}?\n" for key in ("goal", "text") if key not in mapping]
    kinds = ", ".join((VALUE, LIST, YES_NO, NUMBER, IGNORED))
    head = f"# Guessed from {path}: read it before you use it. Kinds of columns: {kinds}.\n"
    return head + "".join(missing) + yaml.safe_dump(mapping, sort_keys=False, allow_unicode=True)


def save_guess(path: str, target: str) -> None:
    """Write the guess to a new file; raises UserError where there is one, or it can't be written."""
    text = write_guess(path)
    try:
        is_there = files.exists(target)
        if not is_there:
            files.write_text(target, text)
    except (OSError, ValueError) as fault:
        raise UserError(f"--guess {target} can't be written: {fault}") from fault
    if is_there:
        raise UserError(f"--guess {target} is there already and may hold a mended mapping. Give a new path.")


def _seen(name: str, values: Sequence[Any]) -> Seen:
    is_list = any(isinstance(value, list | tuple) for value in values)
    cells = []
    for value in values:
        try:
            cells.append(cell_text(" ".join(map(str, value)) if isinstance(value, list | tuple) else value, name))
        except RecordFault:  # an object in JSON: such a column has no kind
            cells.append("")
    return Seen(name, [cell for cell in cells if cell], is_list)


def _identity(columns: Sequence[Seen], rows: int) -> Seen | None:
    """A column of one-word cells none of which stands twice; one named so before others, and these from the left."""
    fitting = [one for one in columns if len(one.cells) == one.distinct == rows and one.words == 1 and not one.is_list]
    named = [one for one in fitting if _ID_NAMES.search(one.name)]
    return next(iter(named or [one for one in fitting if _kind(one) == VALUE]), None)


def _goal(columns: Sequence[Seen]) -> Seen | None:
    """A column of few different values; one named as a class of things before others."""
    fitting = [one for one in columns if _kind(one) == VALUE and 1 <= one.distinct <= max(20, len(one.cells) // 10)]
    named = [one for one in fitting if _GOAL_NAMES.search(one.name)]
    return next(iter(named or fitting), None)


def _kind(column: Seen) -> Any:
    """What stands behind the column's name in the mapping."""
    if not column.cells or (column.words > TEXT_WORDS and not column.is_list):
        return IGNORED
    if column.is_list:
        return LIST
    if all(cell.lower() in _YES_NO for cell in column.cells):
        return YES_NO
    if column.share(_NUMBER.search(cell) is not None for cell in column.cells) >= NEARLY_ALL:
        units = {_NUMBER.sub("", cell, count=1).strip() for cell in column.cells}
        if units == {""}:
            unit = _unit_in(column.name)
            return {"kind": NUMBER, "unit": unit} if unit else NUMBER
        if all(_UNIT.fullmatch(unit) for unit in units - {""}) and len(units) <= max(1, len(column.cells) // 5):
            return NUMBER
    for separator in SEPARATORS:
        if column.share(separator in cell for cell in column.cells) >= 0.2:
            return {"kind": LIST, "separator": separator}
    return VALUE


def _unit_in(name: str) -> str:
    """The unit that a column's name ends in: ``weight_kg``, ``price (EUR)``; "" for none."""
    found = re.search(
        r"[_ ](kg|g|mg|lb|oz|km|m|cm|mm|l|ml|inch|w|kw|v|eur|usd|gbp)$|[(\[](\S{1,8})[)\]]$", name, re.IGNORECASE
    )
    return (found[1] or found[2]) if found else ""
