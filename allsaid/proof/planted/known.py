"""The wording of reference texts: whole sentences, neighbours of words, and places of each column's values.

The *kind* of a token is the token itself; for a placeholder its column's (``SLOT_COLOUR_2`` -> ``SLOT_COLOUR``); for a
mark that ends a sentence, and beyond a text, `EDGE`. A place in a text is *bound* to a column if the two kinds before
it are followed by that column's placeholders in at least three quarters of all cases.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from allsaid.proof.habits import ENDS, sentences
from schemas.act import PREFIX, Slot, parse_agenda_line
from schemas.example import LINE_BREAK, NO_ITEM, Example

EDGE = ""
MIN_BOUND = 0.75  # smallest share of the cases of a frame in which the column follows it
MIN_SUBJECT = 0.5  # smallest share of texts that mention the subject first
DANGLING = 3  # fewest kinds that follow a dangling word, which never ends a clause

Words = tuple[str, ...]


def column_of(token: str) -> str:
    """Return the kind of a placeholder."""
    return re.sub(r"_\d+$", "", token)


def is_slot(token: str) -> bool:
    return token.startswith(PREFIX)


def is_mark(token: str) -> bool:
    return token == LINE_BREAK or not any(map(str.isalnum, token))


def is_word(token: str) -> bool:
    return not is_slot(token) and not is_mark(token)


def kind_of(token: str) -> str:
    return column_of(token) if is_slot(token) else EDGE if token in ENDS or token == LINE_BREAK else token


def kinds(tokens: Iterable[str]) -> list[str]:
    return list(map(kind_of, tokens))


def clauses(tokens: Sequence[str]) -> Iterator[range]:
    """Yield the places of the words between two marks, whether or not these end a sentence."""
    start = 0
    for place in range(len(tokens) + 1):
        if place == len(tokens) or is_mark(tokens[place]):
            if place > start:
                yield range(start, place)
            start = place + 1


def find(tokens: Sequence[str], words: Sequence[str]) -> int | None:
    """Return where the words appear in the text in one piece; None if they do not."""
    places = range(len(tokens) - len(words) + 1) if words else range(0)
    return next((place for place in places if list(tokens[place : place + len(words)]) == list(words)), None)


@dataclass(frozen=True)
class Sentence:
    """A sentence of a reference text, with its mark."""

    tokens: Words
    slots: tuple[Slot, ...]  # the slots of its row that it mentions, each once
    linked: tuple[int, ...]  # the places in it that mention one of them
    example: Example


@dataclass
class Known:
    """The wording of reference texts, as `study` counts it."""

    sentences: list[Sentence] = field(default_factory=list)
    whole_spans: set[Words] = field(default_factory=set)  # kinds of whole sentences, and of whole clauses
    pairs: set[tuple[str, str]] = field(default_factory=set)  # neighbouring kinds
    triples: set[tuple[str, str, str]] = field(default_factory=set)
    followers: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    frames: dict[tuple[str, str], Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    finals: set[str] = field(default_factory=set)  # kinds that appear before a mark, or at the end of a text
    goals: dict[Words, set[str]] = field(default_factory=lambda: defaultdict(set))  # the words of each goal's texts
    subject: str = ""  # the column that most texts mention first

    def bound_to(self, before: Sequence[str]) -> str:
        """Return the column to which the place after these kinds is bound; "" if it is bound to none."""
        if len(before) < 2 or not (found := self.frames.get((before[-2], before[-1]))):
            return ""
        kind, times = found.most_common(1)[0]
        return kind if is_slot(kind) and times >= MIN_BOUND * found.total() else ""

    def is_dangling(self, word: str) -> bool:
        """Return whether a word never ends a clause and occurs before many kinds, or before a value."""
        if not is_word(word) or word in self.finals or not (after := self.followers.get(word)):
            return False
        return len(after) >= DANGLING or any(map(is_slot, after))

    def can_modify(self, column: str) -> bool:
        """Return whether a column's values appear before a noun: a goal's word or one that ends clauses."""
        nouns = {word for goal in self.goals for word in goal} | self.finals
        return any(is_word(kind) and kind in nouns for kind in self.followers[column])

    def are_apart(self, goal: Words, other: Words) -> bool:
        """Return whether texts of one goal never use the other's words, nor a longer or a shorter form of them."""
        alike = any(word_of_goal in word or word in word_of_goal for word_of_goal in goal for word in other)
        return not alike and not self.goals[goal] & {*other} and not self.goals[other] & {*goal}


def study(examples: Iterable[Example]) -> Known:
    """Count the wording of reference texts; give all parts, since wording of any of them is no fault."""
    known, first = Known(), Counter[str]()
    for number, example in enumerate(examples, 1):
        found = [EDGE, EDGE, *kinds(example.tokens), EDGE]
        for before, kind, after in zip(found, found[1:], found[2:], strict=False):
            known.triples.add((before, kind, after))
            known.frames[EDGE if kind == EDGE else before, kind][after] += 1
        for kind, after in pairwise(found[1:]):
            known.pairs.add((kind, after))
            known.followers[kind][after] += 1
        for places in clauses(example.tokens):
            known.finals.add(kind_of(example.tokens[places[-1]]))
            known.whole_spans.add(tuple(kinds(example.tokens[places.start : places.stop])))
        for sentence in split(example):
            known.sentences.append(sentence)
            known.whole_spans.add(body(sentence.tokens))
        known.goals[tuple(example.goal_tokens)].update(filter(is_word, example.tokens))
        first.update([next(filter(is_slot, found), "")])
        column, times = first.most_common(1)[0]
        known.subject = column if times >= MIN_SUBJECT * number else ""
    return known


def body(sentence: Sequence[str]) -> Words:
    """Return the kinds of a sentence's tokens, without the marks at its end."""
    end = len(sentence)
    while end and is_mark(sentence[end - 1]):
        end -= 1
    return tuple(kinds(sentence[:end]))


def split(example: Example) -> Iterator[Sentence]:
    """Yield the sentences of an example's text."""
    slots = [parse_agenda_line(line) for line in example.agenda]
    for places in sentences(example.tokens):
        items = [example.ref_items[place] for place in places]
        mentioned = dict.fromkeys(item for item in items if item != NO_ITEM)
        linked = tuple(place for place, item in enumerate(items) if item != NO_ITEM)
        tokens = tuple(example.tokens[places.start : places.stop])
        yield Sentence(tokens, tuple(slots[item] for item in mentioned), linked, example)
