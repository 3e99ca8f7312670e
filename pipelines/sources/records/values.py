"""Cells of a table -> values of an act, with the ways in which a text may write them.

An empty cell gives no value, and neither does one that holds an empty marker, of the mapping or `DEFAULT_MISSING`. A
list gives a value for each of its elements. In a yes/no column ``none``, ``dont_care`` and ``?`` are special
(`pipelines.linking.delex`); in any other, a cell means no more than its words, whatever they are.

A cell that its column's kind can't hold ("8-10 hours" under number, "maybe" under yes/no) is a value as it stands, and
flagged: a finding goes with it.

A number is found in the text in any usual spelling (``1299``, ``1,299``, ``1 299``, ``24.9``, ``24,90``, ``17½``), with
its unit behind it, before it or glued to it; where there is a unit, a number without one means something else. The unit
is what the cell has beside its digits, else that of the mapping, which also names other ways to write it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from allsaid.language.numbers import FRACTIONS, WRITTEN, Amount, parts, read_amount, share_of
from allsaid.language.text import tokenize
from allsaid.language.word_table import WordTable, normalise
from pipelines.linking.acts import keywords, stems
from pipelines.linking.delex import Words, forms
from pipelines.source import RecordFault
from pipelines.sources.records.mapping import LIST, NUMBER, YES_NO, Column
from pipelines.sources.records.tables.layout import cell_text
from schemas.act import SPECIAL, Slot, plain

MAX_DECIMALS = 9  # of a number that is looked for in other spellings, too
MAX_VALUE = 2000  # characters; more is no value but a text
# In English, German, French, Spanish, Italian and Dutch, as Excel writes them, too.
_YES = "yes y true t 1 x ✓ ja j wahr waar oui o vrai sí si s verdadero vero"
_NO = "no n false f 0 nein falsch nee onwaar non faux falso"
YES, NO = frozenset(_YES.split()), frozenset(_NO.split())
NOT_A_NUMBER, NOT_YES_OR_NO = "not_a_number", "not_yes_or_no"  # findings
# What a column's kind can't hold.
FINDINGS: Mapping[str, str] = {NUMBER: NOT_A_NUMBER, YES_NO: NOT_YES_OR_NO}


@dataclass(frozen=True)
class Value:
    """What a cell, or an element of a list, gives to say."""

    column: Column
    slot: Slot  # as written
    finding: str = ""  # one of `FINDINGS` where the column's kind can't hold the cell


def values_of(column: Column, value: Any, missing: Collection[str]) -> list[Value]:
    """The values that a cell gives; raises RecordFault."""
    elements: Iterable[Any] = (value,)
    if column.kind == LIST:
        elements = value if isinstance(value, list | tuple) else cell_text(value, column.name).split(column.separator)
    texts = [cell_text(element, column.name) for element in elements]
    return [_value(column, text) for text in texts if text and text.lower() not in missing]


def _value(column: Column, text: str) -> Value:
    if len(text) > MAX_VALUE:
        raise RecordFault(
            "long_value", f"The cell of '{column.name}' has {len(text):,} characters: too many for a value."
        )
    written: str | None = text
    if column.kind == YES_NO:
        written = _yes_or_no(text.lower())
    elif column.kind == NUMBER:
        written = _with_unit(column, text)
    if written is None:
        return Value(column, Slot(column.name, text), FINDINGS[column.kind])
    return Value(column, Slot(column.name, written))


def _yes_or_no(text: str) -> str | None:
    if text in YES or text in NO:
        return "yes" if text in YES else "no"
    return text if text in SPECIAL else None


def _with_unit(column: Column, text: str) -> str | None:
    """A number's cell with its unit: "24.90 EUR"; None where there is no number, or more than one."""
    amount = read_amount(text, _units(column))
    if amount is None:
        return None
    return text if amount.unit or not column.unit else f"{text} {column.unit}"


def _units(column: Column) -> tuple[str, ...]:
    return tuple(one.lower() for one in (column.unit, *column.also) if one)


def normalised(column: Column, value: str, words: WordTable) -> str:
    """A value as the normalised text writes it; special in a yes/no column only (`schemas.act`)."""
    found = " ".join(normalise(value, words)[0])
    return found if column.kind == YES_NO else plain(found)


def forms_of(column: Column, value: str, language: str = "") -> tuple[Words, ...]:
    """Ways to write a normalised value of a column, itself first; none for a special value."""
    if column.kind == NUMBER:
        return _number_forms(column, value, language)
    return forms(value)


def amount_of(column: Column, value: str) -> tuple[Amount, list[str]] | None:
    """The number that a normalised value is, and the ways to write its unit; None where it is none."""
    amount = read_amount(value, _units(column)) if column.kind == NUMBER else None
    if amount is None:
        return None
    units = _units(column)
    return amount, list(dict.fromkeys((amount.unit, *units)) if amount.unit in units else filter(None, (amount.unit,)))


@lru_cache(maxsize=1 << 12)
def _number_forms(column: Column, value: str, language: str) -> tuple[Words, ...]:
    found = amount_of(column, value)
    if found is None:
        return forms(value)
    amount, units = found
    texts = spellings(amount)
    if units:
        texts = [text for number in texts for unit in units for text in _joined(number, unit)]
    return tuple(dict.fromkeys((*forms(value)[:1], *(tuple(tokenize(text, language)) for text in texts))))


def _joined(number: str, unit: str) -> Iterator[str]:
    yield f"{number} {unit}"
    yield f"{number}{unit}"
    yield f"{number}-{unit}"
    yield f"{unit} {number}"
    if not unit[-1].isalnum():
        yield f"{unit}{number}"


def spellings(amount: Amount) -> list[str]:
    """Ways to write a number: decimals with and without trailing zeros, point or comma; thousands joined or parted."""
    is_plain = WRITTEN.fullmatch(amount.written) is not None
    whole, decimals, sign = parts(amount.written if is_plain else f"{amount.number:f}")
    short = decimals.rstrip("0")
    endings = dict.fromkeys((decimals, short, short.ljust(1, "0"), short.ljust(2, "0")))
    found = [amount.written]
    for ending in endings if len(decimals) <= MAX_DECIMALS else ():
        found += [f"{sign}{_grouped(whole, by)}.{ending}".rstrip(".") for by in ("", ",", " ", "'")]
        found += [f"{sign}{_grouped(whole, by)},{ending}".rstrip(",") for by in ("", ".", " ", "'")]
    for mark, fraction in FRACTIONS.items():
        if round(abs(amount.number) % 1, MAX_DECIMALS) == round(share_of(fraction), MAX_DECIMALS):
            front = whole if int(whole) else ""
            found += [f"{sign}{front}{mark}", *(f"{sign}{front}{by}{fraction}" for by in (" -" if front else [""]))]
    return list(dict.fromkeys(found))


def _grouped(whole: str, by: str) -> str:
    return re.sub(r"(?<=\d)(?=(?:\d{3})+$)", by, whole)


def spoken_of(column: Column) -> frozenset[str]:
    """Stems of the words that speak of a column."""
    return _spoken(column.name, column.also if column.kind == YES_NO else ())


@lru_cache(maxsize=1 << 12)
def _spoken(name: str, also: tuple[str, ...]) -> frozenset[str]:
    return stems(" ".join(also)) or keywords(name)
