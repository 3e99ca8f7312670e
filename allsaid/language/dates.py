"""Dates in texts and cells: "11 September 2018", "Sept 11th, 2018", "2018-09-11", "11.9.2018", "2018-09"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

# Months in languages of Western Europe, in order; slashes separate the spellings of one month.
_MONTHS = """
january/jan/januar/janvier/janv/enero/gennaio/januari
february/feb/februar/février/févr/febrero/febbraio/februari
march/mar/märz/mrz/mars/marzo/maart
april/apr/avril/avr/abril/aprile
may/mai/mayo/maggio/mei
june/jun/juni/juin/junio/giugno
july/jul/juli/juillet/julio/luglio
august/aug/août/agosto/augustus
september/sept/sep/septembre/septiembre/settembre
october/oct/oktober/okt/octobre/octubre/ottobre
november/nov/novembre/noviembre
december/dec/dezember/dez/décembre/diciembre/dicembre
"""
MONTHS = {name: number for number, names in enumerate(_MONTHS.split(), 1) for name in names.split("/")}
_DAY = re.compile(r"(\d{1,2})(?:st|nd|rd|th|\.|er)?")
_ONES = "first second third fourth fifth sixth seventh eighth ninth"
_TEENS = "tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth"
_TWENTIES = " ".join(f"twenty-{digit}" for digit in _ONES.split())
ORDINALS = {name: day for day, name in enumerate(f"{_ONES} {_TEENS} {_TWENTIES} thirtieth thirty-first".split(), 1)}
_ORDINALS_OF_TENS = frozenset(_ONES.split())
_YEAR = re.compile(r"[12]\d{3}")
_NUMERIC = re.compile(r"(\d{1,4})([-/.])(\d{1,2})\2(\d{1,4})")
_MONTHLY = re.compile(r"([12]\d{3})-(\d{2})|(\d{1,2})/([12]\d{3})")
_FILLERS = frozenset((",", "of", "the", "de", "del", "der"))
# Short months that have no full stop.
_WHOLE = frozenset(("may", "june", "july", "mars", "mai", "juni", "juli", "juin", "mei", "mayo"))
_AFTER_DAYS = frozenset(("st", "nd", "rd", "th", "."))
_SPLIT = 5  # tokens of a date in numbers that the tokeniser splits at its marks
_SPLIT_MONTH = 3


class Date(NamedTuple):
    """A date; unknown parts are 0. If it ``is_swappable``, day and month may be in either order."""

    year: int
    month: int
    day: int
    is_swappable: bool = False

    def equals(self, other: Date) -> bool:
        """Return whether two dates can be the same; two days are compared without a year that one of them lacks."""
        skipped = 1 if self.day and other.day and not (self.year and other.year) else 0
        return any(first[skipped:3] == second[skipped:3] for first in self._readings() for second in other._readings())

    def _readings(self) -> list[Date]:
        swapped = self._replace(month=self.day, day=self.month)
        return [self, swapped] if self.is_swappable and self.day <= 12 else [self]


def find_dates(words: Sequence[str]) -> Iterator[tuple[int, int, Date]]:
    """Yield (start, end, date) of each date in a text's words; it has at least a month with a year or a day."""
    place = 0
    while place < len(words):
        span = _in_numbers(words, place) if words[place][0].isdigit() else None
        span = span or (_with_month(words, place) if words[place] in MONTHS else None)
        if span:
            yield span
        place = max(span[1], place + 1) if span else place + 1


def read_date(words: Sequence[str]) -> Date | None:
    """Return the date of a value that consists of a date alone, else None."""
    for start, end, date in find_dates(words):
        if (start, end) == (0, len(words)):
            return date
    return None


def _in_numbers(words: Sequence[str], place: int) -> tuple[int, int, Date] | None:
    for size in (1, _SPLIT):
        match = _NUMERIC.fullmatch("".join(words[place : place + size]))
        if match:
            first, month, last = int(match[1]), int(match[3]), int(match[4])
            if len(match[1]) == 4 and _is_day(month, last):
                return place, place + size, Date(first, month, last)
            if len(match[4]) in (2, 4) and (_is_day(month, first) or _is_day(first, month)):
                year = last if last > 99 else 2000 + last
                day, month = (first, month) if month <= 12 else (month, first)
                return place, place + size, Date(year, month, day, match[2] != ".")
    for size in (1, _SPLIT_MONTH):
        match = _MONTHLY.fullmatch("".join(words[place : place + size]))
        if match and _is_day(int(match[2] or match[3]), 1):
            return place, place + size, Date(int(match[1] or match[4]), int(match[2] or match[3]), 0)
    return None


def _with_month(words: Sequence[str], place: int) -> tuple[int, int, Date] | None:
    """Read the date around a month's name."""
    month = MONTHS[words[place]]
    start, day = _before(words, place)
    end = place + 1
    if not day:
        after = _skip(words, end, place)
        if after < len(words) and words[after] in ORDINALS:
            day, end = ORDINALS[words[after]], after + 1
        match = _DAY.fullmatch(words[after]) if after < len(words) else None
        if match and 0 < int(match[1]) <= 31:
            day, end = int(match[1]), after + 1
            end += end < len(words) and words[end] in _AFTER_DAYS
    after = _skip(words, end, place)
    year = int(words[after]) if after < len(words) and _YEAR.fullmatch(words[after]) else 0
    if not (day or year):
        return None
    return start, after + 1 if year else end, Date(year, month, day)


def _before(words: Sequence[str], place: int) -> tuple[int, int]:
    """Return the place and the number of the day before a month's name, or the month's own place and 0."""
    start = place - 1
    while start >= 0 and place - start <= 3 and (words[start] in _FILLERS or words[start] in _AFTER_DAYS):
        start -= 1
    if start >= 0 and words[start] in ORDINALS:
        tens = start > 0 and words[start - 1] in ("twenty", "thirty") and words[start] in _ORDINALS_OF_TENS
        return start - tens, ORDINALS[f"{words[start - 1]}-{words[start]}" if tens else words[start]]
    match = _DAY.fullmatch(words[start]) if start >= 0 else None
    return (start, int(match[1])) if match and 0 < int(match[1]) <= 31 and words[start + 1] != "," else (place, 0)


def _skip(words: Sequence[str], place: int, month: int) -> int:
    """Return the first place from ``place`` on after fillers and, if a month was abbreviated, its full stop."""
    name = words[month]
    if place == month + 1 and len(name) <= 4 and name not in _WHOLE and words[place : place + 1] == ["."]:
        place += 1
    while place < len(words) and words[place] in _FILLERS:
        place += 1
    return place


def _is_day(month: int, day: int) -> bool:
    return 0 < month <= 12 and 0 < day <= 31
