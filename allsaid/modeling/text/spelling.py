"""Values as a training part writes them, by the words next to them: numbers and units, endings and capitals.

A published value is written as the training texts write those of its column: "1299 €" as "1.299 €", "2 Jahre" after
"von" as "2 Jahren", "grün" between "ein" and "Zelt" as "grünes". Whatever the texts do not show stays as in the row.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple  # Any: JSON

from allsaid.language.endings import endings, with_ending
from allsaid.language.numbers import WRITTEN, parts
from allsaid.modeling.text.marks import most_frequent
from allsaid.proof.habits import ENDS
from schemas.act import PREFIX, Slot, parse_agenda_line
from schemas.example import NO_ITEM, Example

MIN_SEEN = 3  # minimum number of times that texts write a value between the same words
OWN_SHARE = 0.1  # of these times; if texts write a larger share as in the row, the value stays as in the row
MORE_DECIMALS = 2  # most decimals that a text may have in addition to those in the row
_NUMBER = re.compile(r"(?<!\w)[-+]?\d(?:[\d.,' \u00a0\u202f]*\d)?(?![^\W_])")
# 1.299 is more than a thousand in some places and slightly more than one in others; 0123 is a code, not a number.
_UNCLEAR = re.compile(r"[-+]?(?:[1-9]\d{0,2}[.,]\d{3}|0\d.*)")
_PLACE = "#"  # takes the place of the number in the text around it
_ANY = "*"  # matches any word
_AS_ROW = ""  # the way that leaves a value as it is in the row
_CAPITAL, _SMALL = "^", "v"  # the first letter of a way in which a text changes a value's first letter
_STYLES = (("", "."), ("", ","), (",", "."), (".", ","), (" ", ","), (" ", "."), ("'", "."))  # thousands, decimals


@dataclass(frozen=True)
class Numbers:
    """Style of a column's numbers; None for properties that texts do not show."""

    thousands: str | None = None  # between groups of three digits
    point: str | None = None  # before decimals
    least: int | None = None  # decimals of a number that is not whole
    whole: int | None = None  # decimals of a whole number


@dataclass(frozen=True)
class Spelling:
    """How values are written; unknown values are not changed."""

    language: str = ""
    numbers: Mapping[str, Numbers] = field(
        default_factory=dict
    )  # column, or `_ANY` for all, -> how numbers are written
    ways: Mapping[str, str] = field(
        default_factory=dict
    )  # key of `_keys` -> "# kg" for numbers; for words as `_ending`

    def to_json(self) -> dict[str, Any]:
        """Return plain data for ``json.dump``."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Spelling:
        numbers = {column: Numbers(**parts) for column, parts in data["numbers"].items()}
        return cls(data["language"], numbers, data["ways"])

    def write(self, slot: Slot, goal: str, before: str, after: str) -> str:
        """Write a column's value between two words, as training texts of rows with this goal do."""
        measured = _measure(slot.value)
        keys = _keys(slot.slot, _kind(slot.value), goal, before, after)
        way = next((self.ways[key] for key in keys if key in self.ways), None)
        if measured is None:
            return _with_ending(slot.value, way or "", self.language)
        number, pattern = measured
        is_name = any(map(str.isalpha, pattern.partition(_PLACE)[0]))
        return (way or pattern).replace(_PLACE, self._number(slot.slot, number, is_name))

    def _number(self, column: str, number: str, is_name: bool) -> str:
        """Write a number as texts write those of its column or, except in a name ("Elm 1200"), of all columns."""
        column_style = self.numbers.get(column, Numbers())
        table_style = Numbers() if is_name else self.numbers.get(_ANY, Numbers())
        whole, decimals, sign = parts(number)
        short = decimals.rstrip("0")
        count = column_style.least if short else column_style.whole
        if count is not None:
            decimals = short.ljust(count, "0")
        thousands = table_style.thousands if column_style.thousands is None else column_style.thousands
        point = table_style.point if column_style.point is None else column_style.point
        is_unknown = (len(whole) > 3 and thousands is None) or (decimals and point is None)
        if is_unknown or _UNCLEAR.fullmatch(number):
            return number
        return _written(whole, decimals, sign, thousands or "", point or "")


def learn_spelling(examples: Iterable[Example], language: str) -> Spelling:
    """Count how the texts of a training part write their values; ``language`` is that of the mapping, or ""."""
    ways: defaultdict[str, Counter[str]] = defaultdict(Counter)
    numbers: defaultdict[str, list[_Style]] = defaultdict(list)
    for example in examples:
        for slot, written, before, after in _values(example):
            of_row, of_text = _measure(slot.value), _measure(written)
            if of_row and of_text:
                if style := _style(of_row[0], of_text[0]):
                    numbers[slot.slot].append(style)
                    numbers[_ANY].append(style)
                way: str | None = _AS_ROW if of_text[1] == of_row[1] else of_text[1]
            else:
                way = None if of_row or of_text else _ending(slot.value, written, before, language)
            if way is not None:
                for key in _keys(slot.slot, _kind(slot.value), example.goal, before, after):
                    ways[key][way] += 1
    usual = {key: way for key, counts in sorted(ways.items()) if (way := _way(counts)) is not None}
    return Spelling(language, {column: _usual_style(styles) for column, styles in sorted(numbers.items())}, usual)


def _way(counts: Counter[str]) -> str | None:
    """Return the usual way to write a value in some place; None if it was seen too rarely."""
    if counts.total() < MIN_SEEN:
        return None
    if counts[_AS_ROW] > OWN_SHARE * counts.total():
        return _AS_ROW
    return most_frequent(counts, None)


def _values(example: Example) -> Iterator[tuple[Slot, str, str, str]]:
    """Yield each value that a text states, as the text writes it, and the words next to it."""
    tokens = ["", *example.tokens, ""]
    for place, item in enumerate(example.ref_items):
        if item != NO_ITEM and example.tokens[place].startswith(PREFIX):
            written = " ".join(written_in(example.surface[place], example.text).split())
            yield parse_agenda_line(example.agenda[item]), written, tokens[place], tokens[place + 2]


def written_in(surface: str, text: str) -> str:
    """Return these words as a text writes them, with or without blanks between them."""
    if surface in text:
        return surface
    match = re.search(r"\s*".join(map(re.escape, surface.split())), text)
    return match[0] if match else surface


def _keys(column: str, kind: str, goal: str, before: str, after: str) -> list[str]:
    """Return the keys of a way to write a value, the narrowest first; a goal may decide on a gender."""
    neighbours = ((before, after), (before, _ANY), (_ANY, after), *([(_ANY, _ANY)] if kind else []))
    places = [(goal, *neighbours[0]), (goal, *neighbours[1]), *((_ANY, *words) for words in neighbours)]
    return ["\t".join((column, kind, *place)) for place in places]


def _measure(value: str) -> tuple[str, str] | None:
    """Return the only number of a value and the text around it: "# kg"; None for any other value."""
    match = _NUMBER.search(value)
    if not match or not WRITTEN.fullmatch(match[0]) or _PLACE in value:
        return None
    around = value[: match.start()] + _PLACE + value[match.end() :]
    return None if any(map(str.isdecimal, around)) else (match[0], around)


def _kind(value: str) -> str:
    """Return a key for values that are written alike: the unit, and whether the number is 1; "" for words."""
    measured = _measure(value)
    return measured[1].replace(_PLACE, "1" if measured[0] == "1" else _PLACE) if measured else ""


class _Style(NamedTuple):
    """The spelling that a text uses for a number of its row, such as "1,299.00" for 1299."""

    digits: int  # of the number's whole part
    decimals: int  # of the number
    thousands: str  # the mark in the text
    point: str  # the mark in the text
    written: int  # decimals in the text


def _style(number: str, written: str) -> _Style | None:
    """Return how a text writes a number; None if it is unclear."""
    whole, decimals, sign = parts(number)
    decimals = decimals.rstrip("0")
    if _UNCLEAR.fullmatch(number):
        return None
    for zeros in range(MORE_DECIMALS + 1):
        for thousands, point in _STYLES:
            if _written(whole, decimals + "0" * zeros, sign, thousands, point) == written:
                return _Style(len(whole), len(decimals), thousands, point, len(decimals) + zeros)
    return None


def _written(whole: str, decimals: str, sign: str, thousands: str, point: str) -> str:
    grouped = re.sub(r"(?<=\d)(?=(?:\d{3})+$)", thousands, whole)
    return f"{sign}{grouped}{point}{decimals}" if decimals else sign + grouped


def _usual_style(styles: list[_Style]) -> Numbers:
    return Numbers(
        thousands=most_frequent(Counter(style.thousands for style in styles if style.digits > 3), None),
        point=most_frequent(Counter(style.point for style in styles if style.written), None),
        least=min((style.written for style in styles if style.decimals), default=None),
        whole=most_frequent(Counter(style.written for style in styles if not style.decimals), None),
    )


def _ending(value: str, written: str, before: str, language: str) -> str | None:
    """Return the way in which a text writes a value: _CAPITAL, _SMALL or "", and an ending; None if it is ambiguous."""
    forms = ((ending, with_ending(value, ending, language)) for ending in ("", *endings(language)))
    fits = [ending for ending, form in forms if form[0].lower() + form[1:] == written[0].lower() + written[1:]]
    if len(fits) != 1:
        return None
    is_same = before in ("", *ENDS) or written[0] == value[0]
    return ("" if is_same else _CAPITAL if written[0].isupper() else _SMALL) + fits[0]


def _with_ending(value: str, way: str, language: str) -> str:
    form = with_ending(value, way.removeprefix(_CAPITAL).removeprefix(_SMALL), language)
    if way[:1] == _CAPITAL:
        return form[0].upper() + form[1:]
    is_name = any(map(str.isupper, form[1:]))  # "MDF" next to "Oak"
    return form[0].lower() + form[1:] if way[:1] == _SMALL and not is_name else form
