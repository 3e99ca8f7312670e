"""Check that the cells which a turn mentions belong to one row of the table.

A turn is about a row if it names one, by a cell that identifies its row. Then every cell that it mentions must be in
that row. Turns that name no row are not checked.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from allsaid.modeling.tables.offer_table import NOTHING, Cell, OfferTable, as_written, is_cell_word

Places = list[int]  # of the words of a turn


@dataclass(frozen=True)
class Support:
    row: int  # the row that the turn is about
    foreign: list[tuple[str, Places]]  # cells of other rows as the turn writes them, and their places


@dataclass(frozen=True, eq=False)
class _Index:
    """The rows of each cell."""

    naming: dict[str, frozenset[int]]  # of cells that identify their row, by their content
    others: dict[Cell, frozenset[int]]  # of all other cells, by their words
    longest: int  # maximum number of words of these cells


@lru_cache(maxsize=2)
def _index_of(table: OfferTable) -> _Index:
    naming: dict[str, set[int]] = {}
    others: dict[Cell, set[int]] = {}
    for number, row in enumerate(table.cells):
        for cell in row:
            if is_cell_word(cell[0]):
                naming.setdefault(as_written(cell[0]), set()).add(number)
            elif cell != NOTHING:
                others.setdefault(cell, set()).add(number)
    frozen = {cell: frozenset(rows) for cell, rows in others.items()}
    return _Index({name: frozenset(rows) for name, rows in naming.items()}, frozen, max(map(len, frozen), default=0))


def support_of(words: Sequence[str], table: OfferTable) -> Support | None:
    """Return the row that a turn of T words is about, and its cells of other rows; None if it names no row.

    It is about the row that most of its cells are in; of several such rows, the one named first.
    """
    index = _index_of(table)
    mentions = [*_cells(words, index)]
    named_rows = dict.fromkeys(row for cell, rows, places in mentions if cell in index.naming for row in sorted(rows))
    if not named_rows:
        return None
    row = max(named_rows, key=lambda number: sum(number in rows for _, rows, _ in mentions))
    return Support(row, [(cell, places) for cell, rows, places in mentions if row not in rows])


def _cells(words: Sequence[str], index: _Index) -> Iterator[tuple[str, frozenset[int], Places]]:
    """Yield the cells that a turn mentions, the longest at each place, with their rows and places."""
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
