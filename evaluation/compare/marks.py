"""Marks for the faults of a text: extra names, and items that it introduces twice (Figure 4)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from allsaid.proof.coverage import Lexicon, measure
from allsaid.proof.wording import doubled
from evaluation.tasks.rows import Row
from pipelines.recipes.ingredients import name_words
from schemas.act import PREFIX, parse_agenda_line
from schemas.example import LINE_BREAK, PHRASE_JOINER

EXTRA, DOUBLED = "extra", "doubled"
_WORD = re.compile(r"SLOT_[^\s.,;!?]+|[^\W_]+|[^\w\s]|\n")


@dataclass(frozen=True)
class Piece:
    """A piece of text with its mark: none (""), an extra name, or an item that is introduced again."""

    text: str
    mark: str = ""


def pieces(row: Row) -> list[Piece]:
    """Split the row's text into pieces; joined they are the text."""
    spans = [match.span() for match in _WORD.finditer(row.text)]
    words = [LINE_BREAK if row.text[start] == "\n" else row.text[start:end].lower() for start, end in spans]
    marks = dict.fromkeys(_doubled(row, words), DOUBLED)
    for name in row.extra or []:
        marks |= dict.fromkeys(_places(name, words), EXTRA)
    parts, end = [], 0
    for number, (start, stop) in enumerate(spans):
        if number in marks:
            parts += [Piece(row.text[end:start]), Piece(row.text[start:stop], marks[number])]
            end = stop
    return [piece for piece in [*parts, Piece(row.text[end:])] if piece.text]


def _doubled(row: Row, words: list[str]) -> list[int]:
    """Return the positions of the words that introduce an item again."""
    if not row.doubled:
        return []
    values = [parse_agenda_line(line).value.split() for line in row.doubled]
    if not all(values):
        names = [name_words(line) for line in row.agenda]
        return [place for places in doubled(words, names) for place in places]
    repeated = []
    for value in values:
        starts = [at for at in range(len(words)) if words[at : at + len(value)] == value]
        repeated += [at + offset for at in starts[1:] for offset in range(len(value))]
    return repeated


def _places(name: str, words: list[str]) -> list[int]:
    """Return the positions of an extra name's words, by the rules of ``allsaid.proof.coverage``."""
    if name.startswith(PREFIX):
        return [place for place, word in enumerate(words) if word == name.lower()]
    mentions = measure(words, [], Lexicon({name.replace(PHRASE_JOINER, " "): 1})).extra_mentions
    return [place for places in mentions for place in places]
