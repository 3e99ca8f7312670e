"""References of a dialogue's turns to a table of offers, found by their words alone.

A cell of a column that names a row is found anywhere. If it has no letter, or only one character, it is found only
while the dialogue is about its row: from the turn that names the row until another row is named. Words of other columns
refer to their cell if a turn of the machine names the row. Longer cells have priority.

A sorted list of all cells is searched, so that a turn takes the same time in a table of 10 rows and of 10,000.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence, Set

from pipelines.linking.offers import Linked, key_of, stretches, words_of, words_of_cell
from pipelines.sources.dialogues.table import OfferTable
from schemas.dialogue import MACHINE, NO_CELL

MAX_EQUAL = 100  # rows with an equal cell that are compared, at most

Cell = tuple[int, int]  # row, column
# For each token: the cells that begin there, by their letters and digits -> their end.
Spans = Sequence[Mapping[str, int]]


class Linker:
    """Finds the cells of one table."""

    def __init__(self, table: OfferTable) -> None:
        self.table = table
        self._keys = [[key_of(cell or "") for cell in offer.written] for offer in table.offers]
        self._sorted = sorted({key for keys in self._keys for key in keys if key})
        self._named: dict[str, list[Cell]] = {}  # cells that are enough to name a row
        for row, keys in enumerate(self._keys):
            for column in table.naming:
                if len(keys[column]) > 1 and any(map(str.isalpha, keys[column])):
                    cells = self._named.setdefault(keys[column], [])
                    if len(cells) < MAX_EQUAL:
                        cells.append((row, column))

    def link(self, turns: Sequence[tuple[str, str]]) -> list[Linked]:
        """Return the turns, each a speaker and a text, with their cells."""
        words = [words_of(text) for _, text in turns]
        spans = [self._spans([key_of(word) for word in tokens]) for tokens in words]
        heard = [frozenset(key for cells in found for key in cells) for found in spans]
        keys_of_dialogue = frozenset().union(*heard)
        linked: list[Linked] = []
        current: tuple[int, ...] = ()
        for (speaker, _), tokens, found, here in zip(turns, words, spans, heard, strict=True):
            names = {key: self._choose(key, here, keys_of_dialogue) for key in here if key in self._named}
            rows = tuple(dict.fromkeys(names[key][0] for _, _, key in _cut(found, names) if key))
            current = rows or current
            cells = self._others(current, rows if speaker == MACHINE else ()) | names
            linked.append(self._linked(tokens, found, cells))
        return linked

    def _spans(self, keys: Sequence[str]) -> Spans:
        return [dict(self._cells_at(keys, start)) for start in range(len(keys))]

    def _cells_at(self, keys: Sequence[str], start: int) -> Iterator[tuple[str, int]]:
        """Yield the cells of the table that begin at a token."""
        for end, joined in stretches(keys, start):
            place = bisect_left(self._sorted, joined)
            if place == len(self._sorted) or not self._sorted[place].startswith(joined):
                return
            if self._sorted[place] == joined:
                yield joined, end

    def _choose(self, key: str, here: Set[str], keys_of_dialogue: Set[str]) -> Cell:
        """Return the cell of the row with most other cells in the turn, then in the dialogue; on a tie, the first."""
        cells = self._named[key]
        if len(cells) == 1:
            return cells[0]
        others = {cell: set(self._keys[cell[0]]) - {key} for cell in cells}
        return max(cells, key=lambda cell: (len(others[cell] & here), len(others[cell] & keys_of_dialogue)))

    def _others(self, current: Sequence[int], named: Sequence[int]) -> dict[str, Cell]:
        """Return the cells of the current rows that words may refer to; of equal cells, the cell of the first row."""
        cells: dict[str, Cell] = {}
        for row in current:
            for column, key in enumerate(self._keys[row]):
                if key and (row in named or column in self.table.naming):
                    cells.setdefault(key, (row, column))
        return cells

    def _linked(self, words: list[str], found: Spans, cells: Mapping[str, Cell]) -> Linked:
        done = Linked(" ".join(words))
        for start, end, key in _cut(found, cells):
            row, column = cells.get(key, (NO_CELL, NO_CELL))
            if column in self.table.naming:
                (token,) = self.table.offers[row].cells[column]
                done.add_cell(words[start:end], row, column, token, words_of_cell(self.table.offers[row], column))
            else:
                done.add_words(words[start:end], row, column)
        return done


def _cut(found: Spans, cells: Mapping[str, Cell]) -> Iterator[tuple[int, int, str]]:
    """Yield T tokens in runs with start, end and key: the longest cell that begins there, else one token and ""."""
    start = 0
    while start < len(found):
        key = max((key for key in found[start] if key in cells), key=found[start].__getitem__, default="")
        end = found[start].get(key, start + 1)
        yield start, end, key
        start = end
