"""What the turns of a dialogue refer to in a table of offers, by their words alone.

A cell of a column that names a row is found wherever its words stand; one without a letter, or of one character, only
while the dialogue speaks of its row: from the turn that names the row until another row is named. Words of other
columns refer to their cell where a turn of the machine names the row. Longer cells go first.

Cells are found by a sorted list of all, so that a turn costs the same in a table of 10 rows and of 10,000.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence, Set

from pipelines.linking.offers import Linked, key_of, stretches, words_of, words_of_cell
from pipelines.sources.dialogues.table import OfferTable
from schemas.dialogue import MACHINE, NO_CELL

ALIKE = 100  # rows with the same cell that are compared

Cell = tuple[int, int]  # row, column
Spans = Sequence[
    Mapping[str, int]
]  # for each token the cells that begin with it, by letters and digits, with their end


class Linker:
    """Finds the cells of one table."""

    def __init__(self, table: OfferTable) -> None:
        self.table = table
        self._keys = [[key_of(cell or "") for cell in offer.written] for offer in table.offers]
        self._sorted = sorted({key for keys in self._keys for key in keys if key})
        self._named: dict[str, list[Cell]] = {}  # cells that name a row by themselves
        for row, keys in enumerate(self._keys):
            for column in table.naming:
                if _is_telling(keys[column]):
                    cells = self._named.setdefault(keys[column], [])
                    cells += [(row, column)] * (len(cells) < ALIKE)

    def link(self, turns: Sequence[tuple[str, str]]) -> list[Linked]:
        """The turns, each a speaker and a text, with their cells."""
        words = [words_of(text) for _, text in turns]
        spans = [self._spans([key_of(word) for word in one]) for one in words]
        heard = [frozenset(key for cells in one for key in cells) for one in spans]
        of_dialogue = frozenset().union(*heard)
        linked: list[Linked] = []
        current: tuple[int, ...] = ()
        for (speaker, _), tokens, found, here in zip(turns, words, spans, heard, strict=True):
            names = {key: self._choose(key, here, of_dialogue) for key in here if key in self._named}
            rows = tuple(dict.fromkeys(names[key][0] for _, _, key in _cut(found, names) if key))
            current = rows or current
            cells = self._others(current, rows if speaker == MACHINE else ()) | names
            linked.append(self._linked(tokens, found, cells))
        return linked

    def _spans(self, keys: Sequence[str]) -> Spans:
        return [dict(self._beginning(keys, start)) for start in range(len(keys))]

    def _beginning(self, keys: Sequence[str], start: int) -> Iterator[tuple[str, int]]:
        """The cells of the table that begin with a token."""
        for end, joined in stretches(keys, start):
            place = bisect_left(self._sorted, joined)
            if place == len(self._sorted) or not self._sorted[place].startswith(joined):
                return
            if self._sorted[place] == joined:
                yield joined, end

    def _choose(self, key: str, here: Set[str], of_dialogue: Set[str]) -> Cell:
        """Of rows with one cell that of which the turn, then the dialogue, says most other cells; else the first."""
        cells = self._named[key]
        if len(cells) == 1:
            return cells[0]
        others = {cell: set(self._keys[cell[0]]) - {key} for cell in cells}
        return max(cells, key=lambda cell: (len(others[cell] & here), len(others[cell] & of_dialogue)))

    def _others(self, current: Sequence[int], named: Sequence[int]) -> dict[str, Cell]:
        """Cells that count because their row is spoken of, or named in this turn; the first row's of several."""
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


def _is_telling(key: str) -> bool:
    """Whether a cell's letters and digits name its row by themselves."""
    return len(key) > 1 and any(map(str.isalpha, key))


def _cut(found: Spans, cells: Mapping[str, Cell]) -> Iterator[tuple[int, int, str]]:
    """T tokens in stretches, each with its end: the longest of the cells that begins there, else one token and ""."""
    start = 0
    while start < len(found):
        key = max((key for key in found[start] if key in cells), key=found[start].__getitem__, default="")
        end = found[start].get(key, start + 1)
        yield start, end, key
        start = end
