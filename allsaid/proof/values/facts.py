"""Texts, the facts of a record, and the known values of all records, in the form that `matching` compares."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from itertools import pairwise
from typing import TypeVar

from allsaid.language.dates import Date
from allsaid.language.number_words import in_digits
from allsaid.language.numbers import find_numbers
from allsaid.language.times import Times
from allsaid.language.units import UNITS, Words
from allsaid.proof.clauses import NEGATIONS, clauses_of
from allsaid.proof.derived import Rate, rate_of, rate_of_interval
from allsaid.proof.foods.names import Trie, all_names, trie_of
from allsaid.proof.limits import Amount
from allsaid.proof.values.cues import stem

_WITHOUT = (["without"],)
T = TypeVar("T")
Starts = Mapping[str, Sequence[Words]]  # first word -> the written forms of a fact that begin with it
Forms = Mapping[str, Sequence[tuple[int, Sequence[Words]]]]  # the same for the items of a record
Columns = Mapping[str, frozenset[str]]  # cue -> the columns that it names
Sign = tuple[str, bool]  # the stem of a word, and whether its clause denies it
Usage = Mapping[str, frozenset[Sign]]  # agenda line -> words that state it, learned from texts


@dataclass(frozen=True)
class Text:
    """A text of T words."""

    words: Sequence[str]  # normalised
    keys: Sequence[str]  # for each word, the key by which it is compared with keywords
    inflects: bool  # whether its language is that of the facts' inflections
    language: str = ""  # by its code; "": unknown
    decimal: str = ""  # the mark before decimals in its numbers; "" if unknown
    parts: Mapping[str, Sequence[int]] = field(default_factory=dict)  # key of a part of a hyphenated word -> positions
    lower: frozenset[int] = frozenset()  # positions of the words that were written in lower case

    @cached_property
    def places(self) -> dict[str, list[int]]:
        """The positions of each key."""
        found: dict[str, list[int]] = {}
        for place, key in enumerate(self.keys):
            found.setdefault(key, []).append(place)
        for key, places in self.parts.items():
            found.setdefault(key, []).extend(places)
        return found

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """The different words."""
        return frozenset(self.words)

    @cached_property
    def negations(self) -> frozenset[int]:
        """The positions of words that may deny something."""
        return frozenset(place for place, word in enumerate(self.words) if word in NEGATIONS)

    @cached_property
    def clauses(self) -> list[range]:
        """The positions of each clause's words."""
        return [*clauses_of(self.words)]

    @cached_property
    def phrases(self) -> list[range]:
        """The positions of each clause's words, and of each clause with a following relative one: "keys that glow"."""
        pairs = [(first, second) for first, second in pairwise(self.clauses) if _is_relative(self.words, first, second)]
        return [*self.clauses, *(range(first.start, second.stop) for first, second in pairs)]


def _is_relative(words: Sequence[str], first: range, second: range) -> bool:
    return (
        words[first.stop : first.stop + 1] in (["that"], ["which"])
        or words[second.start : second.start + 1] in _WITHOUT
    )


@dataclass(frozen=True)
class Keywords:
    """Keys of the words that mention a column of yes or no."""

    alone: frozenset[str] = frozenset()
    together: tuple[frozenset[str], ...] = ()  # keys that must be in one clause: "rechargeable" and "battery"
    absent: frozenset[str] = frozenset()  # things that a yes declares absent: "gluten" of `gluten_free`
    endured: frozenset[str] = frozenset()  # things that a yes declares harmless: "water" of `waterproof`
    is_included: bool = False  # whether a yes says that the thing is included
    low: frozenset[str] = frozenset()  # things of which a yes declares little: "odour" of `low_odour`

    @cached_property
    def every(self) -> frozenset[str]:
        """The keys of all words that may mention the column."""
        return self.alone.union(self.absent, self.endured, self.low, *self.together)


@dataclass(frozen=True, eq=False)  # compared by identity: caches are keyed by facts
class Fact:
    """One value of a column; the fields that are set determine its kind."""

    column: str
    line: str  # as the agenda has it: "price=24.90 EUR"
    forms: tuple[Words, ...] = ()  # of a value or number: written forms, first as in the line
    inflected: tuple[Words, ...] = ()  # of a value: its other inflections
    number: Decimal | None = None
    units: tuple[Words, ...] = ()  # of a number: written forms of its unit
    keywords: Keywords = field(default_factory=lambda: Keywords())  # of a yes/no, or of a column that is only named
    says: bool | None = None  # of a yes/no: the answer
    decimal: str = ""  # of a number: the mark before decimals in the line; "" if unknown
    idioms: tuple[tuple[bool, Words], ...] = ()  # of yes/no: phrases with the answer that they give
    within: Decimal = Decimal()  # of a number: share by which a text's number may differ
    amounts: tuple[Amount, ...] = ()  # the range, limit or score that the value or a synonym of it is
    date: Date | None = None  # of a value that is a date
    times: Times = ()  # of a value that is a time of day, or a range of times
    cues: frozenset[str] = frozenset()  # stems of the words that name its column
    counted: frozenset[Words] = frozenset()  # of a number without unit: the nouns that it counts, "bed" and "beds"
    said: frozenset[Words] = frozenset()  # of a value: the forms that are synonyms in the mapping
    is_listed: bool = False  # whether its column is a list
    never: frozenset[str] = frozenset()  # stems of words, and keys of phrases, that do not state it
    is_name: bool = False  # of a known value: whether the table and its texts write it with a capital
    derived: tuple[Words, ...] = ()  # of a value of the record: words derived from it, "Italian" of Italy

    @cached_property
    def words(self) -> frozenset[str]:
        return frozenset(word for form in self.forms[:1] for word in form)

    @cached_property
    def starts(self) -> Starts:
        return starts_of(self.forms)

    @cached_property
    def other_starts(self) -> Starts:
        """The first words of inflected and derived forms."""
        forms = (*self.inflected, *self.derived)
        return (
            starts_of(form for form in forms if not self.never.issuperset(map(stem, form)))
            if self.never
            else starts_of(forms)
        )

    def is_stated_by(self, other: Fact, is_capital: bool) -> bool:
        """Return whether a mention of another column's fact states this one: "rooibos" that is made of rooibos.

        Numbers don't state each other. With a capital inside a sentence, "the Orange" is a name and no colour.
        """
        is_name = is_capital and _first(other).isupper() and _first(self).islower()
        return self.column != other.column and self.number is None and self.forms[:1] == other.forms[:1] and not is_name

    @cached_property
    def rate(self) -> tuple[Rate, bool] | None:
        """How often, and whether it is written as an interval: "14 days" may also be how long a thing lasts."""
        if not self.forms:
            return None
        if rate := rate_of(self.forms[0]):
            return rate, False
        interval = rate_of_interval(self.number, self.units) if self.number is not None else None
        return (interval, True) if interval else None

    @property
    def is_in_digits(self) -> bool:
        return any(word[:1].isdigit() for word in self.words)

    @cached_property
    def numbers(self) -> frozenset[Decimal]:
        return frozenset(number for _, _, number in find_numbers(self.line, self.decimal))

    @cached_property
    def starts_in_digits(self) -> Starts:
        """The first words of the forms with a number, in digits."""
        spelled = [in_digits(form, UNITS.keys()) for form in self.forms]
        found = [
            form if words is None else tuple(replaced.word for replaced in words)
            for form, words in zip(self.forms, spelled, strict=True)
        ]
        return starts_of(form for form in found if any(map(str.isdigit, form)))


def _first(fact: Fact) -> str:
    """Return the first letter of a fact's cell."""
    return fact.line.removeprefix(f"{fact.column}=")[:1]


@dataclass(frozen=True, eq=False)
class Inventory:
    """The known values."""

    facts: tuple[Fact, ...] = ()
    usage: Usage = field(default_factory=dict)

    @cached_property
    def trie(self) -> Trie[list[Fact]]:
        """Written forms of values -> the facts that they may mean."""
        return trie((form, fact) for fact in self.facts for form in fact.forms)

    @cached_property
    def inflected(self) -> Trie[list[Fact]]:
        """Other inflections of values -> the facts that they may mean."""
        return trie((form, fact) for fact in self.facts for form in fact.inflected)

    @cached_property
    def units(self) -> frozenset[Words]:
        return frozenset(unit for fact in self.facts for unit in fact.units)

    @cached_property
    def one_word(self) -> frozenset[str]:
        """The values of one word, in every form."""
        return frozenset(form[0] for fact in self.facts for form in (*fact.forms, *fact.inflected) if len(form) == 1)

    @cached_property
    def columns(self) -> Columns:
        return columns_by_cue(self.facts)

    @cached_property
    def words_of(self) -> Mapping[str, Counter[str]]:
        """Column -> word -> number of the column's values that have the word."""
        found: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for fact in self.facts:
            found[fact.column].update(fact.words)
        return found

    @cached_property
    def keywords(self) -> frozenset[str]:
        """The keys of the words that mention a column of yes or no."""
        return frozenset().union(*(fact.keywords.every for fact in self.facts if fact.says is not None))

    @cached_property
    def counts(self) -> tuple[Fact, ...]:
        """The facts of columns of numbers, ranges or limits."""
        return tuple(filter(is_count, self.facts))

    @cached_property
    def amounts(self) -> tuple[tuple[Fact, Amount], ...]:
        return tuple((fact, amount) for fact in self.facts for amount in fact.amounts)

    @cached_property
    def spoken(self) -> dict[str, list[Fact]]:
        """The answers of each column of yes or no."""
        found: dict[str, list[Fact]] = {}
        for fact in self.facts:
            if fact.says is not None:
                found.setdefault(fact.column, []).append(fact)
        return found


def is_count(fact: Fact) -> bool:
    """Return whether a fact is a number, a range or a limit."""
    return fact.number is not None or bool(fact.amounts)


def columns_by_cue(facts: Iterable[Fact]) -> Columns:
    """Return cue -> the columns of the facts that it names."""
    found: dict[str, set[str]] = {}
    for fact in facts:
        for cue in fact.cues:
            found.setdefault(cue, set()).add(fact.column)
    return {cue: frozenset(named) for cue, named in found.items()}


def starts_of(forms: Iterable[Words]) -> Starts:
    """Return written forms, each once, by their first words."""
    found: dict[str, list[Words]] = {}
    for form in dict.fromkeys(filter(None, forms)):
        found.setdefault(form[0], []).append(form)
    return found


def forms_of(starts: Iterable[Starts]) -> Forms:
    """Return the forms of a record's items by their first words; for one record, it is built faster than a trie."""
    found: dict[str, list[tuple[int, Sequence[Words]]]] = {}
    for item, item_starts in enumerate(starts):
        for word, forms in item_starts.items():
            found.setdefault(word, []).append((item, forms))
    return found


def find_forms(words: Words, forms: Forms) -> Iterator[tuple[int, int, int]]:
    """Yield (start, end, item) of every form in a text, also inside others."""
    for start, word in enumerate(words):
        for item, item_forms in forms.get(word, ()):
            for form in item_forms:
                if len(form) == 1 or words[start : start + len(form)] == form:
                    yield start, start + len(form), item


def trie(values_by_form: Iterable[tuple[Words, T]]) -> Trie[list[T]]:
    """Build a trie: written form -> everything with that form."""
    written: dict[Words, list[T]] = {}
    for form, value in values_by_form:
        written.setdefault(form, []).append(value)
    return trie_of(written.items())


def matches(text: Text, exact: Trie[T], inflected: Trie[T]) -> list[tuple[int, int, T]]:
    """Return (start, end, value) of every known form in a text, also inside others; inflected ones last."""
    words = tuple(text.words)
    return all_names(words, exact) + (all_names(words, inflected) if text.inflects else [])
