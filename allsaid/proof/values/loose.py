"""Numbers that a text states without a numeral of its own: "a year's warranty", "a fortnight", "one roomy pocket".

They are compared with the numbers of a record alone. In any other place they are figures of speech ("a minute's walk"),
so that none is an extra.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal

from allsaid.language.units import LONGEST, UNITS
from allsaid.proof.polarity import ENDS
from allsaid.proof.values.facts import Fact
from allsaid.proof.values.measures import Measure

_ONE = frozenset(("a", "an", "one", "single", "ein", "eine", "einen", "einem", "un", "une", "una"))
_TWO = frozenset(("couple", "pair"))  # "a couple of hours"
_PERIODS = {"fortnight": (Decimal(14), ("days",)), "decade": (Decimal(10), ("years",))}
_PER = frozenset(
    ["€", "$", "£", *["euro", "euros", "eur", "usd", "gbp", "dollar", "dollars", "pounds", "times", "once", "twice"]]
)
_LIMITS = frozenset(("than", "under", "over", "above", "below", "within"))
_LONG = "-long"  # "an hour-long walk"
_HALF = "half-"  # "a half-litre bottle"
_INCHES = ('"', "″")
_INCH = ("inch",)
_REACH = 3  # words between "one" and what it counts


def find_loose(
    words: Sequence[str], facts: Sequence[Fact], written: Iterable[Measure]
) -> Iterator[tuple[int, int, list[int]]]:
    """Yield (start, end, items) of each number of the facts that the words state without a numeral.

    written: the measures of the text, which "a kilo" in "half a kilo" belongs to.
    """
    inside = {place for one in written if one.unit for place in range(one.start, one.end)}
    numbered = [(item, fact) for item, fact in enumerate(facts) if fact.number is not None]
    for place, word in enumerate(words) if numbered else ():
        if word in _ONE and place + 1 not in inside:
            found = _measure(words, place)
            items = [item for item, fact in numbered if found and fact.units and _is_same(found, fact)]
            end = found.end if found else place
            if not items and (place == 0 or words[place - 1] not in _PER):
                end, items = _counted(words, place, numbered)
            if items:
                yield place, end, items
        elif word.startswith(_HALF) or (word in _INCHES and place and words[place - 1][:1].isdigit()):
            if word.startswith(_HALF):
                one = Measure(place, place + 1, Decimal("0.5"), (word.removeprefix(_HALF),))
            else:
                one = Measure(place - 1, place + 1, _decimal(words[place - 1]), _INCH)
            if items := [item for item, fact in numbered if fact.units and _is_same(one, fact)]:
                yield one.start, one.end, items


def _is_same(one: Measure, fact: Fact) -> bool:
    return fact.number is not None and one.equals(fact.number, fact.units, fact.within)


def _decimal(word: str) -> Decimal:
    return Decimal(word) if word.replace(".", "", 1).isdigit() else Decimal(-1)


def _measure(words: Sequence[str], place: int) -> Measure | None:
    """Return the number and unit that an article begins: "a year", "a couple of hours", "a fortnight"."""
    number, start = Decimal(1), place + 1
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
    """Return the end and the items of "one" and what it counts: "one roomy pocket", "a pair of pockets"."""
    is_two = [*words[place + 2 : place + 3]] == ["of"] and words[place + 1] in _TWO
    number, start = (2, place + 3) if is_two else (1, place + 1)
    for end in range(start, min(start + _REACH, len(words))):
        items = [item for item, fact in numbered if fact.number == number and _is_counted(words, end, fact)]
        if items:
            return end + 1, items
        if words[end] in ENDS:
            break
    return place, []


def _is_counted(words: Sequence[str], place: int, fact: Fact) -> bool:
    return any(tuple(words[place : place + len(noun)]) == noun for noun in fact.counted)
