"""Faults of wording: clauses cut, joined and crossed; words doubled, moved, left out or replaced."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from random import Random

from allsaid.proof.habits import sentences
from allsaid.proof.planted.edit import Edit, values_of
from allsaid.proof.planted.known import EDGE, Known, clauses, column_of, is_mark, is_slot, is_word, kind_of, kinds
from schemas.example import Example

PHRASES = range(2, 5)  # words of a phrase that is repeated
SHUFFLED = range(4, 6)  # words of a stretch that is shuffled
ORDERS = 50  # most orders of a stretch that are tried
OTHERS = 100  # most sentences with whose clauses each clause is crossed


def cut(example: Example, known: Known, chance: Random) -> Iterator[Edit]:
    """Break a clause off after a word that can't end one; the text continues after the clause, or ends there."""
    tokens = example.tokens
    for places in clauses(tokens):
        for place in places[1:]:
            if known.is_dangling(tokens[place - 1]):
                yield Edit("a clause broken off", place, places.stop, ())
                yield Edit("the text broken off", place, len(tokens), ())


def joined(example: Example, known: Known, chance: Random) -> Iterator[Edit]:
    """Continue a sentence with the end of another one."""
    tokens, values = example.tokens, values_of(example)
    before = [EDGE, EDGE, *kinds(tokens)]
    parts = [part for part in sentences(tokens) if is_mark(tokens[part[-1]])]
    for sentence in parts:
        for other in parts:
            if sentence == other:
                continue
            for place in other[1:-1]:
                tail = tuple(tokens[place : other[-1]])
                end, last = sentence[-1], tokens[sentence[-1] - 1]
                if is_slot(tokens[place]) and not is_mark(tokens[place - 1]):
                    is_figure = any(map(str.isdigit, values.get(last, "")))
                    is_noun_next = is_slot(last) and not is_figure and known.can_modify(column_of(last))
                    is_new = (kind_of(last), kind_of(tokens[place])) not in known.pairs
                    if is_new and not is_noun_next and column_of(last) != column_of(tokens[place]):
                        yield Edit("a sentence's end behind another's", end, end, tail)
                elif is_word(tokens[place]) and not is_mark(tokens[place - 1]):
                    for at in sentence[1:]:
                        column = known.bound_to(before[at : at + 2])
                        is_new = (kind_of(tokens[at - 1]), tokens[place]) not in known.pairs
                        is_new &= column not in kinds(tail) and any(map(is_slot, tail))
                        if column and column == column_of(tokens[at]) != known.subject and is_new:
                            yield Edit("a sentence's end for a value", at, sentence[-1], tail)


def doubled(example: Example, known: Known, chance: Random) -> Iterator[Edit]:
    """Repeat a word or a phrase."""
    tokens = example.tokens
    for place, token in enumerate(tokens):
        if not is_mark(token) and (kind_of(token),) * 2 not in known.pairs:
            yield Edit("a word repeated", place, place, (token,))
    for places in clauses(tokens):
        for size in PHRASES:
            for place in range(places.start, places.stop - size + 1):
                phrase = tuple(tokens[place : place + size])
                if size < len(places) and (kind_of(phrase[-1]), kind_of(phrase[0])) not in known.pairs:
                    yield Edit("a phrase repeated", place, place, phrase)


def crossed(example: Example, known: Known, chance: Random) -> Iterator[Edit]:
    """Continue a clause with the end of another one after a shared word, so that it states another column's value."""
    return (edit for edit in _crossed(example, known, chance) if any(map(is_slot, edit.words)))


def crossed_bare(example: Example, known: Known, chance: Random) -> Iterator[Edit]:
    """Do the same with an end that has no value; some of these clauses are right, and only state less."""
    return (edit for edit in _crossed(example, known, chance) if not any(map(is_slot, edit.words)))


def _crossed(example: Example, known: Known, chance: Random) -> Iterator[Edit]:
    tokens = example.tokens
    named = {token for words in example.agenda_tokens for token in words}
    alike = [sentence.tokens for sentence in known.sentences if sentence.example.goal_tokens == example.goal_tokens]
    before = [EDGE, EDGE, *kinds(tokens)]
    for places in clauses(tokens):
        clause = tokens[places.start : places.stop]
        for place in range(1, len(clause)):
            at = places.start + place
            column, shared = known.bound_to(before[at : at + 2]), clause[place - 1]
            if not column or column != column_of(clause[place]) or column == known.subject or not is_word(shared):
                continue  # "meet the red mug" would be true where "meet the SLOT_NAME" is said
            for other in chance.sample(alike, min(OTHERS, len(alike))):
                for other_clause, end in _tails(other, shared):
                    found = (*clause[:place], *end)
                    slots = _slots(found)
                    is_new = tuple(kinds(found)) not in known.whole_spans
                    is_new &= (*before[at : at + 2], kind_of(end[0])) not in known.triples
                    if is_new and column not in slots and {*filter(is_slot, end)} <= named:
                        is_same = slots in (_slots(clause), _slots(other_clause))
                        way = "crossed, to say what one of the two does" if is_same else "crossed"
                        yield Edit(f"two clauses {way}", at, places.stop, end)


def _tails(sentence: Sequence[str], shared: str) -> Iterator[tuple[Sequence[str], tuple[str, ...]]]:
    """Yield each clause with the shared word, and its words after that."""
    for places in clauses(sentence):
        clause = sentence[places.start : places.stop]
        for place, token in enumerate(clause[:-1]):
            if token == shared:
                yield clause, tuple(clause[place + 1 :])


def _slots(tokens: Sequence[str]) -> list[str]:
    return sorted(map(column_of, filter(is_slot, tokens)))


def reordered(example: Example, known: Known, chance: Random) -> Iterator[Edit]:
    """Shuffle words, leave out the word before a value, or replace it by one that precedes another column's."""
    tokens = example.tokens
    before = [EDGE, EDGE, *kinds(tokens), EDGE]
    verbs = sorted(word for word, after in known.followers.items() if is_word(word) and _column_after(word, known))
    for place, token in enumerate(tokens):
        column = known.bound_to(before[place : place + 2])
        is_last = place + 1 == len(tokens) or is_mark(tokens[place + 1])
        if not column or column != column_of(token) or not is_last or place < 2 or not is_word(tokens[place - 1]):
            continue
        if column != known.subject and (before[place], column) not in known.pairs and is_word(tokens[place - 2]):
            yield Edit("the word before a value left out", place - 1, place, ())
        for verb in verbs:
            if _column_after(verb, known) != column and (verb, column) not in known.pairs:
                yield Edit("another column's word before a value", place - 1, place, (verb,))
    for places in clauses(tokens):
        for size in SHUFFLED:
            for start in range(places.start, places.stop - size + 1):
                stretch = tokens[start : start + size]
                if words := _shuffled(stretch, before[start + 1], before[start + size + 2], known, chance):
                    yield Edit("words shuffled", start, start + size, words)


def _column_after(word: str, known: Known) -> str:
    """Return the only column whose values follow a word; "" if there is none."""
    after = known.followers[word]
    return next(iter(after)) if len(after) == 1 and is_slot(next(iter(after))) and after.total() > 1 else ""


def _shuffled(words: Sequence[str], first: str, last: str, known: Known, chance: Random) -> tuple[str, ...]:
    """Return the words in an order without neighbours of reference texts; empty if none is found."""
    found = list(words)
    for _ in range(ORDERS):
        chance.shuffle(found)
        around = [first, *kinds(found), last]
        if all(pair not in known.pairs for pair in pairwise(around)):
            return tuple(found)
    return ()
