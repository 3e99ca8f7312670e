"""State of matching a text to a record: the text's numbers, dates and known values, and the mentions found so far."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache

from allsaid.language.dates import Date, find_dates
from allsaid.language.numbers import QUALIFIERS
from allsaid.language.times import Clock, Times, find_clocks
from allsaid.language.units import LONGEST, UNITS, Words
from allsaid.proof.clauses import ARTICLES, ENDS
from allsaid.proof.limits import Amount
from allsaid.proof.polarity import places_of
from allsaid.proof.values.cues import JOINING, is_of_another_dimension, stem
from allsaid.proof.values.facts import (
    Columns,
    Fact,
    Forms,
    Inventory,
    Text,
    columns_by_cue,
    forms_of,
    is_count,
    matches,
)
from allsaid.proof.values.joined import hyphenated
from allsaid.proof.values.measures import Measure, Numbers, read_numbers
from allsaid.proof.values.scope import Scope
from schemas.texts.finding import Finding

Span = tuple[int, int]
BEHIND_NUMBER = ENDS | frozenset([":", ")", "to", "or", "in", "at", "on", "for", "with", "only"])
_NO_ADJECTIVE = BEHIND_NUMBER.union(("of", "from", "by", "across", "under", "the", "a", "its", "is", "are", "has"))
NOUN_REACH = 3  # words from a number to the noun that it counts


@dataclass(frozen=True)
class Written:
    """Look-up tables of a record's facts."""

    exact: Forms
    inflected: Forms
    in_digits: Forms
    units: frozenset[Words]
    counted: frozenset[Words]
    columns: Columns
    amounts: tuple[tuple[int, Amount], ...]  # ranges, limits or scores of items
    dates: tuple[tuple[int, Date], ...]
    times: tuple[tuple[int, Times], ...]


@dataclass
class Reading:
    """State of matching a text to a record; the last fields grow while the rules are applied."""

    text: Text
    facts: Sequence[Fact]
    known: Inventory
    written: Written
    numbers: Numbers
    dates: list[tuple[int, int, Date]]
    times: list[Clock]  # if the record has any
    matches: list[tuple[int, int, list[Fact]]]  # known values
    joined: list[tuple[int, list[str]]]  # position of each word that joins known values by hyphens, and these values
    scope: Scope
    mentions: dict[int, set[int]]  # item -> the positions that mention it
    taken: set[int] = field(default_factory=set)  # positions that a rule has already explained
    common: set[int] = field(default_factory=set)  # those of values of one word in lower case: "beginners" of a level
    weak: set[int] = field(default_factory=set)  # items that only weak evidence covers
    extra: dict[str, set[int]] = field(default_factory=dict)  # line of an extra value -> its positions
    findings: list[Finding] = field(default_factory=list)

    def find(self, grade: str, column: str, line: str, reason: str, span: Span) -> None:
        self.findings.append(Finding(reason, *span, " ".join(self.text.words[slice(*span)]), grade, column, line))

    def taken_for(self, fact: Fact) -> set[int]:
        """Return the taken positions, without common words that may also answer a column: "beginners", `for_beginners`.

        Words in a phrase of another yes/no column are taken, too, and those in phrases that the mapping refuses.
        """
        taken, keys = self.taken, self.text.keys
        if self.common:
            taken = taken - {place for place in self.common if keys[place] in fact.keywords.alone}
        others = [places for column, places in self.phrases if column != fact.column]
        return taken.union(*others, self.refused(fact)) if others or fact.never else taken

    def refused(self, fact: Fact) -> set[int]:
        """Return the positions of phrases that do not state or mention a column: "hot dog", where it asks for dogs."""
        phrases = [words.split() for words in fact.never if " " in words]
        found = (span for phrase in phrases for span in places_of(self.text.keys, tuple(phrase)))
        return {place for span in found for place in span}

    def stated(self, known: list[Fact], start: int, end: int) -> list[Fact]:
        """Return the known values that a passage may state: those whose columns don't refuse it."""
        return [fact for fact in known if self.refused(fact).isdisjoint(range(start, end))]

    @cached_property
    def phrases(self) -> list[tuple[str, range]]:
        """Each yes/no column with the positions of its phrases: the "guide" of "audio guide" is no guided tour."""
        keys, places = self.text.keys, self.text.places
        return [
            (column, range(start, start + len(phrase)))
            for column, answers in self.known.spoken.items()
            for phrase in answers[0].keywords.together
            if all(key in places for key in phrase)
            for start in range(len(keys) - len(phrase) + 1)
            if phrase == {*keys[start : start + len(phrase)]}
        ]

    def add_extra(
        self, grade: str, column: str, line: str, reason: str, span: Span, places: Collection[int] = ()
    ) -> None:
        """Add an extra value with its finding; ``places``: its positions, if they are not the whole span."""
        self.extra.setdefault(line, set()).update(places or range(*span))
        self.find(grade, column, line, reason, span)


def read(text: Text, facts: Sequence[Fact], known: Inventory) -> Reading:
    """Start matching a text of T words to the L facts of a record."""
    written = _written(tuple(facts))
    units = _units(known, written.units)
    numbers = read_numbers(text.words, units, text.language, text.decimal, written.counted)
    return Reading(
        text,
        facts,
        known,
        written,
        numbers=numbers,
        dates=[*find_dates(text.words)],
        times=_times(text.words, numbers, written.times),
        matches=matches(text, known.trie, known.inflected),
        joined=[*hyphenated(text.words, known.one_word)],
        scope=Scope(text),
        mentions={item: set() for item in range(len(facts))},
    )


def _times(words: Sequence[str], numbers: Numbers, own: Sequence[tuple[int, Times]]) -> list[Clock]:
    """Return the times of day in a text, also with hours in words; none if the record has none."""
    ranges = [times for _, times in own]
    if not numbers.is_spelled or not own:
        return find_clocks(words, ranges) if own else []
    spans = numbers.spans
    found = find_clocks(numbers.words, ranges)
    return [replace(clock, start=spans[clock.start][0], end=spans[clock.end - 1][1]) for clock in found]


@lru_cache(maxsize=1 << 10)
def _units(known: Inventory, own: frozenset[Words]) -> frozenset[Words]:
    """Return the units of known values and of a record; cached, since few records differ in them."""
    return known.units | own


@lru_cache(maxsize=1 << 10)
def _written(facts: tuple[Fact, ...]) -> Written:
    """Prepare the facts of a record; cached, since a row has several texts."""
    return Written(
        forms_of(fact.starts for fact in facts),
        forms_of(fact.other_starts for fact in facts),
        forms_of(fact.starts_in_digits for fact in facts),
        frozenset(unit for fact in facts for unit in fact.units),
        frozenset(noun for fact in facts for noun in fact.counted),
        columns_by_cue(facts),
        tuple((item, amount) for item, fact in enumerate(facts) for amount in fact.amounts),
        tuple((item, fact.date) for item, fact in enumerate(facts) if fact.date is not None),
        tuple((item, fact.times) for item, fact in enumerate(facts) if fact.times),
    )


def is_of_another(reading: Reading, start: int, end: int, fact: Fact) -> bool:
    """Return whether the words beside a number give it to another column than a fact's: "sleeps two" of the bedrooms.

    The noun behind the number has precedence. One behind another number belongs to that: "two bedrooms for four".
    """
    words, measures = reading.text.words, reading.numbers.measures
    if fact.units and is_of_another_dimension(words, start, end, fact.cues, reading.text.language):
        return True
    measure = next((one for one in measures if (one.start, one.end) == (start, end)), None)
    if measure is None or (measure.unit and (fact.units or measure.unit in UNITS)) or (*words[start:end],) in fact.said:
        return False
    nouns, cues = _columns_of_counts(tuple(reading.facts), reading.known)
    found = nouns.get(measure.unit, frozenset())
    last = min((other.start for other in measures if other.start >= end), default=len(words))
    behind = [*words[end - 1].split("-")[1:], *words[end : min(end + NOUN_REACH, last)]]  # "two-bedroom"
    for place, word in enumerate(behind):
        if found or word in _NO_ADJECTIVE:
            break
        phrases = (tuple(behind[place : place + length]) for length in range(LONGEST, 0, -1))
        found = next((nouns[phrase] for phrase in phrases if phrase in nouns), found)
    place = next((at for at in range(start - 1, -1, -1) if words[at] not in JOINING | QUALIFIERS), start)
    if not found and not any(0 <= place - other.end < NOUN_REACH for other in measures):
        found = cues.get(stem(words[place]), found)
    return bool(found) and fact.column not in found


@lru_cache(maxsize=1 << 10)
def _columns_of_counts(facts: tuple[Fact, ...], known: Inventory) -> tuple[Mapping[Words, frozenset[str]], Columns]:
    """Return the columns of numbers by the nouns that follow their numbers, and by their cues."""
    counts = [*filter(is_count, facts), *known.counts]
    nouns: dict[Words, frozenset[str]] = {}
    for fact in counts:
        for noun in {*fact.counted, *fact.units}.difference(UNITS):
            nouns[noun] = nouns.get(noun, frozenset()) | {fact.column}
    return nouns, columns_by_cue(counts)


def names_column(reading: Reading, measure: Measure) -> bool:
    """Return whether a number's words name a column whose value is near: "£190 for half a day" of `half_day_rate`."""
    words = {word for word in reading.text.words[measure.start : measure.end] if word not in ARTICLES}
    near = range(measure.start - NOUN_REACH, measure.end + NOUN_REACH)
    return len(words) > 1 and any(
        words <= {*fact.column.lower().split("_")} and not reading.mentions[item].isdisjoint(near)
        for item, fact in enumerate(reading.facts)
    )


def silent_negations(reading: Reading) -> set[int]:
    """Return the negations that only deny what a stated value has: "no" of "a no-frills tent with a porch".

    In "without a battery or charger", the negation of a value denies the next thing, too.
    """
    found = set[int]()
    for place in reading.taken & reading.text.negations:
        end = next(at for at in range(place, len(reading.text.words) + 1) if at not in reading.taken)
        if [*reading.text.words[end : end + 1]] not in (["or"], ["nor"]):
            found.add(place)
    return found
