"""The kind of a single cell, for the guess of a mapping and the drift between runs."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any  # Any: cells of any type that a file has

from allsaid.language.characters import comparable
from allsaid.language.numbers import Amount, read_amount
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
