"""Faults of values: two exchanged, one at another column's place, or a column or a goal that the row lacks."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from random import Random

from allsaid.proof.clauses import NEGATIONS
from allsaid.proof.habits import sentences
from allsaid.proof.planted.edit import Edit, are_alike, values_of
from allsaid.proof.planted.known import EDGE, Known, Sentence, column_of, find, is_slot, kinds
from allsaid.proof.polarity import is_negated
from schemas.act import SPECIAL, parse_agenda_line
from schemas.example import Example

FOREIGN = 200  # most sentences of other texts that are tried


def swapped(example: Example, known: Known, chance: Random) -> Iterator[Edit]:
    """Exchange two placeholders of different columns; at least one of the places is bound to its own column."""
    tokens, values = example.tokens, values_of(example)
    slots = [place for place, token in enumerate(tokens) if token in values and is_slot(token)]
    before = [EDGE, EDGE, *kinds(tokens)]
    for i, j in combinations(slots, 2):
        first, second = tokens[i], tokens[j]
        if column_of(first) == column_of(second) or are_alike(values[first], values[second]):
            continue
        frames = (before[i : i + 2], before[j : j + 2])
        known_there = any(
            (*frame, column_of(token)) in known.triples for frame, token in zip(frames, (second, first), strict=True)
        )
        is_bound = known.bound_to(frames[0]) == column_of(first) or known.bound_to(frames[1]) == column_of(second)
        if is_bound and not known_there:
            yield Edit("two values exchanged", i, j + 1, (second, *tokens[i + 1 : j], first))


def attached(example: Example, known: Known, chance: Random) -> Iterator[Edit]:
    """Replace a placeholder at a place that is bound to its column by another column's."""
    tokens, values = example.tokens, values_of(example)
    before = [EDGE, EDGE, *kinds(tokens)]
    filled = [token for token, value in values.items() if value and value not in SPECIAL]
    for place, token in enumerate(tokens):
        frame = before[place : place + 2]
        if token not in values or known.bound_to(frame) != column_of(token):
            continue
        for other in filled:
            is_other = column_of(other) != column_of(token) and not are_alike(values[token], values[other])
            if is_other and (*frame, column_of(other)) not in known.triples:
                way = "a value said elsewhere" if other in tokens else "a value not said elsewhere"
                yield Edit(f"{way} for another", place, place + 1, (other,))


def polarity(example: Example, known: Known, chance: Random) -> Iterator[Edit]:
    """Turn yes into no, or no into yes: by a sentence of an opposite row, or by a negation inserted or removed."""
    row = [parse_agenda_line(line) for line in example.agenda]
    binary = {slot.slot: slot.value for slot in row if slot.value in ("yes", "no")}
    named = {token for tokens in example.agenda_tokens for token in tokens}
    places_by_column: dict[str, range] = {}
    for places in sentences(example.tokens):
        items = {example.ref_items[place] for place in places} - {-1}
        if len(items) == 1 and (slot := row[items.pop()]).slot in binary:
            places_by_column[slot.slot] = places
            yield from _negated(example, places, slot.value == "no", known)
    ends = [places.stop for places in sentences(example.tokens)]
    goal = tuple(example.goal_tokens)
    same_goal = [other for other in known.sentences if tuple(other.example.goal_tokens) == goal]
    for other in _some(same_goal, chance):
        if not _says_one(other) or not {*filter(is_slot, other.tokens)} <= named:
            continue
        (slot,) = other.slots
        if binary.get(slot.slot, slot.value) == slot.value or _says_both(other, known):
            continue
        if slot.slot in places_by_column:
            yield Edit(
                "the opposite for it", places_by_column[slot.slot].start, places_by_column[slot.slot].stop, other.tokens
            )
        place = chance.choice(ends)
        yield Edit("the opposite inserted", place, place, other.tokens)


def _says_one(sentence: Sentence) -> bool:
    """Return whether a sentence gives one answer and no other value, with a negation if it is no."""
    values = [slot.value for slot in sentence.slots]
    return values in (["yes"], ["no"]) and is_negated(sentence.tokens, sentence.linked) == (values == ["no"])


def _says_both(sentence: Sentence, known: Known) -> bool:
    """Return whether reference texts have the same sentence for yes and for no."""
    (slot,) = sentence.slots
    alike = (other.slots for other in known.sentences if other.tokens == sentence.tokens)
    return any(other.slot == slot.slot and other.value != slot.value for slots in alike for other in slots)


def _negated(example: Example, places: range, says_no: bool, known: Known) -> Iterator[Edit]:
    tokens = list(example.tokens[places.start : places.stop])
    linked = [place - places.start for place in places if example.ref_items[place] != -1]
    negations = [place for place, token in enumerate(tokens) if token in NEGATIONS]
    if is_negated(tokens, linked) != says_no:
        return
    if says_no and len(negations) == 1:
        place = places.start + negations[0]
        yield Edit("negation removed", place, place + 1, ())
    if not says_no and not negations:
        for place, token in enumerate(tokens[:-1]):
            for negation in sorted(NEGATIONS & known.followers[token].keys()):
                changed = [*tokens[: place + 1], negation, *tokens[place + 1 :]]
                moved = [position + (position > place) for position in linked]
                if is_negated(changed, moved):
                    at = places.start + place + 1
                    yield Edit("negation inserted", at, at, (negation,))


def foreign(example: Example, known: Known, chance: Random) -> Iterator[Edit]:
    """Insert a sentence of another text with another goal, a placeholder or an answer that the row lacks."""
    goal = tuple(example.goal_tokens)
    row = {token for tokens in example.agenda_tokens for token in tokens}
    columns = {parse_agenda_line(line).slot for line in example.agenda}
    ends = [places.stop for places in sentences(example.tokens)]
    for other in _some(known.sentences, chance):
        other_goal = tuple(other.example.goal_tokens)
        lacking = {token for token in other.tokens if is_slot(token)} - row
        place = chance.choice(ends)
        if lacking:
            yield Edit("a placeholder that the row lacks", place, place, other.tokens)
        elif other_goal != goal and find(other.tokens, other_goal) is not None and known.are_apart(goal, other_goal):
            yield Edit("another goal's sentence", place, place, other.tokens)
        elif _says_one(other) and other.slots[0].slot not in columns:
            yield Edit("a yes or no that the row lacks", place, place, other.tokens)


def goal_word(example: Example, known: Known, chance: Random) -> Iterator[Edit]:
    """Insert the goal's words at a wrong place, or replace them by another goal's."""
    tokens, goal = example.tokens, tuple(example.goal_tokens)
    before, values = [EDGE, EDGE, *kinds(tokens)], values_of(example)
    for place, token in enumerate(tokens):
        column, last = known.bound_to(before[place : place + 2]), tokens[place - 1] if place else ""
        if column and column == column_of(token) and column != known.subject:
            yield Edit("a goal word before a value", place, place, goal)
        if before[place + 2] == EDGE and place:  # before a sentence's last mark
            is_noun_next = is_slot(last) and known.can_modify(column_of(last))
            is_figure = any(map(str.isdigit, values.get(last, "")))
            if before[place + 1] != known.subject and (is_figure or not is_noun_next) and last not in goal:
                yield Edit("a goal word at a sentence's end", place, place, goal)
    start = find(tokens, goal)
    for other in sorted(known.goals):
        if start is not None and other != goal and known.are_apart(goal, other):
            yield Edit("another goal for this", start, start + len(goal), other)


def _some(found: list[Sentence], chance: Random) -> list[Sentence]:
    return chance.sample(found, min(FOREIGN, len(found)))
