"""Which mark is before decimals, a point or a comma, in the cells of each column of numbers and in the texts.

"1.299" is 1299 in one table and 1.299 in another. A column's cells vote by their shape ("24,90", "1.299,00"), and an
unclear cell votes by its row's text, if that has the number in a clear spelling ("1299 €", "1.299,00 €"). A column
without votes is read as the other columns of the table are, else as is usual in the mapping's ``language``. Texts vote
by the shape of their numbers; without votes they follow their language, else the table.
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
from pipelines.sources.records.tables.layout import Cells, Typed

Decimals = tuple[tuple[str, str], ...]  # pairs of a column, or TEXTS, and its mark
TEXTS = ""
_ALONE = re.compile(r"\d+[.,]\d+")  # a whole cell, as most
_TYPED = (Typed, float, Decimal)


class Votes:
    """Counts how cells and texts write numbers, for the columns whose mark the mapping does not name."""

    def __init__(self, mapping: TableMapping) -> None:
        self._mapping = mapping
        self._units = {one.name: one.units for one in mapping.columns if one.kind == NUMBER and not one.decimal}
        self._votes: dict[str, Counter[str]] = {name: Counter() for name in (*self._units, TEXTS)}

    @property
    def columns(self) -> list[str]:
        return [*self._units]

    def count(self, cells: Cells) -> None:
        """Count the numbers of a row, with its cells under the present names of their columns."""
        text: list[str] | None = None
        for name, units in self._units.items():
            value = cells.get(name)
            if isinstance(value, _TYPED):
                self._votes[name][POINT] += 1
            elif isinstance(value, str) and (POINT in value or COMMA in value):
                written = _written(value, units)
                if mark := decimal_mark(written):
                    self._votes[name][mark] += 1
                elif written and is_unclear(written):
                    text = self._text(cells) if text is None else text
                    clear = {value_of(one) for one in text if not is_unclear(one)}
                    self._votes[name].update(mark for mark in MARKS if value_of(written, mark) in clear)

    def _text(self, cells: Cells) -> list[str]:
        """Return the numbers of a row's text, and count them as well."""
        text = cells.get(self._mapping.text)
        numbers = written_numbers(text) if isinstance(text, str) else []
        self._votes[TEXTS].update(filter(None, map(decimal_mark, numbers)))
        return numbers

    def decide(self) -> Decimals:
        """Return the mark of each column, and of the texts if the mapping does not name it; none where unknown."""
        if not self.columns:
            return ()
        table = sum((self._votes[name] for name in self.columns), Counter[str]())
        usual = COMMA if self._mapping.language in COMMA_LANGUAGES else POINT if self._mapping.language else ""
        common = _majority(table)
        marks = {name: _majority(self._votes[name]) or common or usual for name in self.columns}
        if not self._mapping.decimal:
            marks[TEXTS] = _majority(self._votes[TEXTS]) or usual or common
        return tuple((name, mark) for name, mark in marks.items() if mark)


def _written(cell: str, units: Collection[str]) -> str:
    """Return the number in a cell as it is written, "" if there is none or several."""
    if _ALONE.fullmatch(cell):
        return cell
    amount = read_amount(cell, units)
    return amount.written if amount else ""


def _majority(votes: Mapping[str, int]) -> str:
    points, commas = votes.get(POINT, 0), votes.get(COMMA, 0)
    return "" if points == commas else POINT if points > commas else COMMA


def with_decimals(mapping: TableMapping, decimals: Decimals) -> TableMapping:
    """Return a mapping with the marks that were found."""
    found = dict(decimals)
    texts = mapping.decimal or found.get(TEXTS, "")
    columns = (
        replace(one, decimal=one.decimal or found.get(one.name, ""), text_decimal=texts) for one in mapping.columns
    )
    return replace(mapping, columns=tuple(columns), decimal=texts)


def written_with(text: str, decimals: Decimals, path: str) -> str:
    """Return the YAML of a mapping with the marks that were found; ``path`` names it in errors."""
    if not decimals:
        return text
    found: dict[str, Any] = parse_yaml(text, path)
    marks = dict(decimals)
    if TEXTS in marks:
        found["decimal"] = marks[TEXTS]
    for name, column in found["columns"].items():
        if str(name) in marks:
            kind = column if isinstance(column, dict) else {"kind": column}
            found["columns"][name] = {**kind, "decimal": marks[str(name)]}
    return yaml.safe_dump(found, sort_keys=False, allow_unicode=True)
