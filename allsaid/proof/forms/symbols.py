"""The tokens of a text -> symbols, in which texts of different rows can be compared.

A value's placeholder is its column's, however many the row has: ``SLOT_MATERIALS_2`` is ``SLOT_MATERIALS``, and an
enumeration ("SLOT_MATERIALS , SLOT_MATERIALS_2 and SLOT_MATERIALS_3") is one symbol, ``SLOT_MATERIALS+``. A word by
which texts speak of a yes/no column carries what the row says of it: ``dishwasher|SLOT_DISHWASHER_SAFE_NO``. The words
of the row's goal, or a synonym of it, are ``GOAL``. All other tokens are symbols as they are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple, Protocol

from allsaid.proof.foods.names import Stems, stems_of, token_stems
from allsaid.proof.habits import ENDS
from schemas.act import PREFIX, is_unfilled, parse_agenda_line

GOAL = "GOAL"
SEVERAL = "+"  # behind a column's placeholder: an enumeration of its values
CARRIES = "|"  # between a word and the agenda token that it expresses
ARTICLES = frozenset(("a", "an", "a/an"))
ARTICLE = "a/an"
MAX_GAP = 2  # tokens between two values of an enumeration
_NO_WORDS: frozenset[str] = frozenset()
LONG = 6  # letters of a word that speaks of a column as a part of another word, too
MIN_GAP_SHARE = 0.05  # of all gaps between values of one column


Frame = tuple[str, str, str]  # what stands beside a symbol: two before it, one behind


class Row(Protocol):
    """What a text is made from; an `Example` is one."""

    @property
    def goal(self) -> str: ...

    @property
    def agenda(self) -> list[str]: ...

    @property
    def agenda_tokens(self) -> list[list[str]]: ...


class Symbol(NamedTuple):
    text: str
    first: int  # of its tokens
    last: int  # behind its tokens
    carries: str  # "SLOT_COLOUR", "SLOT_WATERPROOF_NO", GOAL; "" of a plain word


@dataclass(frozen=True)
class View:
    """A row as its symbols are read."""

    columns: Mapping[str, str]  # placeholder of a value -> placeholder of its column
    spoken: Mapping[str, str]  # agenda token of a value without a placeholder -> its column
    named: Mapping[str, str]  # placeholder of a column, or such a token -> the column's name
    goal: Stems
    synonyms: frozenset[str]  # words for the goal


@dataclass(frozen=True)
class Reader:
    """How the texts of a training part are read."""

    spoken: Mapping[str, frozenset[str]] = field(default_factory=dict)  # yes/no column -> words that speak of it
    gaps: frozenset[tuple[str, ...]] = frozenset()  # what stands between the values of an enumeration
    synonyms: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # goal -> other words for it
    frames: frozenset[Frame] = frozenset()  # in which a synonym stands for the goal
    names_goal: bool = True  # whether the goal names a thing, and no act

    def view(self, row: Row) -> View:
        columns: dict[str, str] = {}
        spoken: dict[str, str] = {}
        first: dict[str, str] = {}
        named: dict[str, str] = {}
        for tokens, line in zip(row.agenda_tokens, row.agenda, strict=True):
            if len(tokens) != 1 or not tokens[0].startswith(PREFIX):
                continue
            column = parse_agenda_line(line).slot
            if is_unfilled(tokens[0], line):
                spoken[tokens[0]] = named[tokens[0]] = column
            else:
                columns[tokens[0]] = first.setdefault(column, tokens[0])
                named[first[column]] = column
        goal = " ".join(row.goal.lower().split())
        stems = stems_of(goal.split()) if self.names_goal else ()
        return View(columns, spoken, named, stems, frozenset(self.synonyms.get(goal, ())))

    def read(self, tokens: Sequence[str], row: Row | View) -> list[Symbol]:
        """The symbols of T tokens."""
        view = row if isinstance(row, View) else self.view(row)
        found: list[Symbol] = []
        place = 0
        while place < len(tokens):
            symbol = self._at(tokens, place, view)
            found.append(symbol)
            place = symbol.last
        return self._with_synonyms(found, view) if view.synonyms else found

    def _with_synonyms(self, symbols: list[Symbol], view: View) -> list[Symbol]:
        words = [symbol.text for symbol in symbols]
        return [
            symbol._replace(text=GOAL, carries=GOAL)
            if symbol.text in view.synonyms and frame_at(words, place) in self.frames
            else symbol
            for place, symbol in enumerate(symbols)
        ]

    def _at(self, tokens: Sequence[str], place: int, view: View) -> Symbol:
        token = tokens[place]
        if token in view.columns:
            return self._value(tokens, place, view)
        size = _goal_at(tokens, place, view)
        if size:
            return Symbol(GOAL, place, place + size, GOAL)
        carried = [item for item, column in view.spoken.items() if speaks_of(token, self.spoken.get(column, _NO_WORDS))]
        if carried:
            return Symbol(f"{token}{CARRIES}{carried[0]}", place, place + 1, carried[0])
        if token in ARTICLES and tokens[place + 1 : place + 2] and tokens[place + 1] in view.columns:
            return Symbol(ARTICLE, place, place + 1, "")
        return Symbol(token, place, place + 1, "")

    def _value(self, tokens: Sequence[str], place: int, view: View) -> Symbol:
        column, last, several = view.columns[tokens[place]], place + 1, ""
        while (behind := self._next_of(tokens, last, column, view)) is not None:
            last, several = behind + 1, SEVERAL
        return Symbol(column + several, place, last, column)

    def _next_of(self, tokens: Sequence[str], last: int, column: str, view: View) -> int | None:
        """The place of the next value of an enumeration that goes on at ``last``."""
        for place in range(last, min(last + MAX_GAP + 1, len(tokens))):
            if view.columns.get(tokens[place]) == column and tuple(tokens[last:place]) in self.gaps:
                return place
        return None


@lru_cache(maxsize=1 << 14)
def speaks_of(token: str, words: frozenset[str]) -> bool:
    """Whether a token is one of some words, or has a long one as a part ("nonbusiness")."""
    return token in words or any(len(word) >= LONG and word in token for word in words)


def is_value(word: str) -> bool:
    """Whether a symbol expresses something of the row."""
    return word == GOAL or word.startswith(PREFIX) or CARRIES in word


def _goal_at(tokens: Sequence[str], place: int, view: View) -> int:
    """How many tokens from a place on are the goal; 0 where it isn't there."""
    size = len(view.goal)
    words = tokens[place : place + size]
    is_goal = size and tuple(stem for word in words for stem in token_stems(word)) == view.goal
    return size if is_goal else 0


def frame_at(words: Sequence[str], place: int) -> Frame:
    """The two symbols before a place in a sentence, and the one behind it; "" beyond its ends."""
    near = ["", "", *words[max(place - 2, 0) : place]][-2:]
    before = [*near] if near[1] not in ENDS else ["", ""]
    if before[0] in ENDS:
        before[0] = ""
    behind = words[place + 1] if place + 1 < len(words) else ""
    return before[0], before[1], "" if behind in ENDS else behind


def learn_gaps(texts: Iterable[tuple[Sequence[str], Row]]) -> frozenset[tuple[str, ...]]:
    """What stands between two values of one column in at least a twentieth of such places."""
    seen = Counter[tuple[str, ...]]()
    reader = Reader()
    for tokens, row in texts:
        columns = reader.view(row).columns
        places = [place for place, token in enumerate(tokens) if token in columns]
        for one, other in pairwise(places):
            if columns[tokens[one]] == columns[tokens[other]] and other - one <= MAX_GAP + 1:
                seen[tuple(tokens[one + 1 : other])] += 1
    return frozenset(gap for gap, count in seen.items() if gap and count >= MIN_GAP_SHARE * seen.total())
