"""Numbers of a text with the units next to them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from allsaid.language.numbers import find_numbers
from schemas.act import PREFIX

Words = tuple[str, ...]
# Units known without a record that has them, so that "12 cm" does not match 12.
_COMMON = """mm cm m km inch inches foot feet ft mile miles mg g gram grams kg kilogram kilograms lb lbs oz ounces ml cl
l liter liters litre litres w kw watt watts v volts hz gb tb mb mah wh ° °c °f % percent € $ £ eur usd gbp euro euros
dollar dollars pound pounds cent cents second seconds minute minutes min hour hours day days week weeks month months
year years"""
COMMON = frozenset((unit,) for unit in _COMMON.split())
_LONGEST = 3  # words of a unit


@dataclass(frozen=True)
class Measure:
    """A number and its unit, which is empty if the number has none."""

    start: int  # first word
    end: int  # after the last word
    number: Decimal
    unit: Words


def measures(words: Sequence[str], units: Collection[Words] = (), decimal: str = "") -> list[Measure]:
    """Find the numbers among the words, in order; ``units`` are known in addition to the common ones.

    ``decimal``: the mark before decimals, if it is known.
    """
    known = COMMON.union(units)
    found: list[Measure] = []
    for place, word in enumerate(words):
        if word.startswith(PREFIX):
            continue
        free = max((one.end for one in found), default=0)
        for start, end, number in _numbers(word, decimal):
            glued = word[end:].strip("-") or word[:start].strip("-")
            span, unit = ((place, place + 1), (glued,)) if (glued,) in known else _beside(words, place, free, known)
            found.append(Measure(*span, number, unit))
    return found


def as_measure(words: Sequence[str]) -> Measure | None:
    """Parse a value that is one number with at most one more word, its unit; None for any other."""
    found = measures(words, {tuple(words[1:])} if len(words) == 2 else ())
    is_whole = len(found) == 1 and (found[0].start, found[0].end) == (0, len(words))
    return found[0] if is_whole else None


@lru_cache(maxsize=1 << 16)
def _numbers(word: str, decimal: str) -> tuple[tuple[int, int, Decimal], ...]:
    return tuple(find_numbers(word, decimal))


def _beside(words: Sequence[str], place: int, free: int, units: Collection[Words]) -> tuple[tuple[int, int], Words]:
    """Return the span of a number with its unit, and the unit: after it, else before it among words still free."""
    behind = place + 1 + (words[place + 1 : place + 2] == ["-"])
    for length in range(_LONGEST, 0, -1):
        unit = tuple(words[behind : behind + length])
        if unit in units:
            return (place, behind + len(unit)), unit
    for length in range(min(_LONGEST, place - free), 0, -1):
        unit = tuple(words[place - length : place])
        if unit in units:
            return (place - length, place + 1), unit
    return (place, place + 1), ()
