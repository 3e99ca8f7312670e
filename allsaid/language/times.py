"""Times of day and ranges of them in texts and cells: "9:00-22:00", "from 9 am to 10 pm", "22 Uhr", "noon"."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from allsaid.language.units import LONGEST, UNITS

_CLOCK = re.compile(r"(\d{1,2})[:.](\d{2})(am|pm|h)?")
_HOUR = re.compile(r"(\d{1,2})(am|pm)?")
_MORNING, _EVENING = ("am", "a.m", "a.m."), ("pm", "p.m", "p.m.")
_SIGNS = ("uhr", "o'clock", "oclock", "h", "heures")  # after a time
_OCLOCK = ("o'clock", "oclock")
_WORDS = {"noon": 720, "midday": 720, "midnight": 1440}
_PARTS: dict[tuple[str, ...], int] = {
    ("in", "the", "morning"): 0,
    ("in", "the", "afternoon"): 720,
    ("in", "the", "evening"): 720,
}
_PARTS[("at", "night")] = 720
_PAST = {"half": 30, "quarter": 15}  # "half past two", "a quarter to nine"
_BEFORE_HOURS = ("5", "10", "20", "25")  # minutes before an hour
_HALF_DAY = 720
_JOINTS = frozenset(("-", "–", "to", "until", "till", "through", "bis", "à", "a", "hasta"))
_CLOSING = frozenset(["and", "close", "closes", "closing", "closed", "shut", "shuts", "at", "schließt", "um", "und"])
_ARTICLES = ("a", "an", "at")
_AT = ("at", "until", "till", "from", "by")
# Words after "at 8".
_AFTER_HOURS = frozenset(("and", "but", "or", "on", "in", "every", "daily", "sharp", "each", "the"))
_REACH = 4  # words between the times in "open at 9:00 and close at 22:00"
_DAY = 1440
HOURS = range(1, 25)

Times = tuple[int, ...]  # minutes since midnight: one time, or the first and the last of a range


@dataclass(frozen=True)
class Clock:
    """A time of day in a text, in each way that it can be read."""

    start: int
    end: int
    minutes: frozenset[int]  # since midnight: "half past six" is 390 or 1110
    is_sure: bool = True  # whether it can be nothing else: "6.15" may be a number


def find_clocks(words: Sequence[str], ranges: Collection[Times] = ()) -> list[Clock]:
    """Return the times of day in a text's words, in lower case, with the hours in digits.

    ranges: the first and last times of the record's ranges, which "at 10 to 11" may mean.
    """
    singles = [Clock(start, end, frozenset((minutes,))) for start, end, minutes in _single(words)]
    past = filter(None, (_past(words, place, ranges) for place in range(len(words))))
    dotted = filter(None, (_dotted(words, place) for place in range(len(words))))
    clocks, taken = list[Clock](), set[int]()
    for clock in (*past, *singles, *dotted):
        if taken.isdisjoint(range(clock.start, clock.end)):
            clocks.append(clock)
            taken.update(range(clock.start, clock.end))
    clocks = [_whole_hour(words, clock) for clock in clocks]
    clocks = sorted((*clocks, *_bare_hours(words, clocks, taken)), key=lambda clock: clock.start)
    for place, (clock, following) in enumerate(pairwise(clocks)):
        # In "6:30 to 8 p.m.", the sign belongs to both times.
        if len(clock.minutes) == 1 == clock.end - clock.start < following.end - following.start and _is_joint(
            words, clock.end, following.start
        ):
            clocks[place] = Clock(clock.start, clock.end, both_halves(min(clock.minutes)), clock.is_sure)
    return clocks


def _whole_hour(words: Sequence[str], clock: Clock) -> Clock:
    """Return a time such as "6 o'clock" with the half of the day that follows it, such as "in the evening"."""
    if words[clock.end - 1] not in _OCLOCK or min(clock.minutes) > _HALF_DAY:
        return clock
    end, addend = _half_of_day(words, clock.end)
    minutes = min(clock.minutes)
    return Clock(clock.start, end, both_halves(minutes) if addend < 0 else frozenset((minutes % _HALF_DAY + addend,)))


def both_halves(minutes: int) -> frozenset[int]:
    """Return both times of day that a clock of 12 hours can mean."""
    return frozenset((minutes, minutes + _HALF_DAY) if minutes <= _HALF_DAY else (minutes,)) | frozenset(
        (minutes - _HALF_DAY,) if _HALF_DAY <= minutes < _HALF_DAY + 60 else ()
    )


def _past(words: Sequence[str], place: int, ranges: Collection[Times]) -> Clock | None:
    """Read a time such as "half past 2", "half 2", "quarter to 9 in the evening" or "20 past 6", else return None."""
    after = [*words[place + 1 : place + 3]]
    is_short = words[place] == "half" and after[:1] and after[0].isdecimal() and (*after[1:],) not in UNITS
    after = ["past", after[0]] if is_short else after
    minutes = _PAST.get(words[place], 0)
    is_at = place > 0 and words[place - 1] == "at" and words[place] in _BEFORE_HOURS and after[:1] == ["to"]
    is_at = is_at and not _is_span(words, place, ranges)
    if not minutes and words[place].isdecimal() and (after[:1] == ["past"] or is_at):  # "at ten to eleven"
        minutes = int(words[place])
    if not 0 < minutes < 60 or after[:1] not in (["past"], ["to"]) or not after[1:]:
        return None
    hour = _hour(after[1])
    if not 0 < hour <= _HALF_DAY // 60:
        return None
    time = (60 * hour + (minutes if after[0] == "past" else -minutes)) % _HALF_DAY
    end, addend = _half_of_day(words, place + 3 - bool(is_short))
    return Clock(place, end, frozenset((time, time + _HALF_DAY) if addend < 0 else (time + addend,)))


def _is_span(words: Sequence[str], place: int, ranges: Collection[Times]) -> bool:
    """Return whether "at 10 to 12" has a unit behind it, "at 10 to 12 degrees", or is a range of the record."""
    behind = [tuple(words[place + 3 : place + 3 + length]) for length in range(1, LONGEST + 1)]
    if not UNITS.keys().isdisjoint(behind):
        return True
    ends = [both_halves(60 * _hour(word)) for word in words[place : place + 3 : 2]]
    return any(len(times) == 2 and all(map(frozenset.__contains__, ends, times)) for times in ranges)


def _half_of_day(words: Sequence[str], place: int) -> tuple[int, int]:
    """Return the end of "p.m." or "in the evening" at a place, and the minutes to add; -1 if there is none."""
    for part, addend in _PARTS.items():
        if tuple(words[place : place + len(part)]) == part:
            return place + len(part), addend
    sign = words[place] if place < len(words) else ""
    if sign not in _MORNING and sign not in _EVENING:
        return place, -1
    is_split = sign in ("a.m", "p.m") and [*words[place + 1 : place + 2]] == ["."]
    return place + 1 + is_split, _HALF_DAY * (sign in _EVENING)


def _dotted(words: Sequence[str], place: int) -> Clock | None:
    """Read a time such as "6.15"; None if the number is a price or has a unit."""
    match = _CLOCK.fullmatch(words[place])
    before, after = (words[place - 1] if place else ""), [*words[place + 1 : place + 2]]
    if not match or int(match[2]) > 59 or int(match[1]) > 24 or (before,) in UNITS:
        return None
    if after and (after[0],) in UNITS:
        return None
    return Clock(place, place + 1, both_halves(60 * int(match[1]) + int(match[2])), is_sure=False)


def _bare_hours(words: Sequence[str], clocks: Sequence[Clock], taken: set[int]) -> Iterator[Clock]:
    """Yield the hours that a word such as "to" joins to another time or hour: "from 6 to 8 p.m."."""
    starts, ends = {clock.start for clock in clocks}, {clock.end for clock in clocks}
    hours = {place for place, word in enumerate(words) if place not in taken and 0 < _hour(word) <= 24}
    for place in sorted(hours):
        is_first = any(_is_joint(words, place + 1, start) for start in starts | hours)
        is_last = any(_is_joint(words, end, place) for end in ends | {hour + 1 for hour in hours})
        after = "".join(words[place + 1 : place + 2])
        is_at = place and words[place - 1] in _AT and (after in _AFTER_HOURS or not after.isalpha())
        if is_first or is_last or is_at:
            yield Clock(place, place + 1, both_halves(60 * _hour(words[place])), is_sure=False)


def _hour(word: str) -> int:
    """Return the hour that a word names, 0 if none; "one" may not be in digits, since it is also a pronoun."""
    return 1 if word == "one" else int(word) if word.isdecimal() else 0


def _is_joint(words: Sequence[str], end: int, start: int) -> bool:
    """Return whether a range continues between two times; an article may follow: "6 until a quarter past 8"."""
    between = [word for word in words[end:start] if word not in _ARTICLES] if end < start <= end + 3 else []
    return len(between) == 1 and (between[0] in _JOINTS or between[0] == "and")


def find_times(words: Sequence[str]) -> Iterator[tuple[int, int, Times]]:
    """Yield (start, end, times) of each time or range in a text's words, in lower case."""
    singles = [*_single(words)]
    place = 0
    while place < len(singles):
        start, end, minutes = singles[place]
        if place + 1 < len(singles) and _is_range(words[end : singles[place + 1][0]]):
            _, last, until = singles[place + 1]
            yield start, last, (minutes, until)
            place += 2
        else:
            yield start, end, (minutes,)
            place += 1


def read_times(words: Sequence[str]) -> Times:
    """Return the time or range of a value that consists of it alone, else an empty tuple."""
    return next((times for start, end, times in find_times(words) if (start, end) == (0, len(words))), ())


def _single(words: Sequence[str]) -> Iterator[tuple[int, int, int]]:
    place = 0
    while place < len(words):
        end, minutes = _at(words, place)
        if minutes >= 0:
            yield place, end, minutes
        place = max(end, place + 1)


def _at(words: Sequence[str], place: int) -> tuple[int, int]:
    """Return the end of a time that begins at a place, and its minutes; -1 if there is none."""
    word = words[place]
    if word in _WORDS:
        return place + 1, _WORDS[word]
    word = "1" if word == "one" and [*words[place + 1 : place + 2]] in ([sign_word] for sign_word in _OCLOCK) else word
    match = _CLOCK.fullmatch(word) or _HOUR.fullmatch(word)
    if not match:
        return place, -1
    is_clock = match.re is _CLOCK
    sign = match[match.re.groups] or (words[place + 1] if place + 1 < len(words) else "")
    end = place + (1 if match[match.re.groups] else 2)
    if end < len(words) and words[end] == "." and sign in ("a.m", "p.m"):
        end += 1
    minutes = 60 * int(match[1]) + (int(match[2]) if is_clock else 0)
    for part, addend in _PARTS.items() if minutes <= _HALF_DAY and not match[match.re.groups] else ():
        if tuple(words[place + 1 : place + 1 + len(part)]) == part:
            return place + 1 + len(part), minutes % _HALF_DAY + addend
    if sign in _MORNING or sign in _EVENING:
        minutes = minutes % 720 + (720 if sign in _EVENING else 0)
    elif ":" in word:
        end = end if sign in _SIGNS else place + 1
    elif sign not in _SIGNS[:3]:  # "4.50", and "3 h" is a duration
        return place, -1
    return (end, minutes) if minutes <= _DAY else (place, -1)


def _is_range(between: Sequence[str]) -> bool:
    if len(between) == 1:
        return between[0] in _JOINTS
    return 1 < len(between) <= _REACH and _CLOSING.issuperset(between)
