"""Offers of a table, and the words of a turn that stand for their cells.

Yang et al. 2017, section 4.1: a cell of a column that names its row j becomes one token, ``_NAME_j``, in the table and
in the turns; an empty cell is EMPTY. Words of the other columns stay words. Cells and turns are compared by their
letters and digits, token by token, since people write "St. Michael's" for a table's "st michael's".
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
    """The tokens of a text, lower case; joined by blanks they are the normalised text."""
    return normalise(text, AS_WRITTEN)[0]


@lru_cache(maxsize=1 << 14)
def key_of(words: str) -> str:
    """The letters and digits by which cells and turns are compared."""
    return "".join(character for character in words.lower() if character.isalnum())


def cell_token(column: str, row: int) -> str:
    """The token of a cell that names its row: ``_NAME_3``."""
    stem = re.sub(r"\W+", "_", column.upper()).strip("_")
    return f"_{stem}_{row}"


def offer_of(row: int, columns: Sequence[str], written: Sequence[str | None], naming: Collection[int]) -> Offer:
    """A row of C columns; the cells of those that are ``naming`` become one token each."""
    cells = [
        [EMPTY] if cell is None else [cell_token(name, row)] if column in naming else words_of(cell)
        for column, (name, cell) in enumerate(zip(columns, written, strict=True))
    ]
    return Offer(row, [*columns], [*written], cells)


def spoken_cell(offer: Offer, column: int) -> str:
    """The words that a cell's token stands for."""
    return " ".join(words_of(offer.written[column] or ""))


def stretches(keys: Sequence[str], start: int) -> Iterator[tuple[int, str]]:
    """The stretches of T tokens from ``start`` on, each with its end and its letters and digits joined, shortest first.

    None begins or ends in a token that has neither letter nor digit.
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
    unlisted: int = 0  # tokens of offers that the table lacks, where something but the words says so

    def add_words(self, words: Sequence[str], row: int = NO_CELL, column: int = NO_CELL) -> None:
        """Words that stay words, and the cell that they refer to."""
        self.tokens += words
        self.written += [""] * len(words)
        self.rows += [row] * len(words)
        self.columns += [column] * len(words)

    def add_cell(self, words: Sequence[str], row: int, column: int, token: str, spoken: str) -> None:
        """The one token for the words of a cell that names a row, where the table makes one say ``spoken``."""
        said = " ".join(words)
        self.tokens.append(token)
        self.written.append("" if said == spoken else said)
        self.rows.append(row)
        self.columns.append(column)

    def turn(self, speaker: str, is_new: Callable[[str], bool]) -> Turn:
        """The turn's row; ``is_new`` says of a token whether no other fold has it."""
        new = [row >= 0 and is_new(token) for token, row in zip(self.tokens, self.rows, strict=True)]
        return Turn(speaker, self.text, True, self.tokens, self.written, self.rows, self.columns, new, [], [])


def is_lossless(turn: Turn, offers: Sequence[Offer], spoken: Callable[[Offer, int], str] = spoken_cell) -> bool:
    """Whether a turn's tokens give its normalised text back, cells what was written or else what they stand for."""
    tokens = zip(turn.tokens, turn.written, turn.rows, turn.columns, strict=True)
    return turn.text == " ".join(
        said or (spoken(offers[row], column) if row >= 0 and offers[row].cells[column] == [token] else token)
        for token, said, row, column in tokens
    )


def figures(turns: Sequence[Turn], naming: Collection[int]) -> dict[str, int]:
    """How long the dialogue is, and how much of it refers to the table, whose columns ``naming`` name a row."""
    columns = [column for turn in turns for column in turn.columns if column >= 0]
    return {
        "turns": (len(turns) + 1) // 2,  # of machine and user, as the corpora count
        "tokens": sum(len(turn.tokens) for turn in turns),
        "machine tokens": sum(len(turn.tokens) for turn in turns if turn.speaker == MACHINE),
        "cells": sum(column in naming for column in columns),
        "cells by their words": sum(column not in naming for column in columns),
        "table oov": sum(sum(turn.table_oov) for turn in turns),
    }
