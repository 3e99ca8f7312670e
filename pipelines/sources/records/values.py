"""Cells of a table -> values of an act, and the ways in which a text may write them.

An empty cell gives no value, and neither does an empty marker of the mapping or of `DEFAULT_MISSING`. A list gives a
value for each element. In a yes/no column ``none``, ``dont_care`` and ``?`` are special (`pipelines.linking.delex`); in
any other column a cell means no more than its words. A cell that does not fit its column's kind ("8-10 hours" as a
number, "maybe" as yes or no) is a value as written, and flagged by a finding.

A number is found in a text in any usual spelling (``1299``, ``1,299``, ``1 299``, ``24.9``, ``24,90``, ``17½``), with
its unit after it, before it or attached; a number without its unit means something else. The unit is what the cell
has next to its digits, else that of the mapping, which also names other ways to write it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any  # Any: cells of any type that a file has

from allsaid.language.characters import comparable
from allsaid.language.numbers import (
    FRACTIONS,
    POINT,
    WRITTEN,
    Amount,
    fraction_value,
    is_unclear,
    parts,
    read_amount,
    value_of,
)
from allsaid.language.stems import snowball
from allsaid.language.text import tokenize
from allsaid.language.word_table import WordTable, normalise
from pipelines.linking.acts import keywords, stems
from pipelines.linking.delex import Words, forms
from pipelines.source import RecordFault
from pipelines.sources.mappings import is_missing
from pipelines.sources.records.mapping import Column
from pipelines.sources.records.mapping_keys import FINDINGS, LIST, NUMBER, YES_NO
from pipelines.sources.records.tables.layout import cell_text
from schemas.act import SPECIAL, Slot, quoted, unquoted

MAX_DECIMALS = 9  # of a number that is looked for in other spellings, too
MAX_VALUE = 2000  # characters; more is no value but a text
# In English, German, French, Spanish, Italian and Dutch, as Excel writes them, too.
_YES = "yes y true t 1 x ✓ ✔ on enabled ja j wahr waar oui o vrai sí si s verdadero vero"
_NO = "no n false f 0 ✗ ✘ off disabled nein falsch nee onwaar non faux falso"
YES, NO = frozenset(_YES.split()), frozenset(_NO.split())
# Words of a yes/no column's name that name no thing by themselves: "free delivery" says nothing of `gluten_free`.
_PROPERTIES = """free safe proof resistant repellent tight friendly allowed permitted accepted welcome available
included accessible suitable compatible ready possible required needed necessary non no not low only"""
PROPERTIES = stems(_PROPERTIES)
UNCLEAR = "unclear"  # finding: "1.299" in a column whose decimal separator is unknown


@dataclass(frozen=True)
class Value:
    """A cell, or an element of a list, as an item of the agenda."""

    column: Column
    slot: Slot  # as written
    finding: str = ""  # one of `FINDINGS` if the column's kind can't hold the cell
    is_unclear: bool = False  # whether its number depends on an unknown decimal separator


def values_of(column: Column, value: Any, missing: Collection[str]) -> list[Value]:
    """Return the values of a cell; raises RecordFault."""
    if value is None or value == "":  # as most cells of a wide table are
        return []
    elements: Iterable[Any] = (value,)
    if column.kind == LIST and isinstance(value, list | tuple):
        elements = value
    elif column.kind == LIST:  # line breaks in a text may separate elements
        elements = column.elements(value.strip() if isinstance(value, str) else cell_text(value, column.name))
    texts = [cell_text(element, column.name) for element in elements]
    return [_value(column, text) for text in texts if not is_missing(text, missing)]


def _value(column: Column, text: str) -> Value:
    if len(text) > MAX_VALUE:
        raise RecordFault(
            "long_value",
            f"The cell of '{column.name}' has {len(text):,} characters, too many for a value. Ignore the column.",
        )
    written: str | None = text
    unclear = False
    if column.kind == YES_NO:
        written = _yes_or_no(comparable(text).lower())
    elif column.kind == NUMBER:
        amount = read_amount(text, column.units, column.decimal)
        written = _with_unit(column, text, amount)
        unclear = not column.decimal and amount is not None and is_unclear(amount.written)
    if written is None:
        return Value(column, Slot(column.name, text), FINDINGS[column.kind])
    return Value(column, Slot(column.name, written), is_unclear=unclear)


def _yes_or_no(text: str) -> str | None:
    if text in YES or text in NO:
        return "yes" if text in YES else "no"
    return text if text in SPECIAL else None


def _with_unit(column: Column, text: str, amount: Amount | None) -> str | None:
    """Return a number's cell with its unit: "24.90 EUR"; None if it is not one number."""
    if amount is None:
        return None
    return text if amount.unit or not column.unit else f"{text} {column.unit}"


def normalised(column: Column, value: str, words: WordTable) -> str:
    """Return a value as the normalised text writes it; special only in a yes/no column (`schemas.act`)."""
    found = " ".join(normalise(value, words)[0])
    return found if column.kind == YES_NO else quoted(found)


def forms_of(column: Column, value: str, language: str = "") -> tuple[Words, ...]:
    """Return the ways to write a normalised value of a column, itself first and other words last; none if special."""
    own = _number_forms(column, value, language) if column.kind == NUMBER else forms(value)
    return tuple(dict.fromkeys((*own, *phrases_of(column, value)))) if column.said and own else own


def phrases_of(column: Column, value: str) -> tuple[Words, ...]:
    """Return the other words that the mapping has for a normalised value."""
    amount = amount_of(column, value)
    if amount is None:
        return dict(column.said).get(unquoted(value), ())
    number = amount[0].number
    amounts = ((read_amount(phrase, column.units, column.decimal), phrases) for phrase, phrases in column.said)
    return next((phrases for other, phrases in amounts if other and other.number == number), ())


def amount_of(column: Column, value: str) -> tuple[Amount, list[str]] | None:
    """Return the number of a normalised value, and the ways to write its unit; None if it is not a number."""
    amount = read_amount(value, column.units, column.decimal) if column.kind == NUMBER else None
    if amount is None:
        return None
    units = column.units
    is_own = amount.unit.replace(" ", "") in (unit.replace(" ", "") for unit in units)  # "° c", as words, is "°c"
    return amount, list(dict.fromkeys((amount.unit, *units)) if is_own else filter(None, (amount.unit,)))


@lru_cache(maxsize=1 << 12)
def _number_forms(column: Column, value: str, language: str) -> tuple[Words, ...]:
    found = amount_of(column, value)
    if found is None:
        return forms(value)
    amount, units = found
    texts = spellings(amount, column.decimal, column.text_decimal)
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


def spellings(amount: Amount, decimal: str = "", text_decimal: str = "") -> list[str]:
    """Return ways to write a number: with and without trailing zeros, by any marks before thousands and decimals.

    ``decimal``: the decimal separator where it was read. ``text_decimal``: that of texts, which excludes spellings
    that would mean another number there.
    """
    is_plain = WRITTEN.fullmatch(amount.written) is not None
    written = (amount.written, decimal) if is_plain else (f"{amount.number:f}", POINT)
    whole, decimals, sign = parts(*written)
    short = decimals.rstrip("0")
    endings = dict.fromkeys((decimals, short, short.ljust(1, "0"), short.ljust(2, "0")))
    found: list[str] = []
    for ending in endings if len(decimals) <= MAX_DECIMALS else ():
        found += [f"{sign}{_grouped(whole, by)}.{ending}".rstrip(".") for by in ("", ",", " ", "'")]
        found += [f"{sign}{_grouped(whole, by)},{ending}".rstrip(",") for by in ("", ".", " ", "'")]
    for mark, fraction in FRACTIONS.items():
        if round(abs(amount.number) % 1, MAX_DECIMALS) == round(fraction_value(fraction), MAX_DECIMALS):
            front = whole if int(whole) else ""
            found += [f"{sign}{front}{mark}", *(f"{sign}{front}{by}{fraction}" for by in (" -" if front else [""]))]
    if text_decimal:
        found = [read for read in found if not is_unclear(read) or value_of(read, text_decimal) == amount.number]
    return list(dict.fromkeys((amount.written, *found)))


def _grouped(whole: str, by: str) -> str:
    return whole if len(whole) <= 3 else re.sub(r"(?<=\d)(?=(?:\d{3})+$)", by, whole)


def spoken_of(column: Column) -> frozenset[str]:
    """Return the stems of the words that mention a column, in phrases or alone."""
    return without_refused(column, _spoken(column.name, column.also if column.kind == YES_NO else ()))


def without_refused(column: Column, stems: frozenset[str]) -> frozenset[str]:
    """Return the stems that no refused word of a column has, in any of its forms: "included" refuses "includes"."""
    refused = column.refused
    return frozenset(stem for stem in stems if refused.isdisjoint((stem, snowball(stem)))) if refused else stems


@lru_cache(maxsize=1 << 12)
def _spoken(name: str, also: tuple[str, ...]) -> frozenset[str]:
    named = keywords(name)
    return stems(" ".join(also)) or named - PROPERTIES or named
