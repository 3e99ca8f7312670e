"""Offers of a table, and the words of a turn that refer to their cells.

Some columns name a row (Yang et al. 2017, section 4.1): a cell of such a column in row j becomes one token,
``_NAME_j``, in the table and in the turns. An empty cell is EMPTY. Cells of other columns stay words. Cells and turns
are compared token by token by letters and digits, since people write "St. Michael's" for the table's "st michael's".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from allsaid.language.word_table import AS_WRITTEN, normalise
from schemas.dialogue import MACHINE, NO_CELL, Turn
from schemas.offer import EMPTY, Offer

MAX_ROWS = 1 << 15  # that a turn can refer to


def words_of(text: str) -> list[str]:
    """Return the lower-case tokens of a text; joined by blanks they are the normalised text."""
    return normalise(text, AS_WRITTEN)[0]


@lru_cache(maxsize=1 << 14)
def key_of(words: str) -> str:
    """Return the letters and digits by which cells and turns are compared."""
    return "".join(character for character in words.lower() if character.isalnum())


def cell_token(column: str, row: int) -> str:
    """Return the token of a cell that names its row: ``_NAME_3``."""
    stem = re.sub(r"\W+", "_", column.upper()).strip("_")
    return f"_{stem}_{row}"


def offer_of(row: int, columns: Sequence[str], written: Sequence[str | None], naming: Collection[int]) -> Offer:
    """Return the offer of a row of C columns; ``naming``: the positions of columns whose cells become one token."""
    cells = [
        [EMPTY] if cell is None else [cell_token(name, row)] if column in naming else words_of(cell)
        for column, (name, cell) in enumerate(zip(columns, written, strict=True))
    ]
    return Offer(row, [*columns], [*written], cells)


def words_of_cell(offer: Offer, column: int) -> str:
    """Return the words that a cell's token replaces."""
    return " ".join(words_of(offer.written[column] or ""))


def stretches(keys: Sequence[str], start: int) -> Iterator[tuple[int, str]]:
    """Yield the runs of T tokens that begin at ``start``, shortest first: the end, and the letters and digits joined.

    No run begins or ends with a token that has neither letter nor digit.
    """
    if not keys[start]:
        return
    joined = ""
    for end, key in enumerate(keys[start:], start + 1):
        if key:
            joined += key
            yield end, joined


@dataclass
class Linked:
    """A turn's T tokens with the cells that they refer to, in the columns of the border."""

    text: str
    tokens: list[str] = field(default_factory=list)
    written: list[str] = field(default_factory=list)
    rows: list[int] = field(default_factory=list)
    columns: list[int] = field(default_factory=list)
    unlisted: int = 0  # tokens that name offers that the table lacks

    def add_words(self, words: Sequence[str], row: int = NO_CELL, column: int = NO_CELL) -> None:
        """Add words that stay words, and the cell that they refer to."""
        self.tokens += words
        self.written += [""] * len(words)
        self.rows += [row] * len(words)
        self.columns += [column] * len(words)

    def add_cell(self, words: Sequence[str], row: int, column: int, token: str, expected: str) -> None:
        """Add the token of a cell that names a row; its ``words`` are stored if they differ from those expected."""
        written = " ".join(words)
        self.tokens.append(token)
        self.written.append("" if written == expected else written)
        self.rows.append(row)
        self.columns.append(column)

    def turn(self, speaker: str, is_new: Callable[[str], bool]) -> Turn:
        """Return the turn's row; ``is_new`` tests whether no other fold has a token."""
        new = [row >= 0 and is_new(token) for token, row in zip(self.tokens, self.rows, strict=True)]
        return Turn(speaker, self.text, True, self.tokens, self.written, self.rows, self.columns, new, [], [])


def figures(turns: Sequence[Turn], naming: Collection[int]) -> dict[str, int]:
    """Return a dialogue's lengths and its references to columns; ``naming``: the columns that name a row."""
    columns = [column for turn in turns for column in turn.columns if column >= 0]
    return {
        "turns": (len(turns) + 1) // 2,  # of machine and user, as the corpora count
        "tokens": sum(len(turn.tokens) for turn in turns),
        "machine tokens": sum(len(turn.tokens) for turn in turns if turn.speaker == MACHINE),
        "cells": sum(column in naming for column in columns),
        "cells by their words": sum(column not in naming for column in columns),
        "table oov": sum(sum(turn.table_oov) for turn in turns),
    }
