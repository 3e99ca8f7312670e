"""Times of day and ranges of them in texts and cells: "9:00-22:00", "from 9 am to 10 pm", "22 Uhr", "noon"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

_CLOCK = re.compile(r"(\d{1,2})[:.](\d{2})(am|pm|h)?")
_HOUR = re.compile(r"(\d{1,2})(am|pm)?")
_MORNING, _EVENING = ("am", "a.m", "a.m."), ("pm", "p.m", "p.m.")
_SIGNS = ("uhr", "o'clock", "oclock", "h", "heures")  # behind a time
_WORDS = {"noon": 720, "midday": 720, "midnight": 1440}
_PARTS: dict[tuple[str, ...], int] = {
    ("in", "the", "morning"): 0,
    ("in", "the", "afternoon"): 720,
    ("in", "the", "evening"): 720,
}
_PARTS[("at", "night")] = 720
_PAST = {"half": 30, "quarter": 15}  # "half past two", "a quarter to nine"
_HALF_DAY = 720
_JOINTS = frozenset(("-", "–", "to", "until", "till", "through", "bis", "à", "a", "hasta"))
_CLOSING = frozenset(["and", "close", "closes", "closing", "closed", "shut", "shuts", "at", "schließt", "um", "und"])
_REACH = 4  # words between the times in "open at 9:00 and close at 22:00"
_DAY = 1440

Times = tuple[int, ...]  # minutes since midnight: one time, or the first and the last of a range


def find_times(words: Sequence[str]) -> Iterator[tuple[int, int, Times]]:
    """Yield (start, end, times) of each time or range in a text's words, in lower case."""
    found = [*_single(words)]
    yield from _by_halves([*words])
    place = 0
    while place < len(found):
        start, end, minutes = found[place]
        if place + 1 < len(found) and _is_range(words[end : found[place + 1][0]]):
            _, last, until = found[place + 1]
            yield start, last, (minutes, until)
            place += 2
        else:
            yield start, end, (minutes,)
            place += 1


def _by_halves(words: Sequence[str]) -> Iterator[tuple[int, int, Times]]:
    """Yield both times of day of "half past two" and "a quarter to nine", with the hour in digits."""
    for place, word in enumerate(words):
        minutes = _PAST.get(word)
        if minutes and words[place + 1 : place + 2] in (["past"], ["to"]) and words[place + 2 : place + 3]:
            hour = words[place + 2]
            if hour.isdecimal() and 0 < int(hour) <= _HALF_DAY // 60:
                sign = 1 if words[place + 1] == "past" else -1
                time = (60 * int(hour) + sign * minutes) % _HALF_DAY
                yield place, place + 3, (time,)
                yield place, place + 3, (time + _HALF_DAY,)


def read_times(words: Sequence[str]) -> Times:
    """Return the time or the range that a value is, if it is nothing else."""
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
