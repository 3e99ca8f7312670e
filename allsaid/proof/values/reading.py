"""A text as it is read against a record: its numbers, dates and known values, and the mentions found so far."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache

from allsaid.language.dates import Date, find_dates
from allsaid.language.times import Clock, Times, find_clocks
from allsaid.proof.values.facts import Columns, Fact, Forms, Inventory, Text, columns_by_cue, forms_of, matches
from allsaid.proof.values.joined import hyphenated
from allsaid.proof.values.measures import Amount, Numbers, Words, read_numbers
from allsaid.proof.values.scope import Scope
from schemas.texts.finding import Finding

Span = tuple[int, int]


@dataclass(frozen=True)
class Written:
    """The facts of a record as they are looked up in texts."""

    exact: Forms
    inflected: Forms
    in_digits: Forms
    units: frozenset[Words]
    columns: Columns
    amounts: tuple[tuple[int, Amount], ...]  # ranges, limits or scores of items
    dates: tuple[tuple[int, Date], ...]
    times: tuple[tuple[int, Times], ...]


@dataclass
class Reading:
    """A text as it is read against a record, and the mentions found so far."""

    text: Text
    facts: Sequence[Fact]
    known: Inventory
    written: Written
    numbers: Numbers
    dates: list[tuple[int, int, Date]]
    times: list[Clock]  # if the record has any
    matches: list[tuple[int, int, list[Fact]]]  # known values
    joined: list[tuple[int, list[str]]]  # words that join known values with a hyphen, and these
    scope: Scope
    mentions: dict[int, set[int]]  # item -> the positions that mention it
    taken: set[int] = field(default_factory=set)  # positions that belong to the record, or to something else
    common: set[int] = field(default_factory=set)  # of them, values of one word in lower case: "beginners" of a level
    weak: set[int] = field(default_factory=set)  # items that weak evidence gives
    extra: dict[str, set[int]] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)

    def find(self, grade: str, column: str, line: str, reason: str, span: Span) -> None:
        self.findings.append(Finding(reason, *span, " ".join(self.text.words[slice(*span)]), grade, column, line))

    def taken_for(self, fact: Fact) -> set[int]:
        """Return the taken positions but for common words that answer a column: "beginners" of `for_beginners`."""
        taken, keys = self.taken, self.text.keys
        if self.common:
            taken = taken - {place for place in self.common if keys[place] in fact.keywords.alone}
        others = [places for column, places in self.phrases if column != fact.column]
        return taken.union(*others) if others else taken

    @cached_property
    def phrases(self) -> list[tuple[str, range]]:
        """The columns of yes or no with the places where a phrase of theirs is: "audio guide" is no guided tour."""
        keys, places = self.text.keys, self.text.places
        return [
            (column, range(start, start + len(phrase)))
            for column, answers in self.known.spoken.items()
            for phrase in answers[0].keywords.together
            if all(one in places for one in phrase)
            for start in range(len(keys) - len(phrase) + 1)
            if phrase == {*keys[start : start + len(phrase)]}
        ]

    def add_extra(
        self, grade: str, column: str, line: str, reason: str, span: Span, places: Collection[int] = ()
    ) -> None:
        """Add what the record lacks, with its finding; ``places``: its positions, if they are not all of the span."""
        self.extra.setdefault(line, set()).update(places or range(*span))
        self.find(grade, column, line, reason, span)


def read(text: Text, facts: Sequence[Fact], known: Inventory) -> Reading:
    """Read a text of T words against the L facts of a record."""
    written = _written(tuple(facts))
    counted = frozenset().union(*(fact.counted for fact in facts))
    numbers = read_numbers(text.words, known.units | written.units, text.language, text.decimal, counted)
    return Reading(
        text,
        facts,
        known,
        written,
        numbers=numbers,
        dates=[*find_dates(text.words)],
        times=_times(text.words, numbers) if written.times else [],
        matches=matches(text, known.trie, known.inflected),
        joined=[*hyphenated(text.words, known.one_word)],
        scope=Scope(text),
        mentions={item: set() for item in range(len(facts))},
    )


def _times(words: Sequence[str], numbers: Numbers) -> list[Clock]:
    """Return the times of day in a text, also with hours in words."""
    if not numbers.is_spelled:
        return find_clocks(words)
    spans = numbers.spans
    found = find_clocks(numbers.words)
    return [replace(one, start=spans[one.start][0], end=spans[one.end - 1][1]) for one in found]


@lru_cache(maxsize=1 << 10)
def _written(facts: tuple[Fact, ...]) -> Written:
    """Prepare the facts of a record; cached, since a row has several texts."""
    return Written(
        forms_of((form, item) for item, fact in enumerate(facts) for form in fact.forms),
        forms_of((form, item) for item, fact in enumerate(facts) for form in (*fact.inflected, *fact.derived)),
        forms_of((form, item) for item, fact in enumerate(facts) for form in fact.in_digits),
        frozenset(unit for fact in facts for unit in fact.units),
        columns_by_cue(facts),
        tuple((item, amount) for item, fact in enumerate(facts) for amount in fact.amounts),
        tuple((item, fact.date) for item, fact in enumerate(facts) if fact.date is not None),
        tuple((item, fact.times) for item, fact in enumerate(facts) if fact.times),
    )
