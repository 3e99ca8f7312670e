"""The roles of a user's columns: text, id and goal; and which columns hold numbers or answers."""

from __future__ import annotations

import re
from collections.abc import Sequence

from allsaid.language.dates import read_date
from pipelines.sources.records.findings.kinds import CODE, TEXT_WORDS, amount_in
from pipelines.sources.records.findings.sample import Seen
from pipelines.sources.records.values import NO, YES

FEW = 20  # cells; fewer show too little
SHORT_WORDS = 3  # of short texts, if no column has longer ones
SELDOM = 0.1  # share of a column's cells
_URL = re.compile(r"\w+://|www\.")
_ID_NAMES = re.compile(
    r"(?:^|[_ .-]|(?<=[a-z])(?=[A-Z]))(?:id|sku|key|code|number|num|nr|no|ref)\.?$|^(?:isbn|ean|gtin|asin)"
    r"|(?:nr|nummer)\.?$|^r[eé]f",
    re.IGNORECASE,
)
_GOAL_NAMES = re.compile(
    r"categor|kategorie|cat[eé]gor|type|typ$|tipo|kind|class|genre|goal|gruppe|group|\bact\b|art$|sorte?$",
    re.IGNORECASE,
)


def text_of(columns: Sequence[Seen]) -> Seen | None:
    """Choose the column with long cells that mention most cells of other columns; among equals, the longest.

    If no column has long cells, choose the longest column whose cells are short, but nearly all different.
    """
    candidates = [column for column in columns if not column.is_optional and not is_url(column)]
    long = [column for column in candidates if column.words > TEXT_WORDS]
    if not long:
        short = [
            column
            for column in candidates
            if column.words >= SHORT_WORDS and not column.is_list and column.distinct >= FEW
        ]
        varied = [column for column in short if column.distinct >= (1 - SELDOM) * len(column.cells)]
        return max(varied, key=lambda column: column.words, default=None)

    def rank(column: Seen) -> tuple[float, float]:
        cells = {row: f" {cell.lower()} " for row, cell in column.cells}
        others = [other for other in columns if other is not column and not other.is_list and other.words <= TEXT_WORDS]
        mentioned = sum(cell.lower() in cells.get(row, "") for other in others for row, cell in other.cells)
        return round(mentioned * column.distinct / max(len(column.cells), 1) ** 2, 1), column.words

    return max(long, key=rank)


def is_url(column: Seen) -> bool:
    return any(_URL.match(cell) for _, cell in column.cells)


def identity_of(columns: Sequence[Seen], rows: int) -> Seen | None:
    """Choose a column of different one-word cells: first columns with the name of an id, then the leftmost.

    A column with the name of an id may have a few cells that are empty, not unique, or a note of several words.
    """
    possible = [column for column in columns if column.cells and not (column.is_list or column.is_optional)]
    possible = [column for column in possible if not is_url(column)]
    single = [column for column in possible if not _notes(column)]
    unique = [column for column in single if len(column.cells) == column.distinct == rows]
    few = SELDOM * rows if rows >= FEW else 0
    named = [column for column in possible if _ID_NAMES.search(column.name) and _notes(column) <= few]
    nearly_unique = [column for column in named if rows >= FEW and column.distinct > (1 - SELDOM) * rows]
    others = [column for column in unique if not (is_number(column) or is_date(column))]
    return next(iter([column for column in named if column in unique] or nearly_unique or others), None)


def _notes(column: Seen) -> int:
    """Return the number of cells with several words, such as "Prices include VAT" below the last row."""
    return sum(len(cell.split()) > 1 for _, cell in column.cells)


def goal_of(columns: Sequence[Seen]) -> Seen | None:
    """Choose a column with few different values; first columns whose names mean a class, such as "category".

    A column of that name may have many values, as in a small table of many kinds of things, if rows share some.
    """
    fitting = sorted(filter(_has_classes, columns), key=_has_many)
    named = [column for column in fitting if _GOAL_NAMES.search(column.name)]
    return next(iter(named or [column for column in fitting if not _has_many(column)]), None)


def _has_many(column: Seen) -> bool:
    """Return whether a column has more different values than classes usually are."""
    return column.distinct > min(max(20, len(column.cells) // 10), len(column.cells) // 2)


def _has_classes(column: Seen) -> bool:
    if (
        not 2 <= column.distinct < len(column.cells)
        or column.words > TEXT_WORDS
        or column.is_list
        or column.is_optional
    ):
        return False
    return not (is_number(column) or is_date(column) or _is_code(column) or is_yes_no(column))


def is_number(column: Seen) -> bool:
    """Return whether nearly all cells are numbers of a few units, and not codes of digits or names: "Heron 300"."""
    amounts = [amount for _, cell in column.cells if (amount := amount_in(cell))]
    units = {amount.unit for amount in amounts}
    return (
        not _is_code(column)
        and len(amounts) > (1 - SELDOM) * len(column.cells)
        and len(units) <= max(3, len(amounts) // 5)
    )


def is_date(column: Seen) -> bool:
    """Return whether nearly all cells are dates: "05/03/2024" is no list."""
    dates = sum(read_date(cell.lower().replace(",", " ,").split()) is not None for _, cell in column.cells)
    return dates > (1 - SELDOM) * len(column.cells)


def _is_code(column: Seen) -> bool:
    return any(CODE.fullmatch(cell) for _, cell in column.cells)


def is_yes_no(column: Seen) -> bool:
    """Return whether all cells mean yes or no; 1 and 0 may also be numbers."""
    return bool(column.cells) and {cell.lower() for _, cell in column.cells} <= YES | NO
