"""Tokens of a text -> symbols, which make texts of different rows comparable.

- All values of a column have one symbol: ``SLOT_MATERIALS_2`` becomes ``SLOT_MATERIALS``.
- An enumeration ("SLOT_MATERIALS , SLOT_MATERIALS_2 and SLOT_MATERIALS_3") is one symbol, ``SLOT_MATERIALS+``.
- A word that mentions a yes/no column expresses the row's answer: ``dishwasher|SLOT_DISHWASHER_SAFE_NO``.
- The words of the row's goal, or a synonym of it, are ``GOAL``.
- Any other token is a symbol as it is.
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
SEVERAL = "+"  # after a column's placeholder: an enumeration of its values
ANSWER_BAR = "|"  # between a word and the agenda token of the answer that it expresses
ARTICLES = frozenset(("a", "an", "a/an"))
ARTICLE = "a/an"
MAX_GAP = 2  # tokens between two values of an enumeration
LONG = 6  # fewest letters of a word that also mentions its column inside another word
MIN_GAP_SHARE = 0.05  # of all gaps between values of one column

Frame = tuple[str, str, str]  # the symbols next to a symbol: two before it, one after


class Row(Protocol):
    """The row of a text; an `Example` is one."""

    @property
    def goal(self) -> str: ...

    @property
    def agenda(self) -> list[str]: ...

    @property
    def agenda_tokens(self) -> list[list[str]]: ...


class Symbol(NamedTuple):
    text: str
    first: int  # position of its first token
    end: int  # the position after its last token
    expresses: str  # "SLOT_COLOUR", "SLOT_WATERPROOF_NO", GOAL; "" for a plain word


@dataclass(frozen=True)
class RowIndex:
    """The columns of a row's values and the words for its goal: a text's symbols are made from them."""

    columns: Mapping[str, str]  # placeholder of a value -> placeholder of its column
    spoken: Mapping[str, str]  # agenda token of an unfilled value, such as yes or no -> its column
    named: Mapping[str, str]  # placeholder of a column, or token of an unfilled value -> the column's name
    goal: Stems
    synonyms: frozenset[str]  # words for the goal


@dataclass(frozen=True)
class Reader:
    """Convert texts to symbols, by what a training part shows about its texts."""

    spoken: Mapping[str, frozenset[str]] = field(default_factory=dict)  # yes/no column -> words that mention it
    gaps: frozenset[tuple[str, ...]] = frozenset()  # tokens between the values of an enumeration
    synonyms: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # goal -> other words for it
    frames: frozenset[Frame] = frozenset()  # in which a synonym means the goal
    names_goal: bool = True  # whether the goal is a thing, not an act

    def index(self, row: Row) -> RowIndex:
        """Look up the columns of a row's values, and the words for its goal."""
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
        return RowIndex(columns, spoken, named, stems, frozenset(self.synonyms.get(goal, ())))

    def read(self, tokens: Sequence[str], row: Row | RowIndex) -> list[Symbol]:
        """Return the symbols of T tokens."""
        index = row if isinstance(row, RowIndex) else self.index(row)
        found: list[Symbol] = []
        place = 0
        while place < len(tokens):
            symbol = self._at(tokens, place, index)
            found.append(symbol)
            place = symbol.end
        words = [symbol.text for symbol in found]
        for place, word in enumerate(words):
            if word in index.synonyms and frame_at(words, place) in self.frames:
                found[place] = found[place]._replace(text=GOAL, expresses=GOAL)
        return found

    def _at(self, tokens: Sequence[str], place: int, index: RowIndex) -> Symbol:
        token = tokens[place]
        if token in index.columns:
            return self._value(tokens, place, index)
        size = _goal_at(tokens, place, index)
        if size:
            return Symbol(GOAL, place, place + size, GOAL)
        expressed = [
            item for item, column in index.spoken.items() if speaks_of(token, self.spoken.get(column, frozenset()))
        ]
        if expressed:
            return Symbol(f"{token}{ANSWER_BAR}{expressed[0]}", place, place + 1, expressed[0])
        if token in ARTICLES and tokens[place + 1 : place + 2] and tokens[place + 1] in index.columns:
            return Symbol(ARTICLE, place, place + 1, "")
        return Symbol(token, place, place + 1, "")

    def _value(self, tokens: Sequence[str], place: int, index: RowIndex) -> Symbol:
        column, last, several = index.columns[tokens[place]], place + 1, ""
        while (following := self._next_of(tokens, last, column, index)) is not None:
            last, several = following + 1, SEVERAL
        return Symbol(column + several, place, last, column)

    def _next_of(self, tokens: Sequence[str], last: int, column: str, index: RowIndex) -> int | None:
        """Return the place of the enumeration's next value, from ``last`` on; None at its end."""
        for place in range(last, min(last + MAX_GAP + 1, len(tokens))):
            if index.columns.get(tokens[place]) == column and tuple(tokens[last:place]) in self.gaps:
                return place
        return None


@lru_cache(maxsize=1 << 14)
def speaks_of(token: str, words: frozenset[str]) -> bool:
    """Return whether a token is one of the words, or has a long one as a part ("nonbusiness")."""
    return token in words or any(len(word) >= LONG and word in token for word in words)


def is_value(word: str) -> bool:
    """Return whether a symbol expresses a value, an answer or the goal of the row."""
    return word == GOAL or word.startswith(PREFIX) or ANSWER_BAR in word


def expressed_by(word: str) -> str:
    """Return the value, answer or goal that a symbol expresses, in the notation of `Symbol.expresses`."""
    return word.rpartition(ANSWER_BAR)[2] if ANSWER_BAR in word else word.removesuffix(SEVERAL)


def bare(words: Iterable[str]) -> tuple[str, ...]:
    """Return symbols without the answers that they express."""
    return tuple(word.partition(ANSWER_BAR)[0] for word in words)


def _goal_at(tokens: Sequence[str], place: int, index: RowIndex) -> int:
    """Return how many tokens from a place on are the goal; 0 if it is not there."""
    size = len(index.goal)
    words = tokens[place : place + size]
    is_goal = size and tuple(stem for word in words for stem in token_stems(word)) == index.goal
    return size if is_goal else 0


def frame_at(words: Sequence[str], place: int) -> Frame:
    """Return the two symbols before a place in a sentence, and the one after it; "" beyond its ends."""
    near = ["", "", *words[max(place - 2, 0) : place]][-2:]
    before = [*near] if near[1] not in ENDS else ["", ""]
    if before[0] in ENDS:
        before[0] = ""
    after = words[place + 1] if place + 1 < len(words) else ""
    return before[0], before[1], "" if after in ENDS else after


def learn_gaps(texts: Iterable[tuple[Sequence[str], Row]]) -> frozenset[tuple[str, ...]]:
    """Return the tokens that separate values of one column in an enumeration, without rare ones."""
    seen = Counter[tuple[str, ...]]()
    reader = Reader()
    for tokens, row in texts:
        columns = reader.index(row).columns
        places = [place for place, token in enumerate(tokens) if token in columns]
        for place, following in pairwise(places):
            if columns[tokens[place]] == columns[tokens[following]] and following - place <= MAX_GAP + 1:
                seen[tuple(tokens[place + 1 : following])] += 1
    return frozenset(gap for gap, count in seen.items() if gap and count >= MIN_GAP_SHARE * seen.total())
