"""Amounts in agenda lines and in texts: "1 1/2 c Flour", "2 tablespoons of the butter"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

# Unit as written by cooks and by Meal-Master -> its name, whose plural has an s, and its size among its kind.
_NAMES = {
    "cup": "cup cups c c.",
    "tablespoon": "tablespoon tablespoons tbsp tbsps tbs tb tbl tblsp T T.",
    "teaspoon": "teaspoon teaspoons tsp tsps ts t t.",
    "fluid ounce": "fl",
    "pint": "pint pints pt",
    "quart": "quart quarts qt",
    "gallon": "gallon gallons ga gal",
    "liter": "liter liters litre litres l",
    "milliliter": "milliliter milliliters ml",
    "deciliter": "deciliter deciliters dl",
    "ounce": "ounce ounces oz",
    "pound": "pound pounds lb lbs",
    "gram": "gram grams g gm",
    "kilogram": "kilogram kilograms kg",
    "can": "can cans cn",
    "package": "package packages pk pkg pkgs packet packets",
    "jar": "jar jars",
    "envelope": "envelope envelopes env",
    "stick": "stick sticks",
    "clove": "clove cloves cl",
    "slice": "slice slices sl",
    "pinch": "pinch pn pinches",
    "dash": "dash ds dashes",
    "drop": "drop drops dr",
    "bunch": "bunch bn",
    "stalk": "stalk stalks",
    "sprig": "sprig sprigs",
    "": "ea x lg md sm large medium small whole",
}
UNITS = {written: name for name, forms in _NAMES.items() for written in forms.split()}
SIZES = {  # in teaspoons, or in grams
    "cup": ("volume", 48),
    "tablespoon": ("volume", 3),
    "teaspoon": ("volume", 1),
    "fluid ounce": ("volume", 6),
    "pint": ("volume", 96),
    "quart": ("volume", 192),
    "gallon": ("volume", 768),
    "liter": ("volume", 203),
    "milliliter": ("volume", 0.203),
    "deciliter": ("volume", 20.3),
    "ounce": ("mass", 28.35),
    "pound": ("mass", 453.6),
    "gram": ("mass", 1),
    "kilogram": ("mass", 1000),
}
_WORDS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
NUMBERS = {
    **{word: Fraction(number) for number, word in enumerate(_WORDS, 1)},
    "half": Fraction(1, 2),
    "dozen": Fraction(12),
}
_NUMBER = re.compile(r"\d+(?:\.\d+)?|\.\d+|\d+/\d+")
_LINE = re.compile(r"(\d+(?:\.\d+)?(?:[ -]+\d+/\d+)?(?:/\d+)?|\.\d+)(?: ?(?:-|to|or) ?(\d+(?:[ -]\d+/\d+)?(?:/\d+)?))?")
_UNIT = re.compile(r"([A-Za-z]+)\.?(?=[\s,;(]|$)")
NEAR = 0.02  # relative difference of amounts that are equal but for rounding


@dataclass(frozen=True)
class Amount:
    number: Fraction
    unit: str  # its name, "" for a count

    @property
    def size(self) -> tuple[str, float]:
        """Return the kind of measure and the size in it; counts and packages are kinds of their own."""
        kind, size = SIZES.get(self.unit, (self.unit, 1))
        return kind, float(self.number) * size

    def written(self) -> list[str]:
        """Return the words of the amount in a text: "1 1/2 cups"."""
        whole, part = divmod(self.number, 1)
        words = [str(whole)] if whole else []
        words += [str(part)] if part else []
        plural = self.number > 1
        return words + (
            [f"{self.unit}s" if plural and self.unit not in ("pinch", "bunch", "dash") else self.unit]
            if self.unit
            else []
        )

    def share_of(self, other: Amount) -> float | None:
        """Return how much of the other amount this is; None where they can't be compared."""
        (kind, size), (other_kind, other_size) = self.size, other.size
        return size / other_size if kind == other_kind and other_size else None


def number_of(words: Sequence[str]) -> Fraction | None:
    """Return the number that words state: "1 1/2", "two"; None for others."""
    total = Fraction(0)
    for word in words:
        if word in NUMBERS:
            total += NUMBERS[word]
        elif _NUMBER.fullmatch(word) and not word.endswith("/0"):
            total += Fraction(word)
        else:
            return None
    return total or None


def of_line(line: str) -> Amount | None:
    """Return the amount at the begin of an agenda line, the larger one of a range; None without one."""
    text = line.strip().replace("½", "1/2").replace("¼", "1/4").replace("¾", "3/4")
    found = _LINE.match(text)
    if not found:
        return None
    number = number_of(re.split(r"[ -]+", found[2] or found[1]))
    unit = _UNIT.match(text[found.end() :].lstrip(" -"))
    name = unit[1] if unit else ""
    name = UNITS.get(name, UNITS.get(name.lower(), ""))
    return None if number is None else Amount(number, name)


@dataclass(frozen=True)
class Stated:
    """An amount in a text."""

    start: int
    end: int  # after the unit
    amount: Amount


def find(words: Sequence[str], start: int, end: int) -> Stated | None:
    """Return the first amount among some words of a text; of a range the larger one."""
    for place in range(start, end):
        if not (words[place][:1].isdigit() or words[place] in NUMBERS):
            continue
        last = place
        while last < end and (words[last][:1].isdigit() or words[last] in NUMBERS):
            last += 1
        number = number_of(words[place:last])
        if last + 1 < end and words[last] in ("-", "to", "or") and words[last + 1][:1].isdigit():
            first, last = last + 1, last + 1
            while last < end and words[last][:1].isdigit():
                last += 1
            number = number_of(words[first:last])
        if number is None:
            return None
        unit = words[last] if last < end else ""
        is_unit = unit in UNITS
        return Stated(place, last + is_unit, Amount(number, UNITS[unit] if is_unit else ""))
    return None
