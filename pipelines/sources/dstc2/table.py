"""The restaurant table, and the references of a turn's words to it.

Name, address, post code and phone name a row (`_NAME_j`, `_ADDR_j`, `_POSTCODE_j`, `_PHONE_j`; Yang et al. 2017,
section 4.1). The system writes post codes in its own way, "C.B 2, 1 U.F" for the table's "c b 2 1 u f". Words of the
other columns refer to their cell if the turn names its restaurant.
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
from schemas.dialogue import NO_CELL
from schemas.errors import UserError
from schemas.offer import Offer

# In the order of the paper's table 2.
COLUMNS = ("name", "pricerange", "food", "area", "addr", "postcode", "phone")
NAME, PRICERANGE, FOOD, AREA, ADDR, POSTCODE, PHONE = range(len(COLUMNS))
NAMING = (NAME, ADDR, POSTCODE, PHONE)
WORD_COLUMNS = (PRICERANGE, FOOD, AREA)
EMPTY_CELL = "not available"  # as the table writes it
UNKNOWN = frozenset(("dontcare", EMPTY_CELL))  # the system's words for an empty cell
MAX_SPAN = 14  # tokens of a cell

_POSTCODE = re.compile(r"([a-z]) ([a-z]) (\d+)(?: (\d+))?(?: ([a-z]) ([a-z]))?")


def load_table(path: str) -> list[Offer]:
    """Return the table's rows; raise UserError for another file."""
    rows = _json_rows(path)
    if not rows or len(rows) > MAX_ROWS:
        raise UserError(
            f"{path} is not a restaurant table: it must be a JSON list of objects with the texts {', '.join(COLUMNS)}. "
            "Give restaurant-db.json with --input."
        )
    written = ([cells[name] for name in COLUMNS] for cells in rows)
    filled = ([None if cell.strip() in ("", EMPTY_CELL) else cell for cell in cells] for cells in written)
    return [offer_of(row, COLUMNS, cells, NAMING) for row, cells in enumerate(filled)]


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


def words_of_cell(offer: Offer, column: int) -> str:
    """Return the words that a cell's token replaces: the normalised cell; a post code as the system writes it."""
    cell = offer.written[column]
    if cell is None:
        return EMPTY_CELL
    if column == POSTCODE and (code := _POSTCODE.fullmatch(cell.lower())):
        inward = (f" , {code[4]}" if code[4] else "") + (f" {code[5]}.{code[6]}" if code[5] else "")
        return f"{code[1]}.{code[2]} {code[3]}{inward}"
    return of_table.words_of_cell(offer, column)


@dataclass(frozen=True)
class Scene:
    """The context that decides which restaurant a turn's words mean."""

    named: tuple[str, ...]  # restaurants that the turn's acts name, as written
    offered: frozenset[int]  # rows offered before
    rows: tuple[int, ...]  # rows that the turn is about
    columns: tuple[int, ...]  # the WORD_COLUMNS that the turn is about
    without: tuple[int, ...] = ()  # columns that are empty according to the acts


_Cells = dict[str, tuple[int, int]]  # letters and digits -> row, column


class Linker:
    """Finds the table's cells in turns; results are cached, since many turns repeat."""

    def __init__(self, offers: Sequence[Offer]) -> None:
        self.offers = offers
        self._rows: dict[str, int] = {}
        for offer in offers:
            if key := key_of(offer.written[NAME] or ""):
                self._rows.setdefault(key, offer.row)
        # A name of one word ("ask") may be an ordinary word: it counts only if acts name it or it was offered before.
        self._long = {key: row for key, row in self._rows.items() if len((offers[row].written[NAME] or "").split()) > 1}
        self.link = lru_cache(maxsize=1 << 14)(self._link)

    def row_of(self, name: str) -> int:
        """Return the row of a restaurant; NO_CELL if the table lacks it."""
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
                done.add_cell(words[start:end], row, column, token, words_of_cell(offer, column))
            else:
                done.add_words(words[start:end], row, column)
            start = end
        return done

    def _cells(self, scene: Scene) -> _Cells:
        """Return the cells that the scene's turn may mention, except names of several words."""
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
        """Return end, row and column of the longest cell that begins at ``start``; without one, the token's end."""
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
    """Return the end of a post code of the same district, else 0; the table has only a part of some ("c b 2")."""
    code = _POSTCODE.fullmatch((postcode or "").lower())
    if code is None or list(keys[start : start + 2]) != [code[1] + code[2], code[3]]:
        return 0
    rest = keys[start + 2 : start + 5]
    whole = len(rest) == 3 and rest[0] == "" and rest[1].isdigit() and len(rest[2]) == 2
    return start + (5 if whole else 2)
