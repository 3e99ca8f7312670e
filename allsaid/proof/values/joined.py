"""Values that a text joins or reorders: "a puzzle-action game", "first or third person", "the City 7 by Falk"."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache

from allsaid.language.numbers import NUMBERS_BY_NAME
from allsaid.language.text import listed
from allsaid.language.units import Words
from allsaid.proof.clauses import sentence_around
from allsaid.proof.derived import COUNTRIES, SEVERAL, are_apart, derived, first_part, rates
from allsaid.proof.values.cues import stem
from allsaid.proof.values.facts import Fact, Inventory

Known = tuple[int, int, list[Fact]]  # a passage, by its start and end, and the known values that it may mean

_CONJUNCTIONS = frozenset(("and", "or", ",", "und", "oder", "et", "ou", "y", "o"))
_ENDINGS = ("-made", "-coloured", "-colored")  # behind a value: "Italian-made", "sand-coloured"
RANGES = frozenset(("to", "through", "till", "until", "-", "–"))
_PREPOSITIONS = frozenset(("by", "from", "of", "at", "von", "vom", "de", "par", "di"))
_ARTICLES = frozenset(("a", "an", "the"))
_IS = frozenset(("is", "are", "this", "these", "our", ":"))  # the record is what follows, unless a link is between
_LINKS = listed("as like than with of for to from by in on at that which . ! ? ;")
_REGIONS = frozenset(("north", "south", "central", "latin", "east", "west", "native"))  # "South American" is no country
_REACH = 4  # most words from "is" to a country
_HOW_OFTEN = frozenset(map(stem, ("every", "each", "interval", "frequency", "often", "cycle", "rhythm")))
_WHOLLY = frozenset(("pure", "all", "solely", "exclusively", "entirely"))
_NAMES = {str(number): name for name, number in NUMBERS_BY_NAME.items()}
_PACK = 4  # most words from the number of things in a pack to the size of each
_SINGLE = frozenset(("a", "an", *".!?"))
_GRADES = frozenset(("class", "grade", "rated", "rating", "category", "label", "level", "an"))
_MAX_CONJUNCTIONS = 4  # most conjunctions and commas in a row between two values


def hyphenated(words: Sequence[str], known: Collection[str]) -> Iterator[tuple[int, list[str]]]:
    """Yield (place, parts) of each hyphenated word made only of known values, after dropping an ending such as "-made".

    ``known``: the known values of one word. In other hyphenated words, a part means something else: "oil-free".
    """
    for place, word in enumerate(words):
        if "-" not in word or word in known:
            continue
        value = next((word.removesuffix(ending) for ending in _ENDINGS if word.endswith(ending)), word)
        parts = [part for part in value.split("-") if part not in _CONJUNCTIONS]
        if parts and all(part in known for part in parts):
            yield place, parts


def sharing(words: Sequence[str], facts: Sequence[Fact]) -> Iterator[tuple[int, int, int]]:
    """Yield (start, end, item) of each value whose last word is only written after the next value.

    In "first or third person", it is "first person". The next value, "third person", is of the same column and follows
    "and", "or" or a comma.
    """
    for item, fact in enumerate(facts):
        form = fact.forms[0] if fact.forms else ()
        if len(form) < 2 or form[0] not in words:
            continue
        ends = {other.forms[0] for other in facts if other.column == fact.column and other is not fact and other.forms}
        heads = {other[:-1] for other in ends if other[-1] == form[-1]}
        for start in range(len(words)):
            end = start + len(form) - 1
            if heads and tuple(words[start:end]) == form[:-1] and _goes_on(words, end, heads, form[-1]):
                yield start, end, item


def ranging(words: Sequence[str], facts: Sequence[Fact]) -> Iterator[tuple[int, int, int]]:
    """Yield (start, end, item) of each item between the two ends of a range: M and L in "sizes S to XL"."""
    places = [place for place, word in enumerate(words) if word in RANGES]
    forms = [(item, fact.column, form) for item, fact in enumerate(facts) for form in fact.forms] if places else []
    for place in places:
        before = place - (words[place - 1] == "up")
        first = [(item, name) for item, name, form in forms if tuple(words[before - len(form) : before]) == form]
        last = [(item, name) for item, name, form in forms if tuple(words[place + 1 : place + 1 + len(form)]) == form]
        for item in {
            between for low, name in first for top, other in last if name == other for between in range(low + 1, top)
        }:
            yield place, place + 1, item


def owned(words: Sequence[str], facts: Sequence[Fact]) -> Iterator[tuple[int, int, int]]:
    """Yield (start, end, item) of each value whose first words are a genitive: "Korrin's Terra" of Korrin Terra."""
    for place, word in enumerate(words):
        for item, fact in enumerate(facts) if word == "'s" else ():
            form = fact.forms[0] if fact.forms else ()
            for size in range(1, len(form)):
                start, end = place - size, place + 1 + len(form) - size
                if (
                    start >= 0
                    and tuple(words[start:place]) == form[:size]
                    and tuple(words[place + 1 : end]) == form[size:]
                ):
                    yield start, end, item


def turned(words: Sequence[str], facts: Sequence[Fact]) -> Iterator[tuple[int, int, int]]:
    """Yield (start, end, item) of each value whose first words follow the others: "the City 7 by Falk"."""
    for place, word in enumerate(words):
        if word not in _PREPOSITIONS:
            continue
        for item, fact in enumerate(facts):
            form = fact.forms[0] if fact.forms else ()
            for size in range(1, len(form)):
                behind, before = form[:size], form[size:]
                start, end = place - len(before), place + 1 + size
                if start >= 0 and tuple(words[place + 1 : end]) == behind and tuple(words[start:place]) == before:
                    yield start, end, item


def compound(words: Sequence[str], facts: Sequence[Fact]) -> Iterator[tuple[int, int, int]]:
    """Yield (start, end, item) of each value that is the first part of a compound adjective: "steel-framed".

    The last part may also name the value's column: "English-language" of the language English.
    """
    for place, word in enumerate(words):
        *before, last = word.split("-")
        value = first_part(word) if before else ()
        for item, fact in enumerate(facts) if before else ():
            first = tuple(before) if stem(last) in fact.cues else value
            if first and (first in fact.forms or first in fact.inflected or first in fact.derived):
                yield place, place + 1, item


def countries_of(
    words: Sequence[str], goals: Iterable[range], facts: Sequence[Fact], known: Inventory
) -> Iterator[Known]:
    """Yield each known country whose other name or adjective is right before the goal: "is a Japanese mug".

    Elsewhere it may belong to another thing: "made with a French press", "looks like a Japanese mug". The record's own
    value must be another country: "Kyoto" may be in Japan.
    """
    own = {fact.column: fact.forms[0] for fact in facts if fact.forms}
    by_words = _by_country(known) if not COUNTRIES.isdisjoint(own.values()) else {}
    for goal in goals if by_words else ():
        for start in range(max(goal.start - 2, 0), goal.start):
            found = by_words.get((*words[start : goal.start],), ())
            others = [fact for fact in found if are_apart(fact.forms[0], own.get(fact.column, ()))]
            if others and words[start - 1] not in _REGIONS and _says_what_it_is(words, start):
                yield start, goal.start, others


def _says_what_it_is(words: Sequence[str], end: int) -> bool:
    """Return whether the words before a noun say that the record is one: "is a fine", "this"; not "is as good as a"."""
    start = max(end - _REACH, 0)
    near = next((word for word in reversed(words[start:end]) if word in _IS or word in _LINKS), "")
    return near in _IS or (not near and start == 0 and words[0] in _ARTICLES)


@lru_cache(maxsize=1 << 10)
def _by_country(known: Inventory) -> dict[Words, list[Fact]]:
    found: dict[Words, list[Fact]] = {}
    for fact in known.facts:
        form = fact.forms[0] if fact.forms else ()
        for words in derived(form) if form in COUNTRIES else ():
            found.setdefault(words, []).append(fact)
    return found


def repeating(words: Sequence[str], facts: Sequence[Fact]) -> Iterator[tuple[int, int, int]]:
    """Yield (start, end, item) of each passage that says how often, as a value does: "twice weekly", "every fortnight".

    A number of days states it only if the column or a word of the sentence is about it: "water it every week".
    """
    wanted = [(item, *fact.rate) for item, fact in enumerate(facts) if fact.rate is not None]
    for start, end, rate in rates(words) if wanted else ():
        sentence = sentence_around(words, start, end)
        for item, own, is_interval in wanted:
            cues = facts[item].cues
            is_about = not cues.isdisjoint(_HOW_OFTEN) or any(stem(words[place]) in cues for place in sentence)
            if own == rate and (is_about or not is_interval):
                yield start, end, item


def packed(words: Sequence[str], facts: Sequence[Fact]) -> Iterator[tuple[int, int, int]]:
    """Yield (start, end, item) of each pack of several: "two bottles of 400 ml" of "2 x 400 ml"."""
    for item, fact in enumerate(facts):
        form = fact.forms[0] if fact.forms else ()
        if len(form) < 3 or form[1] not in ("x", "×", "*") or not form[0].isdecimal():
            continue
        several = {form[0], *(word for word, number in SEVERAL.items() if number == int(form[0]))}
        inner = {form[2:], (_NAMES.get(form[2], form[2]), *form[3:]), (*form[2:3], "-", *form[3:])}
        for place in range(len(words)):
            end = next((place + len(one) for one in inner if tuple(words[place : place + len(one)]) == one), 0)
            start = next((at for at in range(max(place - _PACK, 0), place) if words[at] in several), -1)
            is_single = form[0] == "1" and _is_single(words[max(place - _PACK, 0) : place])
            if end and (start >= 0 or is_single):
                yield start if start >= 0 else place, end, item


def _is_single(before: Sequence[str]) -> bool:
    """Return whether a size follows no number of things, or an article after it: "for 89 with a 4 Ah battery"."""
    counts = (word for word in reversed(before) if word in SEVERAL or word.isdecimal() or word in _SINGLE)
    return next(counts, "a") in _SINGLE


def graded(words: Sequence[str], facts: Sequence[Fact]) -> Iterator[tuple[int, int, int]]:
    """Yield (start, end, item) of each value that is a letter like an article: "class A", "rated A", "an A"."""
    for item, fact in enumerate(facts):
        letter = fact.line.rpartition("=")[2].lower()
        if fact.forms or fact.number is not None or len(letter) != 1 or not letter.isalpha():
            continue
        for place in range(1, len(words)):
            is_named = words[place - 1] in _GRADES or stem(words[place - 1]) in fact.cues
            if (words[place] == letter and is_named) or words[place] == f"{letter}-rated":
                yield place, place + 1, item


def wholly(words: Sequence[str], facts: Sequence[Fact]) -> Iterator[tuple[int, int, int]]:
    """Yield (start, end, item) of each share of 100% that a word states beside its column: "pure arabica"."""
    whole = [(item, fact) for item, fact in enumerate(facts) if fact.forms and fact.forms[0] == ("100", "%")]
    for place in range(1, len(words)) if whole else ():
        if words[place - 1] in _WHOLLY:
            yield from ((place - 1, place + 1, item) for item, fact in whole if stem(words[place]) in fact.cues)


def _goes_on(words: Sequence[str], place: int, heads: Collection[tuple[str, ...]], last: str) -> bool:
    """Return whether a conjunction follows, and then another value that ends with the same last word."""
    if place >= len(words) or words[place] not in _CONJUNCTIONS:
        return False
    begin = place + 1
    while begin < len(words) and words[begin] in _CONJUNCTIONS and begin - place < _MAX_CONJUNCTIONS:
        begin += 1
    ends = [begin + len(head) for head in heads if tuple(words[begin : begin + len(head)]) == head]
    return any(words[end : end + 1] in ([last], [f"{last}s"]) or _goes_on(words, end, heads, last) for end in ends)
