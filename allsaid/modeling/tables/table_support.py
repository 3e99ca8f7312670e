"""Whether a turn says of one row of a table what the table says of it.

A turn speaks of a row where it names one: by a cell of a column that names its rows, which is a word of its own. Then
each cell that it says must be that row's. Of turns that name no row nothing is asked.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from allsaid.modeling.tables.offer_table import NOTHING, Cell, OfferTable, as_written, is_whole

Places = list[int]  # of the words of a turn


@dataclass(frozen=True)
class Support:
    row: int  # that the turn speaks of
    foreign: list[tuple[str, Places]]  # cells of other rows, as they are said, and where


@dataclass(frozen=True, eq=False)
class _Index:
    """Which rows have a cell, by its words."""

    naming: dict[str, frozenset[int]]  # cells that name their row, as written
    others: dict[Cell, frozenset[int]]  # all other cells
    longest: int  # words of these


@lru_cache(maxsize=2)
def _index_of(table: OfferTable) -> _Index:
    naming: dict[str, set[int]] = {}
    others: dict[Cell, set[int]] = {}
    for number, row in enumerate(table.cells):
        for cell in row:
            if is_whole(cell[0]):
                naming.setdefault(as_written(cell[0]), set()).add(number)
            elif cell != NOTHING:
                others.setdefault(cell, set()).add(number)
    frozen = {cell: frozenset(rows) for cell, rows in others.items()}
    return _Index({name: frozenset(rows) for name, rows in naming.items()}, frozen, max(map(len, frozen), default=0))


def support_of(words: Sequence[str], table: OfferTable) -> Support | None:
    """Of a turn of T words as the table writes its cells; None where it names no row.

    It speaks of the row that most of its cells belong to, of equal ones the one named first.
    """
    index = _index_of(table)
    found = [*_cells(words, index)]
    named = dict.fromkeys(row for said, rows, places in found if said in index.naming for row in sorted(rows))
    if not named:
        return None
    row = max(named, key=lambda one: sum(one in rows for _, rows, _ in found))
    return Support(row, [(said, places) for said, rows, places in found if row not in rows])


def _cells(words: Sequence[str], index: _Index) -> Iterator[tuple[str, frozenset[int], Places]]:
    """The cells that a turn says, the longest at each place, with their rows and places."""
    start = 0
    while start < len(words):
        end, rows = start + 1, index.naming.get(words[start])
        for length in range(min(index.longest, len(words) - start), 0, -1) if rows is None else ():
            rows = index.others.get(tuple(words[start : start + length]))
            if rows is not None:
                end = start + length
                break
        if rows is not None:
            yield " ".join(words[start:end]), rows, [*range(start, end)]
        start = end
