"""The restaurant table, and what a turn's words refer to in it.

Yang et al. 2017, section 4.1: name, address, post code and phone name a row (`_NAME_j`, `_ADDR_j`, `_POSTCODE_j`,
`_PHONE_j`). The system has a way of its own to write post codes, "C.B 2, 1 U.F" for the table's "c b 2 1 u f". Words of
the other columns refer to their cell where the turn names its restaurant.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from allsaid.storage.streams import open_dump
from pipelines.linking import offers as of_table
from pipelines.linking.offers import MAX_ROWS, Linked, key_of, offer_of, stretches
from schemas.dialogue import NO_CELL, Turn
from schemas.errors import UserError
from schemas.offer import Offer

# In the order of the paper's table 2.
COLUMNS = ("name", "pricerange", "food", "area", "addr", "postcode", "phone")
NAME, PRICERANGE, FOOD, AREA, ADDR, POSTCODE, PHONE = range(len(COLUMNS))
NAMING = (NAME, ADDR, POSTCODE, PHONE)
WORD_COLUMNS = (PRICERANGE, FOOD, AREA)
EMPTY_CELL = "not available"  # as the table writes it
UNKNOWN = frozenset(("dontcare", EMPTY_CELL))  # what the system says for an empty cell
MAX_SPAN = 14  # tokens of a cell

_POSTCODE = re.compile(r"([a-z]) ([a-z]) (\d+)(?: (\d+))?(?: ([a-z]) ([a-z]))?")


def load_table(path: str) -> list[Offer]:
    """The table's rows; raises UserError for another file."""
    rows = _json_rows(path)
    if rows is None or not rows or len(rows) > MAX_ROWS:
        raise UserError(
            f"{path} is no restaurant table: it must be a JSON list of objects with the texts {', '.join(COLUMNS)}. "
            "Give restaurant-db.json with --input."
        )
    return [_offer(position, row) for position, row in enumerate(rows)]


def is_table(path: str) -> bool:
    return _json_rows(path) is not None


def _json_rows(path: str) -> list[dict[str, str]] | None:
    with open_dump(path)[1] as stream:
        content = stream.read(1 << 24)
    try:
        rows = json.loads(content)
    except (ValueError, RecursionError):
        return None
    fits = isinstance(rows, list) and all(
        isinstance(row, dict) and all(isinstance(row.get(name), str) for name in COLUMNS) for row in rows
    )
    return rows if fits else None


def _offer(row: int, cells: dict[str, str]) -> Offer:
    filled = [None if cells[name].strip() in ("", EMPTY_CELL) else cells[name] for name in COLUMNS]
    return offer_of(row, COLUMNS, filled, NAMING)


def spoken_cell(offer: Offer, column: int) -> str:
    """The words that a cell's token stands for: the cell normalised, a post code as the system says it."""
    cell = offer.written[column]
    if cell is None:
        return EMPTY_CELL
    if column == POSTCODE and (code := _POSTCODE.fullmatch(cell.lower())):
        inward = (f" , {code[4]}" if code[4] else "") + (f" {code[5]}.{code[6]}" if code[5] else "")
        return f"{code[1]}.{code[2]} {code[3]}{inward}"
    return of_table.spoken_cell(offer, column)


def is_lossless(turn: Turn, offers: Sequence[Offer]) -> bool:
    """Whether a turn's tokens give its normalised text back."""
    return of_table.is_lossless(turn, offers, spoken_cell)


@dataclass(frozen=True)
class Scene:
    """What decides which restaurant a turn's words mean."""

    named: tuple[str, ...]  # restaurants that the turn's acts name, as written
    offered: frozenset[int]  # rows offered before
    rows: tuple[int, ...]  # rows that the turn speaks of
    columns: tuple[int, ...]  # of WORD_COLUMNS: those that the turn speaks of
    without: tuple[int, ...] = ()  # columns of which the acts say that there is nothing to say


_Cells = dict[str, tuple[int, int]]  # letters and digits -> row, column


class Linker:
    """Finds the table's cells in turns. Turns repeat: the same words in the same scene are linked once."""

    def __init__(self, offers: Sequence[Offer]) -> None:
        self.offers = offers
        self._rows: dict[str, int] = {}
        for offer in offers:
            if key := key_of(offer.written[NAME] or ""):
                self._rows.setdefault(key, offer.row)
        # A name of one word ("ask") may be that word: it counts where acts name it or it was offered before.
        self._long = {key: row for key, row in self._rows.items() if len((offers[row].written[NAME] or "").split()) > 1}
        self.link = lru_cache(maxsize=1 << 14)(self._link)

    def row_of(self, name: str) -> int:
        """The row of a restaurant, NO_CELL where the table lacks it."""
        return self._rows.get(key_of(name), NO_CELL)

    def _link(self, text: str, scene: Scene) -> Linked:
        words = of_table.words_of(text)
        keys = [key_of(word) for word in words]
        cells = self._cells(scene)
        done, start = Linked(" ".join(words)), 0
        while start < len(words):
            end, row, column = self._longest(keys, start, cells, scene)
            if row < 0:
                done.add_words(words[start:end])
                done.unlisted += (end - start) if column >= 0 else 0
            elif column in NAMING:
                offer = self.offers[row]
                (token,) = offer.cells[column]
                done.add_cell(words[start:end], row, column, token, spoken_cell(offer, column))
            else:
                done.add_words(words[start:end], row, column)
            start = end
        return done

    def _cells(self, scene: Scene) -> _Cells:
        """The cells that the scene's turn may speak of, beside the names of several words."""
        cells: _Cells = {}
        for row in scene.rows:
            for column in (*NAMING, *scene.columns):
                if column != NAME and (cell := self.offers[row].written[column]) is not None:
                    cells.setdefault(key_of(cell), (row, column))
                elif column in scene.without:
                    cells.update({key_of(said): (row, column) for said in UNKNOWN})
        for row in scene.offered:
            cells[key_of(self.offers[row].written[NAME] or "")] = (row, NAME)
        for name in scene.named:
            cells[key_of(name)] = (self.row_of(name), NAME)
        cells.pop("", None)
        return cells

    def _longest(self, keys: Sequence[str], start: int, cells: _Cells, scene: Scene) -> tuple[int, int, int]:
        """The end, row and column of the longest cell that begins here; without one the end of this token."""
        best = (start + 1, NO_CELL, NO_CELL)
        for end, joined in stretches(keys[: start + MAX_SPAN], start):
            if joined in cells:
                best = (end, *cells[joined])
            elif joined in self._long:
                best = (end, self._long[joined], NAME)
        for row in scene.rows:
            end = _postcode_end(keys, start, self.offers[row].written[POSTCODE])
            if end > best[0] or (end == best[0] and best[1] < 0):
                best = (end, row, POSTCODE)
        return best


def _postcode_end(keys: Sequence[str], start: int, postcode: str | None) -> int:
    """Where a post code of the same district ends, else 0; some are cut off in the table ("c b 2") and said whole."""
    code = _POSTCODE.fullmatch((postcode or "").lower())
    if code is None or list(keys[start : start + 2]) != [code[1] + code[2], code[3]]:
        return 0
    rest = keys[start + 2 : start + 5]
    whole = len(rest) == 3 and rest[0] == "" and rest[1].isdigit() and len(rest[2]) == 2
    return start + (5 if whole else 2)
