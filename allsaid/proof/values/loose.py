"""Numbers of a record in a text: with their unit (`find_fitting`), without a numeral, or with another noun.

    a year's warranty, a fortnight, one roomy pocket
    nine painters, room for nine                          of nine participants

The latter two only count if the record has this number. Otherwise they are figures of speech ("a minute's walk"),
never extra.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from operator import attrgetter

from allsaid.language.dates import ORDINALS
from allsaid.language.text import listed
from allsaid.language.units import LONGEST, UNITS, Words
from allsaid.proof.clauses import ENDS
from allsaid.proof.values.cues import column_at, stem
from allsaid.proof.values.facts import Fact
from allsaid.proof.values.measures import Measure
from allsaid.proof.values.reading import BEHIND_NUMBER, NOUN_REACH, Reading

NO_NOUN = [[], *([word] for word in BEHIND_NUMBER)]  # behind a number that counts nothing
_STOPPING = frozenset(".!?")
_ELLIPSIS = 8  # most words from a number with a unit to a number without, which has the same unit
_AGE = frozenset(("age", "old"))
_AGED = frozenset(("is", "'s", "turned", "turns", "aged", "age", "of"))
_ONE = frozenset(("a", "an", "one", "single", "ein", "eine", "einen", "einem", "un", "une", "una"))
_NONE = frozenset(("no", "without", "zero"))
_BIRTH = frozenset(("birth", "newborn", "newborns"))  # the age 0
_NTH = {
    **ORDINALS,
    **{f"{nth}{'st' if nth == 1 else 'nd' if nth == 2 else 'rd' if nth == 3 else 'th'}": nth for nth in range(1, 21)},
    "ground": 0,
}
_TWO = frozenset(("couple", "pair"))  # "a couple of hours"
_PERIODS = {"fortnight": (Decimal(14), ("days",)), "decade": (Decimal(10), ("years",))}
_WHOLE = ("full", "whole", "entire")  # "a full kilo"
_PER = frozenset(
    ["€", "$", "£", *["euro", "euros", "eur", "usd", "gbp", "dollar", "dollars", "pounds", "times", "once", "twice"]]
)
_LIMITS = frozenset(("than", "under", "over", "above", "below"))
_LONG = "-long"  # "an hour-long walk"
_PARTS = {"half-": Decimal("0.5"), "quarter-": Decimal("0.25")}  # "a half-litre bottle"
_INCHES = ('"', "″")
_INCH = ("inch",)
_REACH = 3  # most words from "one" to the noun that it counts

_PEOPLE = listed("""person people individuals man men woman women child children kid kids adult adults couple
couples family families friend friends pupil pupils student students guest guests participant participants owner
owners passenger passengers visitor visitors player players user users attendee attendees member members employee
employees""")
_SEATS = frozenset(("seat", "seats", "place", "places", "spot", "spots"))  # one for each person
_AGENTS = ("er", "or", "ist", "ant", "ian")  # "painters", "visitors", "pianists", "technicians"
_NO_AGENTS = listed("""other another number letter order corner quarter floor meter metre litre liter power water
paper layer summer winter semester chapter poster colour color door plant minor major drawer burner charger
container speaker""")
_DAYS = "monday tuesday wednesday thursday friday saturday sunday day evening morning afternoon night weekend date"
_MEETINGS = "lesson session class meeting appointment workshop lecture rehearsal time concert performance seminar"
_OCCASIONS = frozenset(word + end for word in f"{_DAYS} {_MEETINGS}".split() for end in ("s", "es"))
_ROOM = """for|room for|space for|up to|maximum of|most|maximum|team of|staff of|crew of|group of"""
_CAPACITY = [tuple(phrase.split()) for phrase in _ROOM.split("|")]
_AT_MOST = (("at", "most"), ("maximum",), ("at", "the", "most"), ("can",), ("may",))  # behind a number
_PLACES = ("at", "in", "on", "with", "is", "has", "weighs", "costs", "measures")  # behind "a team of two"
_LONE = frozenset(("single", "only", "sole", "solitary", "lone"))
_LONE_OF = "single-"


def find_loose(
    words: Sequence[str], facts: Sequence[Fact], written: Iterable[Measure]
) -> Iterator[tuple[int, int, list[int]]]:
    """Yield (start, end, items) of each number of the facts that the words state without a numeral.

    written: the measures of the text; words inside them, such as "a kilo" in "half a kilo", state nothing else.
    """
    inside = {place for measure in written if measure.unit for place in range(measure.start, measure.end)}
    numbered = [(item, fact) for item, fact in enumerate(facts) if fact.number is not None]
    for place, word in enumerate(words) if numbered else ():
        if word in _NONE and (none := _none(words, place, numbered)):
            yield none
        elif word in _NTH and (items := [item for item, fact in numbered if _is_nth(words, place, fact)]):
            yield place, place + 2, items
        elif word in _BIRTH:
            yield place, place + 1, [item for item, fact in numbered if fact.number == 0 and _AGE & fact.cues]
        elif word in _ONE and place + 1 not in inside:
            found = _measure(words, place)
            items = [item for item, fact in numbered if found and fact.units and _is_same(found, fact)]
            end = found.end if found else place
            if not items and (place == 0 or words[place - 1] not in _PER):
                end, items = _counted(words, place, numbered)
            if items:
                yield place, end, items
        elif word.startswith(tuple(_PARTS)) or (word in _INCHES and place and words[place - 1][:1].isdigit()):
            part = next((prefix for prefix in _PARTS if word.startswith(prefix)), "")
            if part:
                measure = Measure(place, place + 1, _PARTS[part], (word.removeprefix(part),))
            else:
                measure = Measure(place - 1, place + 1, _decimal(words[place - 1]), _INCH)
            if items := [item for item, fact in numbered if fact.units and _is_same(measure, fact)]:
                yield measure.start, measure.end, items


def _none(words: Sequence[str], place: int, numbered: Sequence[tuple[int, Fact]]) -> tuple[int, int, list[int]] | None:
    """Return the span and the items of "no" with a noun or a column's name: "no children" states 0 children."""
    items = [item for item, fact in numbered if fact.number == 0 and _is_counted(words, place + 1, fact)]
    if items:
        return place, place + 2, items
    zero = [(item, fact.cues) for item, fact in numbered if fact.number == 0]
    for end in (
        range(place + 2, min(place + 2 + _REACH, len(words))) if zero else ()
    ):  # "no minimum age", "no set-up fee"
        if words[end - 1] in ENDS:
            break
        if items := [item for item, cues in zero if stem(words[end - 1]) in cues]:
            return place, end, items
    return None


def _is_nth(words: Sequence[str], place: int, fact: Fact) -> bool:
    """Return whether an ordinal states a number of a column that counts no things: "the third floor" of `floor`."""
    is_one = not fact.units and not fact.column.endswith("s") and fact.number == _NTH[words[place]]
    return is_one and _is_counted(words, place + 1, fact)


def _is_same(measure: Measure, fact: Fact) -> bool:
    return fact.number is not None and measure.equals(fact.number, fact.units, fact.within)


def _decimal(word: str) -> Decimal:
    return Decimal(word) if word.replace(".", "", 1).isdigit() else Decimal(-1)


def _measure(words: Sequence[str], place: int) -> Measure | None:
    """Return the number and unit that an article begins: "a year", "a couple of hours", "a fortnight"."""
    number, start = Decimal(1), place + 1
    start += start < len(words) and words[start] in _WHOLE
    if [*words[start + 1 : start + 2]] == ["of"] and words[start] in _TWO:
        number, start = Decimal(2), start + 2
    if start < len(words) and words[start] in _PERIODS:
        size, unit = _PERIODS[words[start]]
        return Measure(place, start + 1, number * size, unit)
    before = words[place - 1] if place else ""
    if before in _PER or before in _LIMITS or before[-1:].isdigit():
        return None  # "85 euros a night", "less than a kilo"
    for length in range(LONGEST, 0, -1):
        written = tuple(word.removesuffix(_LONG).removesuffix("'s") for word in words[start : start + length])
        if written in UNITS:
            return Measure(place, start + length, number, written)
    return None


def _counted(words: Sequence[str], place: int, numbered: Sequence[tuple[int, Fact]]) -> tuple[int, list[int]]:
    """Return the end and the items of "one" with the noun that it counts: "one roomy pocket", "a pair of pockets"."""
    is_two = [*words[place + 2 : place + 3]] == ["of"] and words[place + 1] in _TWO
    number, start = (2, place + 3) if is_two else (1, place + 1)
    for end in range(start, min(start + _REACH, len(words))):
        items = [item for item, fact in numbered if fact.number == number and _is_counted(words, end, fact)]
        if items:
            return (end + 1 if end == start else start), items  # not the words between them: "one firm seat"
        if words[end] in ENDS:
            break
    return place, []


def _is_counted(words: Sequence[str], place: int, fact: Fact) -> bool:
    return any(tuple(words[place : place + len(noun)]) == noun for noun in fact.counted or fact.units)


def find_counts(
    words: Sequence[str], facts: Sequence[Fact], written: Sequence[Measure]
) -> Iterator[tuple[int, int, list[int]]]:
    """Yield (start, end, items) of each count that the words state by another noun than its unit, in English.

    - A column counts people if its unit names people ("participants"). Then "nine painters", "room for nine" and "nine
      at most" state nine participants.
    - It counts occasions if its unit names occasions ("lessons"). Then "six Sundays" state six lessons.
    - A word for one before the unit states 1: "single-speed", "its only owner".

    written: the measures of the text; those without a unit may count people or occasions.
    """
    counts = [(item, fact) for item, fact in enumerate(facts) if fact.number is not None and _nouns(fact)]
    people = [item for item, fact in counts if not (_PEOPLE | _SEATS).isdisjoint(_nouns(fact))]
    occasions = [item for item, fact in counts if not _OCCASIONS.isdisjoint(_nouns(fact))]
    for measure in written if people or occasions else ():
        if not measure.unit:
            for kind, is_counted in ((people, _counts_people), (occasions, _counts_occasions)):
                items = [item for item in kind if facts[item].number == measure.number]
                if items and is_counted(words, measure):
                    yield measure.start, measure.end, items
    single = [(item, _nouns(fact)) for item, fact in counts if fact.number == 1]
    for place, word in enumerate(words) if single else ():
        noun = word.removeprefix(_LONE_OF) if word.startswith(_LONE_OF) else ""
        if word in _LONE and place + 1 < len(words):
            noun = words[place + 1]
        items = [item for item, nouns in single if noun in nouns]
        if word == "one" and any(map(_is_person, words[place + 1 : place + 2])):
            items = [item for item, _ in single if item in people]
        if items:
            yield place, place + 1, items


def _nouns(fact: Fact) -> set[str]:
    return {unit[-1] for unit in (*fact.units, *fact.counted)}


def _counts_people(words: Sequence[str], measure: Measure) -> bool:
    before, behind = (
        tuple(words[max(measure.start - 2, 0) : measure.start]),
        tuple(words[measure.end : measure.end + NOUN_REACH]),
    )
    if any(before[-len(phrase) :] == phrase for phrase in _CAPACITY):
        return not behind or behind[0] in ENDS or behind[0] in _PLACES or _is_person(behind[0])
    if any(map(_is_person, words[measure.end - 1].split("-")[1:])):  # "a two-man tent"
        return True
    if any(behind[: len(phrase)] == phrase for phrase in _AT_MOST):
        return True
    return any(_is_person(word) or word in _SEATS for word in _phrase(behind))


def _counts_occasions(words: Sequence[str], measure: Measure) -> bool:
    return not _OCCASIONS.isdisjoint(_phrase(words[measure.end : measure.end + NOUN_REACH]))


def _phrase(behind: Sequence[str]) -> Sequence[str]:
    """Return the words up to the end of the clause."""
    return behind[: next((place for place, word in enumerate(behind) if word in ENDS), len(behind))]


def _is_person(word: str) -> bool:
    singular = word.removesuffix("s")
    return word in _PEOPLE or (singular.endswith(_AGENTS) and singular not in _NO_AGENTS and len(singular) > 4)


def find_fitting(measure: Measure, reading: Reading) -> list[int]:
    """Return the items that a number states: those with its unit, else those without a known unit.

    The words next to a number without a unit may name its column: "for ages 12 and up".
    """
    facts = reading.facts
    numbered = [(item, fact) for item, fact in enumerate(facts) if fact.number is not None]
    sizes = (other for other in reading.numbers.measures if other.start == measure.end and other.unit)
    if not measure.unit and (size := next(sizes, None)):  # "five 25-metre lanes"
        alike = [item for item, fact in numbered if fact.number == measure.number]
        if fitting := [item for item in alike if _is_counted(reading.text.words, size.end, facts[item])]:
            return fitting
    equal = [item for item, fact in numbered if _is_same(measure, fact)]
    fitting = [item for item in equal if facts[item].units] or equal
    if fitting or measure.unit:
        return fitting
    if alike := [item for item, fact in numbered if fact.number == measure.number]:
        column = column_at(reading.text.words, measure.start, measure.end, reading.written.columns, is_number=True)
        is_only, is_age = len(alike) == 1 and _is_alone(measure, reading), _is_age(measure, reading)
        fitting = [
            item
            for item in alike
            if is_only or facts[item].column == column or (is_age and not _AGE.isdisjoint(facts[item].cues))
        ]
    if not fitting and (unit := _unit_before(measure, reading)):
        full = replace(measure, unit=unit)
        fitting = [item for item, fact in numbered if fact.units and _is_same(full, fact)]
    return fitting


def _unit_before(measure: Measure, reading: Reading) -> Words:
    """Return the unit of the number before, if this one is elliptic: "ten euros, six at the reduced rate"."""
    words = reading.text.words
    earlier = (other for other in reading.numbers.measures if other.end <= measure.start and other.unit)
    before = max(earlier, key=attrgetter("end"), default=None)
    if before is None or not _STOPPING.isdisjoint(words[before.end : measure.start]):
        return ()
    is_near = measure.start - before.end <= _ELLIPSIS and words[before.end] in ENDS
    return before.unit if is_near and [*words[measure.end : measure.end + 1]] in NO_NOUN else ()


def _is_age(measure: Measure, reading: Reading) -> bool:
    """Return whether the words beside a number make it an age: "she has just turned two", "a boy of four"."""
    words = reading.text.words
    is_plain = [*words[measure.end : measure.end + 1]] in NO_NOUN
    return is_plain and measure.start > 0 and words[measure.start - 1] in _AGED


def _is_alone(measure: Measure, reading: Reading) -> bool:
    """Return whether a number counts no noun: "guests gave 8.7", "you must be at least 18 to enter"."""
    words = reading.text.words
    behind = words[measure.end] if measure.end < len(words) else "."
    if behind not in BEHIND_NUMBER:
        return False
    is_limit = any(amount.start < measure.start and amount.end == measure.end for amount in reading.numbers.amounts)
    return is_limit or len(measure.number.as_tuple().digits) > 1
