"""Cells of a table -> slots of an act, with the ways in which a text may write their values.

An empty cell gives no slot. In a cell of any kind ``yes``, ``no``, ``none``, ``dont_care`` and ``?`` are special values
(`pipelines.delex`). A list gives a slot for each of its elements.

A number is found in the text in any usual spelling (``1299``, ``1,299``, ``24.9``, ``24.90``, ``24,90``), with its
unit behind it, before it or glued to it; where there is a unit, a number without one means something else. The unit is
what the cell has beside its digits, else that of the mapping, which also names other ways to write it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache
from typing import Any

from pipelines.acts import keywords, stems
from pipelines.delex import Words, forms
from pipelines.source import RecordFault
from pipelines.sources.records_cells import cell_text
from pipelines.sources.records_mapping import LIST, NUMBER, YES_NO, Column
from pipelines.text import tokenize
from schemas.act import SPECIAL, Slot
from schemas.numbers import WRITTEN, parts

MAX_VALUE = 2000  # characters; more is no value but a text
YES = frozenset(("yes", "y", "true", "t", "1", "x", "✓"))
NO = frozenset(("no", "n", "false", "f", "0"))


def slots_of(column: Column, value: Any, missing: Collection[str]) -> list[Slot]:
    """The slots that a cell gives, values as written; raises RecordFault."""
    elements: Iterable[Any] = (value,)
    if column.kind == LIST:
        elements = value if isinstance(value, list | tuple) else cell_text(value, column.name).split(column.separator)
    texts = [cell_text(element, column.name) for element in elements]
    texts = [text for text in texts if text and text.lower() not in missing]
    return [Slot(column.name, _written(column, text)) for text in texts]


def _written(column: Column, text: str) -> str:
    lower = text.lower()
    if len(text) > MAX_VALUE:
        raise RecordFault(
            "long_value", f"The cell of '{column.name}' has {len(text):,} characters: too many for a value."
        )
    if column.kind == YES_NO:
        if lower in YES or lower in NO:
            return "yes" if lower in YES else "no"
        if lower not in SPECIAL:
            raise RecordFault("not_yes_or_no", f"The cell of '{column.name}' is '{text[:80]}', not yes or no.")
    if column.kind == NUMBER and lower not in SPECIAL:
        return with_unit(column, text)
    return text


def with_unit(column: Column, text: str) -> str:
    """A number's cell with its unit: "24.90 EUR". Raises RecordFault where there is no number, or more than one."""
    found = WRITTEN.findall(text)
    if len(found) != 1:
        raise RecordFault("not_a_number", f"The cell of '{column.name}' is '{text[:80]}', not one number.")
    return text if text != found[0] or not column.unit else f"{text} {column.unit}"


def forms_of(column: Column, value: str) -> tuple[Words, ...]:
    """Ways to write a normalised value of a column, itself first; none for a special value."""
    if column.kind == NUMBER and value not in SPECIAL:
        return _number_forms(value, tuple(one.lower() for one in (column.unit, *column.also) if one))
    return forms(value)


@lru_cache(maxsize=1 << 14)
def _number_forms(value: str, units: tuple[str, ...]) -> tuple[Words, ...]:
    found = WRITTEN.search(value)
    if found is None:
        return forms(value)
    written = found[0]
    own = " ".join((value[: found.start()] + " " + value[found.end() :]).split())
    names = dict.fromkeys((own, *units)) if own in units else dict.fromkeys((own,) if own else ())
    texts = spellings(written)
    if names:
        texts = [text for number in texts for name in names for text in _joined(number, name)]
    return tuple(dict.fromkeys((tuple(value.split()), *(tuple(tokenize(text)) for text in texts))))


def _joined(number: str, unit: str) -> Iterator[str]:
    yield f"{number} {unit}"
    yield f"{number}{unit}"
    yield f"{number}-{unit}"
    yield f"{unit} {number}"
    if not unit[-1].isalnum():
        yield f"{unit}{number}"


def spellings(number: str) -> list[str]:
    """Ways to write a number: decimals with and without trailing zeros, point or comma; thousands joined or parted."""
    whole, decimals, sign = parts(number)
    grouped = re.sub(r"(?<=\d)(?=(?:\d{3})+$)", ",", whole)
    short = decimals.rstrip("0")
    ends = [f".{ending}" if ending else "" for ending in (decimals, short, short.ljust(2, "0"))]
    found = [f"{sign}{front}{end}" for front in (whole, grouped) for end in ends]
    found += [f"{sign}{whole}{end.replace('.', ',')}" for end in ends if end]
    return list(dict.fromkeys((number, *found)))


def spoken_of(column: Column) -> frozenset[str]:
    """Stems of the words that speak of a column."""
    return _spoken(column.name, column.also if column.kind == YES_NO else ())


@lru_cache(maxsize=1 << 12)
def _spoken(name: str, also: tuple[str, ...]) -> frozenset[str]:
    return stems(" ".join(also)) or keywords(name)
