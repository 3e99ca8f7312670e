"""Weak evidence that a text states a value. It covers values that no other rule has found, but never contradicts one.

    the i7-1360P              of "Core i7-1360P": no other known value of the column has this word
    rated 8.7                 no other number of the record is 8.7, and the text gives it no other unit
    its keys are illuminated  of a yes/no column `illumination`: a word that begins like one of its words

If the text is known to state something else for the value's column, there is no weak evidence.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from allsaid.language.dates import MONTHS
from allsaid.language.text import listed
from allsaid.language.times import HOURS, both_halves
from allsaid.proof import findings
from allsaid.proof.clauses import NEGATIONS, STOPS, sentence_around
from allsaid.proof.polarity import is_negated, places_of
from allsaid.proof.values.cues import column_at, stem
from allsaid.proof.values.extra import DAYS
from allsaid.proof.values.facts import Fact, Inventory, Sign
from allsaid.proof.values.loose import NO_NOUN
from allsaid.proof.values.measures import Measure, Words
from allsaid.proof.values.reading import Reading, is_of_another
from allsaid.proof.values.spoken import PROOF, UN, answers_of, is_open
from schemas.texts.finding import WRONG
from schemas.texts.generated import GOAL

_SHORTEST = 4  # fewest letters that two related words share at their beginning
_REST = 2  # most letters of the shorter word behind these
_DISTINCT = 13  # equal numbers from this one on hardly ever mean two different things in one text
_ENDINGS = ("ly", "ally", "ially", "al", "ial", "ed", "ing", "er", "ers", "y", "ish", "ness")
_EACH = ("each", "both", "alike")
_PART = 3  # fewest letters of a word that is part of a value or a compound
EMPTY_WORDS = listed("""a an the of in on at to for with and or is are was were it its this that as by from has
have be no not free included allowed available""")
_MONTH = r"((?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*) (\d{4})"
# Values of two parts: "June 2026", "Kiel-Oslo", "May to September".
_PAIR = re.compile(_MONTH + r"|([A-Z]\w+)[-–]([A-Z]\w+)|([A-Z][\w ]*?)(?: to | ?[–→] ?| - )([A-Z][\w ]*)")
_KNOWN_PAIR = re.compile(_PAIR.pattern, re.IGNORECASE)  # known values are in lower case


def find_weak(reading: Reading) -> None:
    """Cover facts that no other rule has found by weak evidence: words that belong to nothing else."""
    reported = {finding.column for finding in reading.findings}
    open_facts = [
        (item, fact)
        for item, fact in enumerate(reading.facts)
        if not reading.mentions[item] and fact.column not in (*reported, GOAL)
    ]
    for item, fact in open_facts:
        if fact.says is not None:
            places = set() if answers_of(reading, fact) else _answering(reading, fact)
        elif fact.number is not None or fact.times:
            places = _number(reading, fact) or _shared(reading, fact)
        else:
            places = _part(reading, fact)
        _cover(reading, item, places)
    learned = [(item, reading.known.usage[fact.line]) for item, fact in open_facts if fact.line in reading.known.usage]
    for item, words in learned:
        if is_omitted(reading, item):
            signs = signs_of(reading)
            _cover(reading, item, set().union(*(signs[word] for word in words if word in signs)))
    reading.weak.update(item for item, _ in open_facts if reading.mentions[item])


def drop_approximate(reading: Reading) -> None:
    """Drop the findings of hedged numbers that the text also states exactly: "nearly three metres: 295 cm"."""
    exact = {fact.line for item, fact in enumerate(reading.facts) if fact.number is not None and reading.mentions[item]}
    reading.findings = [one for one in reading.findings if one.kind != findings.HEDGED or one.line not in exact]


def drop_contradicted(reading: Reading) -> None:
    """Take back weak evidence for facts whose column has another value in the text; a list may have both."""
    wrong = {finding.column for finding in reading.findings if finding.grade == WRONG}
    for item in [item for item in reading.weak if reading.facts[item].column in wrong]:
        if not reading.facts[item].is_listed:
            reading.mentions[item].clear()
            reading.weak.discard(item)


def is_omitted(reading: Reading, item: int) -> bool:
    """Return whether no rule finds anything about an item in the text; only for values in words and yes/no items."""
    fact = reading.facts[item]
    is_word = fact.number is None and not fact.times and fact.date is None
    if not is_word or reading.mentions[item] or any(finding.column == fact.column for finding in reading.findings):
        return False
    return fact.says is None or not answers_of(reading, fact)


def signs_of(reading: Reading) -> dict[Sign, set[int]]:
    """Return the positions of words that belong to no known value, number or yes/no column, by stem and negation."""
    text, found = reading.text, dict[Sign, set[int]]()
    known = [range(start, end) for start, end, _ in reading.matches]  # another row's value would be a contradiction
    known += [range(amount.start, amount.end) for amount in reading.numbers.amounts]
    known += [range(measure.start, measure.end) for measure in reading.numbers.measures]
    others = reading.taken.union(reading.scope.of_another, *known)
    for clause in text.clauses:
        for place in clause:
            word = text.words[place]
            is_free = place not in others and word not in EMPTY_WORDS and text.keys[place] not in reading.known.keywords
            if is_free and len(word) >= _PART and word[0].isalpha() and not reading.scope.is_hedged(place):
                negated = bool(is_negated(text.words, {place}, [clause]))
                for part in {word, *word.split("-")}:  # "brand-new"
                    found.setdefault((stem(part), negated), set()).add(place)
    return found


def _keys(fact: Fact) -> set[str]:
    """Return the keywords of a column, without those for things absent or endured, which need exact rules."""
    exact = (*fact.keywords.absent, *fact.keywords.endured)
    return {key for key in fact.keywords.every - EMPTY_WORDS if not key.startswith(exact)}


def _cover(reading: Reading, item: int, places: set[int]) -> None:
    if never := reading.facts[item].never:
        places = {place for place in places if stem(reading.text.words[place]) not in never}
        places -= reading.refused(reading.facts[item])
    reading.mentions[item].update(places)
    reading.taken.update(places)


def _number(reading: Reading, fact: Fact) -> set[int]:
    """Return the positions of a number without a unit, or of an hour, that equals only this fact of the record."""
    alike = [
        other
        for item, other in enumerate(reading.facts)
        if other.number == fact.number and other.times == fact.times and not reading.mentions[item]
    ]
    if len(alike) > 1:
        return set()
    for clock in reading.times if len(fact.times) == 1 else ():
        if not clock.minutes.isdisjoint(fact.times) and reading.taken.isdisjoint(range(clock.start, clock.end)):
            return set(range(clock.start, clock.end))
    spans = [range(clock.start, clock.end) for clock in reading.times]
    spans += [range(amount.start, amount.end) for amount in reading.numbers.amounts if len(amount.numbers) > 1]
    limits = {amount.start for amount in reading.numbers.amounts}  # "14+", "nine and over"
    elsewhere = reading.taken.union(reading.scope.of_another, *spans)
    for measure in reading.numbers.measures:
        is_alone = [*reading.text.words[measure.end : measure.end + 1]] in NO_NOUN or measure.start in limits
        if measure.number >= _DISTINCT or measure.number % 1 != 0:
            is_alone = column_at(reading.text.words, measure.start, measure.end, reading.written.columns, True) in (
                "",
                fact.column,
            )
        is_free = not measure.unit and is_alone and measure.start not in elsewhere
        if is_free and _is_same(measure, fact) and not is_of_another(reading, measure.start, measure.end, fact):
            return set(range(measure.start, measure.end))
    return set()


def _shared(reading: Reading, fact: Fact) -> set[int]:
    """Return the position of a number that a sentence states of two columns: "water and air have 29 °C each"."""
    if fact.number is None:
        return set()
    words, facts = reading.text.words, reading.facts
    same = [item for item, of in enumerate(facts) if of.number == fact.number and of.units == fact.units]
    for place in (place for place, word in enumerate(words) if word in _EACH and len(same) > 1):
        sentence = sentence_around(words, place, place)
        stated = [at for item in same for at in reading.mentions[item] if at in sentence]
        if stated and any(stem(words[at]) in fact.cues for at in sentence):
            return {stated[0]}
    return set()


def _is_same(measure: Measure, fact: Fact) -> bool:
    if fact.times:
        return (
            measure.number in HOURS and len(fact.times) == 1 and fact.times[0] in both_halves(60 * int(measure.number))
        )
    return measure.number == fact.number


def _part(reading: Reading, fact: Fact) -> set[int]:
    """Return the positions of the value's words that no other value of the column or row has.

    A word next to an unknown name does not count.
    """
    if "/" in fact.words and (both := _all_parts(reading, fact.forms[0])):
        return both
    if (ends := _ends_of(fact, _PAIR)) and _is_pair(reading, fact, ends):
        return _in_order(reading, *ends)
    words = {word for word in fact.words if word not in EMPTY_WORDS and len(word) >= _PART}
    if len(fact.words) == 1 and words:
        return _derived(reading, fact, *words)
    if len(fact.words) < 2 or not words or fact.rate is not None:  # "twice" is no part of "twice a week"
        return set()
    others = reading.known.words_of[fact.column]
    distinctive = {word for word in words if others[word] == 1}
    if any(any(map(str.isdigit, word)) for word in fact.words):  # of "3rd floor", the other words are many values'
        distinctive = {word for word in distinctive if any(map(str.isdigit, word))}
    distinctive -= {word for other in reading.facts if other is not fact for word in other.words}
    places = {place for place, word in enumerate(reading.text.words) if word in distinctive} - reading.taken
    places -= reading.scope.of_another
    if fact.line.rpartition("=")[2][:1].isupper():
        places -= reading.text.lower
    return {place for place in places if not _is_in_name(reading, place)}


def _all_parts(reading: Reading, form: Words) -> set[int]:
    """Return the positions of the parts of a value such as "H2 / H4", if the text has each of them and denies none."""
    parts = [tuple(part.split()) for part in " ".join(form).split(" / ") if part.strip()]
    spans = [next(iter(places_of(reading.text.words, part)), range(0)) for part in parts]
    is_stated = len(spans) > 1 and all(span and not reading.scope.is_denied(span.start, span.stop) for span in spans)
    return set().union(*spans) if is_stated else set()


def _ends_of(fact: Fact, pattern: re.Pattern[str]) -> list[Words]:
    """Return the two ends of a value such as "Kiel-Oslo" or "June 2026"; none of any other."""
    pair = pattern.fullmatch(fact.line.removeprefix(f"{fact.column}="))
    return [tuple(part.lower().split()) for part in pair.groups() if part] if pair else []


def _is_pair(reading: Reading, fact: Fact, ends: Sequence[Words]) -> bool:
    """Return whether the ends are months or days, or ends of other known values, too; no title: "Guide to Lisbon"."""
    if all(end[0] in MONTHS or end[0] in DAYS or end[0].isdecimal() for end in ends):
        return True
    known = _known_ends(reading.known, fact.column)
    return all(known[end] > 1 for end in ends)


@lru_cache(maxsize=1 << 10)
def _known_ends(known: Inventory, column: str) -> Counter[Words]:
    """Count the known values of a column by each of their ends; cached, since all texts of a table have them."""
    return Counter(end for fact in known.facts if fact.column == column for end in _ends_of(fact, _KNOWN_PAIR))


def _in_order(reading: Reading, *parts: Words) -> set[int]:
    """Return the positions of the two ends of a value, if a sentence has them in order: "from Oban … to Mull"."""
    first, last = ([*places_of(reading.text.words, part)] for part in parts)
    for start, end in ((one, other) for one in first for other in last if one.stop <= other.start):
        both, between = {*start, *end}, {*reading.text.words[start.stop : end.start]}
        is_denied = any(reading.scope.is_denied(span.start, span.stop) for span in (start, end))
        is_other_year = parts[1][0].isdecimal() and any(map(str.isdecimal, between))
        is_apart = is_other_year or not between.isdisjoint(STOPS | NEGATIONS)
        if both.isdisjoint((*reading.text.lower, *reading.scope.of_another)) and not is_apart and not is_denied:
            return both
    return set()


def _derived(reading: Reading, fact: Fact, value: str) -> set[int]:
    """Return the positions of words derived from a value of one word, and from no other: "partly" of "partial"."""
    roots = _roots(value).difference(*(_roots(word) for word in reading.known.words_of[fact.column] if word != value))
    found = (place for place, word in enumerate(reading.text.words) if not roots.isdisjoint(_roots(word)))
    known = (range(start, end) for start, end, _ in reading.matches)
    lower = reading.text.lower.difference(reading.taken, reading.scope.of_another, *known)
    return {place for place in found if place in lower and not reading.scope.is_denied(place, place + 1)}


@lru_cache(maxsize=1 << 16)
def _roots(word: str) -> frozenset[str]:
    """Return a word without each ending that derives it from another."""
    return frozenset([word, *(word.removesuffix(end) for end in _ENDINGS if len(word) - len(end) >= _SHORTEST)])


def _is_in_name(reading: Reading, place: int) -> bool:
    """Return whether an unknown name is next to a word, as "Albrecht" is next to the known "Weingut"."""
    words, known = reading.text.words, reading.text.lower | reading.taken
    beside = (at for at in (place - 1, place + 1) if 0 <= at < len(words) and at not in known)
    return any(words[at].isalpha() and at > 0 and words[at - 1] not in STOPS for at in beside)


def _answering(reading: Reading, fact: Fact) -> set[int]:
    """Return the positions of words related to a yes/no column's keywords, if their clauses answer like the record."""
    text = reading.text
    keys = _keys(fact)
    content = {place: word for place, word in enumerate(text.words) if word not in EMPTY_WORDS}
    places = {
        place
        for place, word in content.items()
        if any(_is_related(part, key) for part in {word, *word.split("-")}.difference(PROOF) for key in keys)
    }
    places -= reading.taken.union(reading.scope.of_another)
    opposite = {place for place, key in enumerate(text.keys) if f"{UN}{key}" in keys} - reading.taken
    if opposite and is_negated(text.words, opposite, text.clauses) is fact.says:
        return opposite
    found = set()
    for clause in text.clauses:
        if inside := places.intersection(clause):
            negated = is_negated(text.words, inside, [clause])
            if negated is not fact.says or (not negated and is_open(text, inside)):
                found |= inside
    return found


@lru_cache(maxsize=1 << 16)
def _is_related(word: str, key: str) -> bool:
    """Return whether two words begin alike, "certified" and "certificate", or one is a part: "keys" and "keyboard"."""
    if stem(word) == stem(key) or not _roots(word).isdisjoint(_roots(key)):  # "hiring", "hire"; "smoker", "smoking"
        return True
    least = min(len(word), len(key))
    shared = next((place for place in range(least) if word[place] != key[place]), least)
    part = word.removesuffix("s")
    is_part = len(part) >= _PART and key.startswith(part) and len(key) - len(part) >= _SHORTEST
    return shared >= max(_SHORTEST, least - _REST) or is_part
