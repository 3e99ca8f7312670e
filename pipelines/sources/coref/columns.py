"""A document's lines in CoNLL columns -> its words and mentions.

Two dialects are supported, both with columns separated by tabs and the mentions in the last one: that of CoNLL 2012
(document, part, number, word, …; mentions ``(47|(8)``) and that of OntoGUM (number, word, mentions ``(1(2)``).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from allsaid.console import counted
from pipelines.source import RecordFault
from pipelines.sources.coref.documents import Raw

NO_MENTION = ("", "_", "-")
SHORT, LONG = 3, 5  # number of columns: exactly 3, or at least 5
SHOWN = 40  # letters of a cell

_CELL = re.compile(r"(?:\([^()|]++\)?+\|?+|[^()|]++\)\|?+)++")
_MARK = re.compile(r"(\(?)([^()|]+)(\)?)")


@dataclass(frozen=True)
class Mention:
    """A mention of the entity ``chain`` by the words ``first`` to ``last``, inclusive."""

    first: int
    last: int
    chain: str


@dataclass(frozen=True)
class Annotated:
    """A document of T words."""

    words: list[str]  # T, as the file writes them
    offsets: list[int]  # T offsets of their lines
    breaks: list[int]  # positions of words that follow an empty line
    mentions: list[Mention]  # in the order of their last words


def annotated(raw: Raw, file: str) -> Annotated:
    """Parse a document; raises RecordFault. ``file``: its name, for error messages."""
    if raw.fault is not None:
        raise raw.fault
    words: list[str] = []
    offsets: list[int] = []
    breaks: list[int] = []
    cells: list[tuple[str, str]] = []
    width = 0
    for offset, number, text in raw.rows:
        if not text.strip():
            breaks.append(len(words))
            continue
        where, columns = f"Line {number:,} of {file}", text.split("\t")
        width = width or _width(columns, where)
        if len(columns) != width:
            detail = f"{where} has {counted(len(columns), 'column')}; the document's first line has {width}."
            raise RecordFault("columns_vary", detail)
        words.append(_word(columns, where))
        offsets.append(offset)
        cells.append((where, columns[-1].strip()))
    if not words:
        raise RecordFault("no_words", "The document has no line with a word.")
    return Annotated(words, offsets, breaks, _mentions(cells))


def _width(columns: Sequence[str], where: str) -> int:
    if len(columns) != SHORT and len(columns) < LONG:
        raise RecordFault(
            "unknown_columns",
            f"{where} has {counted(len(columns), 'column')}; it should have {SHORT}, or at least {LONG}, with tabs "
            "between them.",
        )
    return len(columns)


def _word(columns: Sequence[str], where: str) -> str:
    word = columns[1 if len(columns) == SHORT else 3]
    if not word.strip():
        raise RecordFault("empty_word", f"{where} has no word in its column.")
    return word


def _mentions(cells: Sequence[tuple[str, str]]) -> list[Mention]:
    """Return the mentions in the words' last columns; of nested mentions of an entity, the inner one closes first."""
    found: list[Mention] = []
    opened: dict[str, list[int]] = defaultdict(list)
    for position, (where, cell) in enumerate(cells):
        if cell in NO_MENTION:
            continue
        if not _CELL.fullmatch(cell):
            raise RecordFault("bad_mentions", f"{where} has no mentions in its last column: {cell[:SHOWN]!r}.")
        for opens, chain, closes in _MARK.findall(cell):
            if opens:
                opened[chain].append(position)
            if closes and not opened[chain]:
                raise RecordFault("unbalanced", f"{where} closes a mention of {chain[:SHOWN]} that no line opens.")
            if closes:
                found.append(Mention(opened[chain].pop(), position, chain))
    for chain, positions in opened.items():
        if positions:
            where = cells[positions[0]][0]
            raise RecordFault("unbalanced", f"{where} opens a mention of {chain[:SHOWN]} that no line closes.")
    return found
