"""The restaurant table, and what a turn's words refer to in it.

Yang et al. 2017, section 4.1: the cells of name, address, post code and phone of row j become one token each, in the
table and in the transcripts (`_NAME_j`, `_ADDR_j`, `_POSTCODE_j`, `_PHONE_j`); an empty cell is `_EMPTY`. Cells are
compared by their letters and digits, since the system writes "C.B 2, 1 U.F" and "St. Michael's" for the table's
"c b 2 1 u f" and "st michael's". Words of the other columns stay words and refer to their cell where the turn names
its restaurant.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from allsaid.console import UserError
from pipelines.language.word_table import AS_WRITTEN, normalise
from pipelines.storage.streams import open_dump
from schemas.dialogue import NO_CELL, Turn
from schemas.offer import EMPTY, Offer

# In the order of the paper's table 2.
COLUMNS = ("name", "pricerange", "food", "area", "addr", "postcode", "phone")
NAME, PRICERANGE, FOOD, AREA, ADDR, POSTCODE, PHONE = range(len(COLUMNS))
PLACEHOLDERS = {NAME: "_NAME_", ADDR: "_ADDR_", POSTCODE: "_POSTCODE_", PHONE: "_PHONE_"}
WORD_COLUMNS = (PRICERANGE, FOOD, AREA)
EMPTY_CELL = "not available"  # as the table writes it
UNKNOWN = frozenset(("dontcare", EMPTY_CELL))  # what the system says for an empty cell
MAX_SPAN = 14  # tokens of a cell
MAX_ROWS = 1 << 15

_POSTCODE = re.compile(r"([a-z]) ([a-z]) (\d+)(?: (\d+))?(?: ([a-z]) ([a-z]))?")


def words_of(text: str) -> list[str]:
    """The tokens of a text, lower case; joined by blanks they are the normalised text."""
    return normalise(text, AS_WRITTEN)[0]


@lru_cache(maxsize=1 << 14)
def _key(words: str) -> str:
    return "".join(character for character in words.lower() if character.isalnum())


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
    tokens = [_cell_tokens(row, column, cell) for column, cell in enumerate(filled)]
    return Offer(row, [*COLUMNS], filled, tokens)


def _cell_tokens(row: int, column: int, cell: str | None) -> list[str]:
    if cell is None:
        return [EMPTY]
    return [f"{PLACEHOLDERS[column]}{row}"] if column in PLACEHOLDERS else words_of(cell)


def spoken_cell(offer: Offer, column: int) -> str:
    """The words that a cell's token stands for: the cell normalised, a post code as the system says it."""
    cell = offer.written[column]
    if cell is None:
        return EMPTY_CELL
    if column == POSTCODE and (code := _POSTCODE.fullmatch(cell.lower())):
        inward = (f" , {code[4]}" if code[4] else "") + (f" {code[5]}.{code[6]}" if code[5] else "")
        return f"{code[1]}.{code[2]} {code[3]}{inward}"
    return " ".join(words_of(cell))


def relexicalise(
    tokens: Sequence[str], written: Sequence[str], rows: Sequence[int], columns: Sequence[int], offers: Sequence[Offer]
) -> str:
    """The normalised text of T tokens: a cell's token becomes what was written, else what its cell says."""
    return " ".join(
        said or (spoken_cell(offers[row], column) if row >= 0 and _is_cell(token) else token)
        for token, said, row, column in zip(tokens, written, rows, columns, strict=True)
    )


def is_lossless(turn: Turn, offers: Sequence[Offer]) -> bool:
    """Whether a turn's tokens give its normalised text back."""
    return relexicalise(turn.tokens, turn.written, turn.rows, turn.columns, offers) == turn.text


def _is_cell(token: str) -> bool:
    return token == EMPTY or token.startswith(tuple(PLACEHOLDERS.values()))


@dataclass(frozen=True)
class Scene:
    """What decides which restaurant a turn's words mean."""

    named: tuple[str, ...]  # restaurants that the turn's acts name, as written
    offered: frozenset[int]  # rows offered before
    rows: tuple[int, ...]  # rows that the turn speaks of
    columns: tuple[int, ...]  # of WORD_COLUMNS: those that the turn speaks of
    without: tuple[int, ...] = ()  # columns of which the acts say that there is nothing to say


@dataclass(frozen=True)
class Linked:
    """A turn's T tokens with the cells that they refer to."""

    text: str
    tokens: list[str]
    written: list[str]
    rows: list[int]
    columns: list[int]
    unlisted: int  # tokens of restaurants that the table lacks


_Cells = dict[str, tuple[int, int]]  # letters and digits -> row, column


class Linker:
    """Finds the table's cells in turns. Turns repeat: the same words in the same scene are linked once."""

    def __init__(self, offers: Sequence[Offer]) -> None:
        self.offers = offers
        self._rows: dict[str, int] = {}
        for offer in offers:
            if key := _key(offer.written[NAME] or ""):
                self._rows.setdefault(key, offer.row)
        # A name of one word ("ask") may be that word: it counts where acts name it or it was offered before.
        self._long = {key: row for key, row in self._rows.items() if len((offers[row].written[NAME] or "").split()) > 1}
        self.link = lru_cache(maxsize=1 << 14)(self._link)

    def row_of(self, name: str) -> int:
        """The row of a restaurant, NO_CELL where the table lacks it."""
        return self._rows.get(_key(name), NO_CELL)

    def _link(self, text: str, scene: Scene) -> Linked:
        words = words_of(text)
        keys = [_key(word) for word in words]
        cells = self._cells(scene)
        done = Linked(" ".join(words), [], [], [], [], 0)
        unlisted, start = 0, 0
        while start < len(words):
            end, row, column = self._longest(keys, start, cells, scene)
            self._add(done, words[start:end], row, column)
            unlisted += (end - start) if row < 0 <= column else 0
            start = end
        return Linked(done.text, done.tokens, done.written, done.rows, done.columns, unlisted)

    def _cells(self, scene: Scene) -> _Cells:
        """The cells that the scene's turn may speak of, beside the names of several words."""
        cells: _Cells = {}
        for row in scene.rows:
            for column in (*PLACEHOLDERS, *scene.columns):
                if column != NAME and (cell := self.offers[row].written[column]) is not None:
                    cells.setdefault(_key(cell), (row, column))
                elif column in scene.without:
                    cells.update({_key(said): (row, column) for said in UNKNOWN})
        for row in scene.offered:
            cells[_key(self.offers[row].written[NAME] or "")] = (row, NAME)
        for name in scene.named:
            cells[_key(name)] = (self.row_of(name), NAME)
        cells.pop("", None)
        return cells

    def _longest(self, keys: Sequence[str], start: int, cells: _Cells, scene: Scene) -> tuple[int, int, int]:
        """The end, row and column of the longest cell that begins here; without one the end of this token."""
        best = (start + 1, NO_CELL, NO_CELL)
        if not keys[start]:
            return best
        joined = ""
        for end in range(start + 1, min(len(keys), start + MAX_SPAN) + 1):
            joined += keys[end - 1]
            if keys[end - 1]:
                if joined in cells:
                    best = (end, *cells[joined])
                elif joined in self._long:
                    best = (end, self._long[joined], NAME)
        for row in scene.rows:
            end = _postcode_end(keys, start, self.offers[row].written[POSTCODE])
            if end > best[0] or (end == best[0] and best[1] < 0):
                best = (end, row, POSTCODE)
        return best

    def _add(self, done: Linked, words: list[str], row: int, column: int) -> None:
        if row < 0 or column in WORD_COLUMNS:
            tokens, written = words, [""] * len(words)
        else:
            offer, said = self.offers[row], " ".join(words)
            tokens, written = offer.cells[column], ["" if said == spoken_cell(offer, column) else said]
        done.tokens.extend(tokens)
        done.written.extend(written)
        done.rows.extend([row] * len(tokens))
        done.columns.extend([NO_CELL if row < 0 else column] * len(tokens))


def _postcode_end(keys: Sequence[str], start: int, postcode: str | None) -> int:
    """Where a post code of the same district ends, else 0; some are cut off in the table ("c b 2") and said whole."""
    code = _POSTCODE.fullmatch((postcode or "").lower())
    if code is None or list(keys[start : start + 2]) != [code[1] + code[2], code[3]]:
        return 0
    rest = keys[start + 2 : start + 5]
    whole = len(rest) == 3 and rest[0] == "" and rest[1].isdigit() and len(rest[2]) == 2
    return start + (5 if whole else 2)
