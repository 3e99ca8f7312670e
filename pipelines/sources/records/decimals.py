"""Detection of the decimal separator, a point or a comma, of each column of numbers and of the texts.

"1.299" is 1299 in one table and 1.299 in another. A column's cells vote by their shape ("24,90", "1.299,00"), and an
unclear cell votes by its row's text, if that has the number in a clear spelling ("1299 €", "1.299,00 €"). A column
without votes follows the other columns of the table, else the mapping's ``language``. Texts vote by the shape of their
numbers; without votes they follow their language, else the table.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import replace
from decimal import Decimal
from typing import Any  # Any: values of YAML

import yaml

from allsaid.language.numbers import (
    COMMA,
    COMMA_LANGUAGES,
    MARKS,
    POINT,
    decimal_mark,
    is_unclear,
    read_amount,
    value_of,
    written_numbers,
)
from pipelines.sources.mappings import parse_yaml
from pipelines.sources.records.mapping import TableMapping
from pipelines.sources.records.mapping_keys import NUMBER
from pipelines.sources.records.tables.layout import Cells, NativeNumber

Decimals = tuple[tuple[str, str], ...]  # pairs of a column, or TEXTS, and its decimal separator
TEXTS = ""
_ALONE = re.compile(r"\d+[.,]\d+")  # a cell that is only a number, as most are
_TYPED = (NativeNumber, float, Decimal)


class Votes:
    """Counts how cells and texts write numbers, for the columns whose decimal separator the mapping does not name."""

    def __init__(self, mapping: TableMapping) -> None:
        self._mapping = mapping
        self._units = {
            column.name: column.units for column in mapping.columns if column.kind == NUMBER and not column.decimal
        }
        self._votes: dict[str, Counter[str]] = {name: Counter() for name in (*self._units, TEXTS)}

    @property
    def columns(self) -> list[str]:
        return [*self._units]

    def count(self, cells: Cells) -> None:
        """Count the numbers of a row; ``cells`` are keyed by current column names."""
        numbers: list[str] | None = None
        for name, units in self._units.items():
            value = cells.get(name)
            if isinstance(value, _TYPED):
                self._votes[name][POINT] += 1
            elif isinstance(value, str) and (POINT in value or COMMA in value):
                written = _number_in(value, units)
                if mark := decimal_mark(written):
                    self._votes[name][mark] += 1
                elif written and is_unclear(written):
                    numbers = self._count_text_numbers(cells) if numbers is None else numbers
                    clear = {value_of(number) for number in numbers if not is_unclear(number)}
                    self._votes[name].update(mark for mark in MARKS if value_of(written, mark) in clear)

    def _count_text_numbers(self, cells: Cells) -> list[str]:
        """Count the numbers of a row's text, and return them."""
        text = cells.get(self._mapping.text)
        numbers = written_numbers(text) if isinstance(text, str) else []
        self._votes[TEXTS].update(filter(None, map(decimal_mark, numbers)))
        return numbers

    def decide(self) -> Decimals:
        """Return the decimal separator of each column, and of the texts if the mapping lacks it; omit unknown ones."""
        if not self.columns:
            return ()
        table = sum((self._votes[name] for name in self.columns), Counter[str]())
        usual = COMMA if self._mapping.language in COMMA_LANGUAGES else POINT if self._mapping.language else ""
        common = _majority(table)
        marks = {name: _majority(self._votes[name]) or common or usual for name in self.columns}
        if not self._mapping.decimal:
            marks[TEXTS] = _majority(self._votes[TEXTS]) or usual or common
        return tuple((name, mark) for name, mark in marks.items() if mark)


def _number_in(cell: str, units: Collection[str]) -> str:
    """Return the number in a cell as it is written; "" if the cell has no number, or several."""
    if _ALONE.fullmatch(cell):
        return cell
    amount = read_amount(cell, units)
    return amount.written if amount else ""


def _majority(votes: Mapping[str, int]) -> str:
    points, commas = votes.get(POINT, 0), votes.get(COMMA, 0)
    return "" if points == commas else POINT if points > commas else COMMA


def with_decimals(mapping: TableMapping, decimals: Decimals) -> TableMapping:
    """Return a mapping with the detected decimal separators."""
    marks = dict(decimals)
    texts = mapping.decimal or marks.get(TEXTS, "")
    columns = (
        replace(column, decimal=column.decimal or marks.get(column.name, ""), text_decimal=texts)
        for column in mapping.columns
    )
    return replace(mapping, columns=tuple(columns), decimal=texts)


def written_with(text: str, decimals: Decimals, path: str) -> str:
    """Return the YAML of a mapping with the detected decimal separators; ``path`` names it in errors."""
    if not decimals:
        return text
    data: dict[str, Any] = parse_yaml(text, path)
    marks = dict(decimals)
    if TEXTS in marks:
        data["decimal"] = marks[TEXTS]
    for name, column in data["columns"].items():
        if str(name) in marks:
            kind = column if isinstance(column, dict) else {"kind": column}
            data["columns"][name] = {**kind, "decimal": marks[str(name)]}
    return yaml.safe_dump(data, sort_keys=False, allow_unicode=True)
