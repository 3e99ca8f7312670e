"""Phrases that make a number next to them a limit: "less than", "or more"."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from decimal import Decimal

from allsaid.language.units import Words, is_comparable, ratio

BELOW, ABOVE = "below", "above"


def _phrases(below: str, above: str) -> list[tuple[str, tuple[str, ...]]]:
    """Return (relation, phrase) of phrases that are separated by "|"."""
    written = ((BELOW, below), (ABOVE, above))
    return [(relation, tuple(phrase.split())) for relation, phrases in written for phrase in phrases.split("|")]


# Words before a number that make it a limit, and words after it.
BEFORE = _phrases(
    "less than|under|below|up to|at most|no more than|lower than|not more than|cheaper than|not over|weniger als|unter|"
    "höchstens|moins de|menos de",
    "more than|over|above|at least|higher than|greater than|upwards of|no less than|in excess of|exceeding|mehr als|"
    "über|mindestens|plus de|más de",
)
AFTER = _phrases(
    "or less|or under|or below|and under|or lower|oder weniger|ou moins",
    "or more|or over|or above|and over|and up|upwards|and upwards|onwards|and above|or higher|+|plus|oder mehr|ou plus",
)
RANGE, SCORE = "range", "score"


@dataclass(frozen=True)
class Amount:
    """A range, a limit or a score."""

    start: int
    end: int
    relation: str  # RANGE, BELOW, ABOVE or SCORE
    numbers: tuple[Decimal, ...]
    unit: Words

    def equals(self, other: Amount) -> bool:
        """Return whether two amounts are the same; if one has no unit, only relation and numbers are compared."""
        if self.relation != other.relation or not self.unit or not other.unit or self.unit == other.unit:
            return (self.relation, self.numbers) == (other.relation, other.numbers)
        size = ratio(other.unit, self.unit)
        return size is not None and self.numbers == tuple(number * size for number in other.numbers)

    def is_comparable(self, other: Amount) -> bool:
        """Return whether both are of one kind: scores, or ranges and limits in units that can be compared."""
        if SCORE in (self.relation, other.relation):
            return self.relation == other.relation
        return not self.unit or not other.unit or is_comparable(self.unit, (other.unit,))

    def contains(self, number: Decimal, units: Collection[Words]) -> bool:
        """Return whether a number in one of some units is within a limit or a range."""
        sizes = (Decimal(1) if unit == self.unit else ratio(unit, self.unit) for unit in units or [self.unit])
        size = next(filter(None, sizes), None)
        if size is None or self.relation == SCORE:
            return False
        value, first = number * size, self.numbers[0]
        if self.relation == RANGE:
            return first <= value <= self.numbers[-1]
        return value <= first if self.relation == BELOW else value >= first
