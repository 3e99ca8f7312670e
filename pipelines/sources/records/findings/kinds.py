"""The kind of a single cell, and the unit in a column's name, for guesses, the drift between runs, and proofs."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any  # Any: cells of any type that a file has

from allsaid.language.characters import comparable
from allsaid.language.numbers import Amount, read_amount
from allsaid.language.units import LONGEST, UNITS
from pipelines.source import RecordFault
from pipelines.sources.mappings import is_missing
from pipelines.sources.records.tables.layout import cell_text
from pipelines.sources.records.values import NO, YES

EMPTY, NUMBER, CODE_OF_DIGITS, YES_NO, LIST, WORDS, TEXT = (
    "empty", "numbers", "codes of digits", "yes/no", "lists", "words", "whole texts",
)  # fmt: skip
TEXT_WORDS = 6  # the cells of a column of texts have more words on average
CODE = re.compile(r"0\d+|\d{9,}")  # digits that are no number: a postcode, an EAN
_CURRENCY = re.compile(
    r"(?:EUR|USD|GBP|CHF|JPY|CAD|AUD|SEK|NOK|DKK|PLN|CZK|INR|Rs\.?|kr\.?|[A-Z]{0,2}[^\w\s])\s*\d", re.I
)
_PARTED = re.compile(r"[;|]")
_IN_BRACKETS = re.compile(r"[(\[](?:in )?([^()\[\],;]{1,12})")
_BETWEEN_WORDS = re.compile(r"[\s_,/.:-]+")
_IN, _PER = ("in", "en"), ("per", "pro", "je", "par", "por")
_TIMES = frozenset(("time", "months", "days"))  # their units are in names of columns that count something else
SYMBOL = 4  # most letters of a unit at the end of a name; longer ones may be other words: "metro"


def amount_in(cell: str) -> Amount | None:
    """Return a cell's number; None if another word than a qualifier or a currency is before it."""
    amount = read_amount(cell)
    if amount is None or not amount.unit or not cell.lower().startswith(amount.unit.split()[0]):
        return amount
    return amount if _CURRENCY.match(cell) else None


def kind_of(value: Any, name: str, missing: Collection[str]) -> tuple[str, str]:
    """Return the kind of a cell of column ``name``, and its text; ``missing``: the marks of an empty cell."""
    is_many = isinstance(value, list | tuple)
    try:
        cell = comparable(cell_text(" | ".join(map(str, value)) if is_many else value, name))
    except RecordFault:  # an object in JSON
        return WORDS, str(value)
    if is_missing(cell, missing):
        return EMPTY, ""
    return LIST if is_many else _kind_of_text(cell), cell


def _kind_of_text(cell: str) -> str:
    if CODE.fullmatch(cell):
        return CODE_OF_DIGITS
    if amount_in(cell) is not None:
        return NUMBER
    if cell.lower() in YES | NO:
        return YES_NO
    parts = _PARTED.split(cell)
    if max(len(part.split()) for part in parts) > TEXT_WORDS:
        return TEXT
    return LIST if len(parts) > 1 else WORDS


def unit_in_name(name: str, written: Collection[str] = ()) -> str:
    """Return the unit in a column's name: "Weight (kg)", "Preis in €", "height_cm"; "" if there is none.

    A word in brackets is one if it is a known unit, or if texts write it next to the numbers; ``written``: those words.
    """
    for word in map(str.strip, _IN_BRACKETS.findall(name)):
        if is_unit(word) or word.lower() in written:
            return str(word)
    words = _BETWEEN_WORDS.split(name)
    for start in range(max(len(words) - LONGEST, 1), len(words)):
        unit = " ".join(words[start:])
        if words[start - 1].lower() not in _PER and is_unit(unit):
            is_time = any(one.dimension in _TIMES for one in UNITS[tuple(unit.lower().split())])
            is_sure = words[start - 1].lower() in _IN or (len(words[-1]) <= SYMBOL and not is_time)
            return unit if is_sure else ""
    return ""


def is_unit(words: str) -> bool:
    return tuple(words.lower().split()) in UNITS
