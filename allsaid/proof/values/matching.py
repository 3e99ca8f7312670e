"""Values of a record that a text states, and extra values, which the record lacks.

These are the matchers for values, numbers and yes/no; those for names are in ``allsaid.proof.coverage``.
docs/coverage.md has the definition with its reasons; a file of judged texts tests it. Texts are normalised words.

- A *value* is given if all its words are in the text next to each other and in order. They are as normalised, or in
  another inflection that the fact contains ("televisions" for "television").
- A *number* is given if it is in the text as in the record. It is also given by an equal number ("1,000" is "1000")
  next to one of its units ("12mm" is "12 mm"). If the record has no unit for it, an equal number suffices.
- A *yes/no* is given if a keyword of its column is in the text, and its clause affirms or denies as the record does.
- A value that is only *named* (asked for, all the same) is given if a keyword of its column is in the text.
- A mention covers one item: longer mentions come first, then the left one. If several items fit, it covers the first
  not given yet. A value inside a longer known value of its column is no mention.
- An *extra* is a known value of any column, a yes or no, or a number, that the text states and the record lacks. A
  value is known if training records hold it, and at least half of the training texts that mention it belong to such
  records.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property, lru_cache
from typing import Any, TypeVar

from allsaid.language.numbers import find_numbers
from allsaid.proof.coverage import Coverage
from allsaid.proof.foods.names import all_names, longest_first, trie_of
from allsaid.proof.polarity import is_negated
from allsaid.proof.values.measures import Measure, Words, measures
from schemas.act import PREFIX

T = TypeVar("T")


@dataclass(frozen=True)
class Text:
    """A text of T words."""

    words: Sequence[str]  # normalised
    keys: Sequence[str]  # of each word: the key shared with the keywords that it matches
    inflects: bool  # whether it is in the language of the facts' inflections
    decimal: str = ""  # the mark before decimals in its numbers; "" if unknown

    @cached_property
    def places(self) -> dict[str, list[int]]:
        """The positions of each key."""
        found: dict[str, list[int]] = {}
        for place, key in enumerate(self.keys):
            found.setdefault(key, []).append(place)
        return found


@dataclass(frozen=True)
class Fact:
    """One value of a column; the fields that are set determine its kind."""

    column: str
    line: str  # as the agenda has it: "price=24.90 EUR"
    forms: tuple[Words, ...] = ()  # of a value or number: written forms, itself first
    inflected: tuple[Words, ...] = ()  # of a value: its other inflections
    number: Decimal | None = None
    units: tuple[Words, ...] = ()  # of a number: written forms of its unit
    keywords: frozenset[str] = frozenset()  # of yes/no or named: keys of the words that mention the column
    says: bool | None = None  # of yes/no
    decimal: str = ""  # of a number: the mark before decimals in the line; "" if unknown

    @property
    def words(self) -> set[str]:
        return {word for form in self.forms[:1] for word in form}

    @property
    def numbers(self) -> frozenset[Decimal]:
        return numbers(self.line, self.decimal)


@dataclass(frozen=True)
class Inventory:
    """The known values."""

    facts: tuple[Fact, ...] = ()

    @cached_property
    def trie(self) -> dict[str, Any]:
        """Written forms of values -> the facts that they may mean."""
        return _trie((form, fact) for fact in self.facts for form in fact.forms)

    @cached_property
    def inflected(self) -> dict[str, Any]:
        """Other inflections of values -> the facts that they may mean."""
        return _trie((form, fact) for fact in self.facts for form in fact.inflected)

    def matches(self, text: Text) -> list[tuple[int, int, list[Fact]]]:
        """Return (start, end, facts) of every known value in a text, also inside others; inflected ones last."""
        return _matches(text, self.trie, self.inflected)

    @cached_property
    def units(self) -> frozenset[Words]:
        return frozenset(unit for fact in self.facts for unit in fact.units)

    @cached_property
    def spoken(self) -> tuple[Fact, ...]:
        return tuple(fact for fact in self.facts if fact.says is not None)


@dataclass
class _Found:
    """The mentions found in a text so far."""

    mentions: dict[int, set[int]]  # item -> the positions that mention it
    taken: set[int] = field(default_factory=set)  # positions of the record's values and numbers
    extra: dict[str, set[int]] = field(default_factory=dict)


def measure_values(text: Text, facts: Sequence[Fact], known: Inventory) -> Coverage:
    """Measure a text of T words against the L facts of a record; names of extra values are lines ("colour=blue")."""
    units = known.units.union(*(fact.units for fact in facts))
    numbered = measures(text.words, units, text.decimal)
    matches = known.matches(text)
    found = _Found({item: set() for item in range(len(facts))})
    _find_values(text, facts, numbered, matches, found)
    _find_spoken(text, facts, found)
    _find_extra(text, facts, known, numbered, matches, found)
    order = sorted(found.extra, key=lambda line: min(found.extra[line]))
    given = [bool(found.mentions[item]) for item in range(len(facts))]
    partly = [bool(_partly(fact, text, numbered)) for fact in facts]
    return Coverage(
        given=given,
        full_name=given,
        any_word=[one or other for one, other in zip(given, partly, strict=True)],
        extra=order,
        mentions=[sorted(found.mentions[item]) for item in range(len(facts))],
        extra_mentions=[sorted(found.extra[line]) for line in order],
    )


def _find_values(
    text: Text, facts: Sequence[Fact], numbered: Sequence[Measure], matches: Sequence[Any], found: _Found
) -> None:
    """Assign each occurrence of a value or number to one of the items that it fits."""
    fits: dict[tuple[int, int], list[int]] = {}
    for start, end, items in _matches(text, *_written(tuple(facts))):
        fitting = [item for item in items if not _is_inside(start, end, facts[item], matches)]
        if fitting:
            fits.setdefault((start, end), fitting)
    for one in numbered:
        if fitting := _fitting(one, facts):
            fits[one.start, one.end] = fits.get((one.start, one.end), []) + fitting
    latest: list[int] = []  # items in the order of their latest mention
    for start, end, items in longest_first((*span, items) for span, items in fits.items()):
        item = next((item for item in items if item not in latest), max(items, key=_rank(latest)))
        latest = [other for other in latest if other != item] + [item]
        found.mentions[item].update(range(start, end))
        found.taken.update(range(start, end))


@lru_cache(maxsize=1 << 10)
def _written(facts: tuple[Fact, ...]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Map written forms, and other inflections, to the items; cached, since a row has several texts."""
    exact = _trie((form, item) for item, fact in enumerate(facts) for form in fact.forms)
    return exact, _trie((form, item) for item, fact in enumerate(facts) for form in fact.inflected)


def _rank(latest: list[int]) -> Any:
    return lambda item: latest.index(item) if item in latest else -1


def _trie(having: Iterable[tuple[Words, T]]) -> dict[str, Any]:
    """Build a trie: written form -> everything with that form."""
    written: dict[Words, list[T]] = {}
    for form, one in having:
        written.setdefault(form, []).append(one)
    return trie_of(written.items())


def _matches(text: Text, exact: dict[str, Any], inflected: dict[str, Any]) -> list[tuple[int, int, Any]]:
    words = tuple(text.words)
    return all_names(words, exact) + (all_names(words, inflected) if text.inflects else [])


def _is_inside(start: int, end: int, fact: Fact, matches: Iterable[tuple[int, int, list[Fact]]]) -> bool:
    """Whether an occurrence of a value is inside a longer known value of the same column."""
    around = (known for first, last, known in matches if first <= start and end <= last and last - first > end - start)
    return any(one.column == fact.column for known in around for one in known)


def _fitting(one: Measure, facts: Sequence[Fact]) -> list[int]:
    """Return the items that a number states: those with its unit, else those without a known unit."""
    equal = [item for item, fact in enumerate(facts) if fact.number == one.number]
    return [item for item in equal if one.unit in facts[item].units] or [
        item for item in equal if not facts[item].units
    ]


def _find_spoken(text: Text, facts: Sequence[Fact], found: _Found) -> None:
    for item, fact in enumerate(facts):
        places = _places(text, fact, found.taken)
        if fact.says is None or is_negated(text.words, places) is not fact.says:
            found.mentions[item].update(places)


def _places(text: Text, fact: Fact, taken: Iterable[int] = ()) -> set[int]:
    """Return the positions of the words that mention a column, except the ``taken`` ones."""
    return {place for key in fact.keywords for place in text.places.get(key, ())}.difference(taken)


def _find_extra(
    text: Text,
    facts: Sequence[Fact],
    known: Inventory,
    numbered: Sequence[Measure],
    matches: Sequence[tuple[int, int, list[Fact]]],
    found: _Found,
) -> None:
    told = set(found.taken)
    for start, end, fitting in longest_first(match for match in matches if told.isdisjoint(range(match[0], match[1]))):
        found.extra.setdefault(fitting[0].line, set()).update(range(start, end))
        told.update(range(start, end))
    for one in numbered:
        if told.isdisjoint(range(one.start, one.end)) and not _is_supported(one, facts):
            found.extra.setdefault(" ".join(text.words[one.start : one.end]), set()).update(range(one.start, one.end))
    for fact in known.spoken:
        places = _places(text, fact, told)
        if places and is_negated(text.words, places) is not fact.says and not _is_held(fact, facts):
            found.extra.setdefault(fact.line, set()).update(places)


def _is_supported(one: Measure, facts: Sequence[Fact]) -> bool:
    """Whether a record has a number, with this unit if both have one."""
    return any(
        one.number in fact.numbers and (not one.unit or not fact.units or one.unit in fact.units) for fact in facts
    )


def _is_held(fact: Fact, facts: Iterable[Fact]) -> bool:
    """Whether a record has the same yes or no for the column, or only names it."""
    return any(one.column == fact.column and (one.says is None or one.says == fact.says) for one in facts)


def _partly(fact: Fact, text: Text, numbered: Iterable[Measure]) -> bool:
    """Whether a word of the value, the number with any unit, or a keyword is in the text."""
    if fact.number is not None:
        return any(one.number == fact.number for one in numbered)
    return not fact.words.isdisjoint(text.words) or bool(_places(text, fact))


def is_unsupported_number(word: str, agenda: Iterable[str]) -> bool:
    """Whether a word of a text contains a number that is in no line of the agenda as written.

    "1,000" equals "1000", a unit may be attached, and a placeholder is no number.
    """
    if word.startswith(PREFIX):
        return False
    written = numbers(word)
    return bool(written) and not written <= frozenset().union(*map(numbers, agenda))


@lru_cache(maxsize=1 << 16)
def numbers(text: str, decimal: str = "") -> frozenset[Decimal]:
    """Return the numbers in a word or in a line of an agenda."""
    return frozenset(number for _, _, number in find_numbers(text, decimal))
