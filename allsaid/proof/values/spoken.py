"""The yes or no that a text says of a column: by phrases of the mapping, else by the negations in its clauses."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from allsaid.proof import findings
from allsaid.proof.polarity import clauses_of, is_negated, places_of
from allsaid.proof.values.facts import Fact, Text
from allsaid.proof.values.reading import Reading
from schemas.texts.finding import LOOK

_NON_REACH = 2  # words before


def find_spoken(reading: Reading) -> None:
    """Find the yes or no that a text says, and what it only names."""
    for item, fact in enumerate(reading.facts):
        if fact.says is None:
            reading.mentions[item].update(spoken_places(reading.text, fact, reading.taken))
            continue
        answers = answers_of(reading, fact)
        hedged = answers.pop(None, set())
        if fact.says in answers:
            reading.mentions[item].update(answers[fact.says])
        elif hedged and not answers:
            reading.find(LOOK, fact.column, fact.line, findings.HEDGED, (min(hedged), max(hedged) + 1))
            reading.taken.update(hedged)


def answers_of(reading: Reading, fact: Fact) -> dict[bool | None, set[int]]:
    """Return a text's answers about a yes/no column with the positions of their words; None is for what is hedged."""
    text, scope = reading.text, reading.scope
    found: dict[bool | None, set[int]] = {}
    for answer, phrase in fact.idioms:
        for span in places_of(text.words, phrase):
            if reading.taken.isdisjoint(span) and span.start not in scope.of_another:
                denied = is_negated(text.words, span) if answer else scope.is_denied(span.start, span.stop)
                found.setdefault(answer is not denied, set()).update(span)
    idioms = set().union(*found.values())
    if fact.keywords and (instead := spoken_places(text, fact, reading.taken) & scope.instead):
        found.setdefault(False, set()).update(instead)
    places = spoken_places(text, fact, reading.taken | scope.of_another)
    if idioms and places:  # the other words of their clauses answer nothing
        places.difference_update(*(clause for clause in clauses_of(text.words) if not idioms.isdisjoint(clause)))
    if hedged := {place for place in places if scope.is_hedged(place)}:
        found[None] = hedged
        places -= hedged
    if without := {place for place in places if _is_non(text.words, place) or _is_free(text, fact, place)}:
        found.setdefault(False, set()).update(without)
        places -= without
    negated = is_negated(text.words, places)
    if negated is not None:
        found.setdefault(not negated, set()).update(places)
    return found


def _is_non(words: Sequence[str], place: int) -> bool:
    """Whether a word is denied by a syllable before it: "non-family-friendly", "non smoking", "non kid friendly"."""
    before = words[max(place - _NON_REACH, 0) : place]
    return any(word == "non" or word.startswith("non-") for word in (*before, words[place]))


def _is_free(text: Text, fact: Fact, place: int) -> bool:
    """Whether a word denies a thing, such as "pet-free", and the column is not itself about being free of it."""
    return text.words[place].endswith("-free") and fact.keywords.isdisjoint(("free", text.keys[place]))


def spoken_places(text: Text, fact: Fact, taken: Collection[int] = ()) -> set[int]:
    """Return the positions of the words that mention a column, except the ``taken`` ones."""
    return {place for key in fact.keywords for place in text.places.get(key, ())}.difference(taken)
