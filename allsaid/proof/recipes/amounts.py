"""Amounts in agenda lines and in texts: "1 1/2 c Flour", "2 tablespoons of the butter"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from allsaid.language.numbers import NUMBERS_BY_NAME

# Unit -> kind of measure, size (in teaspoons, grams or pieces), and the forms that cooks and Meal-Master write.
_UNITS: dict[str, tuple[str, float, str]] = {
    "cup": ("volume", 48, "cup cups c c."),
    "tablespoon": ("volume", 3, "tablespoon tablespoons tbsp tbsps tbs tb tbl tblsp T T."),
    "teaspoon": ("volume", 1, "teaspoon teaspoons tsp tsps ts t t."),
    "fluid ounce": ("volume", 6, "fl"),
    "pint": ("volume", 96, "pint pints pt"),
    "quart": ("volume", 192, "quart quarts qt"),
    "gallon": ("volume", 768, "gallon gallons ga gal"),
    "liter": ("volume", 203, "liter liters litre litres l"),
    "milliliter": ("volume", 0.203, "milliliter milliliters ml"),
    "deciliter": ("volume", 20.3, "deciliter deciliters dl"),
    "ounce": ("mass", 28.35, "ounce ounces oz"),
    "pound": ("mass", 453.6, "pound pounds lb lbs"),
    "gram": ("mass", 1, "gram grams g gm"),
    "kilogram": ("mass", 1000, "kilogram kilograms kg"),
    "can": ("can", 1, "can cans cn"),
    "package": ("package", 1, "package packages pk pkg pkgs packet packets"),
    "jar": ("jar", 1, "jar jars"),
    "envelope": ("envelope", 1, "envelope envelopes env"),
    "stick": ("stick", 1, "stick sticks"),
    "clove": ("clove", 1, "clove cloves cl"),
    "slice": ("slice", 1, "slice slices sl"),
    "pinch": ("pinch", 1, "pinch pn pinches"),
    "dash": ("dash", 1, "dash ds dashes"),
    "drop": ("drop", 1, "drop drops dr"),
    "bunch": ("bunch", 1, "bunch bn"),
    "stalk": ("stalk", 1, "stalk stalks"),
    "sprig": ("sprig", 1, "sprig sprigs"),
    "": ("", 1, "ea x lg md sm large medium small whole"),
}
UNIT_OF_FORM = {written: unit for unit, (_, _, forms) in _UNITS.items() for written in forms.split()}
NUMBER_WORDS = {
    **{name: Fraction(number) for name, number in NUMBERS_BY_NAME.items()},
    "half": Fraction(1, 2),
    "dozen": Fraction(12),
}
_NUMBER_PATTERN = re.compile(r"\d+(?:\.\d+)?|\.\d+|\d+/\d+")
_LINE_AMOUNT = re.compile(
    r"(\d+(?:\.\d+)?(?:[ -]+\d+/\d+)?(?:/\d+)?|\.\d+)(?: ?(?:-|to|or) ?(\d+(?:[ -]\d+/\d+)?(?:/\d+)?))?"
)
_UNIT_PATTERN = re.compile(r"([A-Za-z]+)\.?(?=[\s,;(]|$)")
MAX_ROUNDING = 0.1  # largest relative error of an amount rounded for a cook
FRACTIONS = ("1/2", "1/3", "2/3", "1/4", "3/4", "1/8", "3/8", "5/8", "7/8")  # that a cook can measure
SAME = 0.02  # shares this near to 1 change nothing


@dataclass(frozen=True)
class Amount:
    number: Fraction
    unit: str  # its name, "" for a count

    @property
    def size(self) -> tuple[str, float]:
        """Return the kind of measure and the size in it; counts and packages are kinds of their own."""
        kind, size, _ = _UNITS[self.unit]
        return kind, float(self.number) * size

    def times(self, share: float) -> Amount:
        """Return a share of the amount, rounded to an amount that a cook can measure; 0 if that is too far off."""
        if abs(share - 1) < SAME:
            return self
        exact = float(self.number) * share
        steps = (1,) if not self.unit else (1, 2, 3, 4) if exact > 1 else (2, 3, 4, 8)
        number = min(
            (Fraction(round(exact * step), step) for step in steps), key=lambda number: abs(float(number) - exact)
        )
        is_measurable = abs(float(number) - exact) <= MAX_ROUNDING * exact
        return Amount(number if is_measurable else Fraction(0), self.unit)

    def written(self) -> list[str]:
        """Return the words of the amount in a text: "1", "1/2", "cups"; no words for the amount 0."""
        if not self.number:
            return []
        is_plural = self.number > 1 and self.unit not in ("", "pinch", "bunch", "dash")
        words = (*divmod(self.number, 1), f"{self.unit}s" if is_plural else self.unit)
        return [str(word) for word in words if word]

    def share_of(self, other: Amount) -> float | None:
        """Return this amount as a share of the other one; None if they can't be compared."""
        (kind, size), (other_kind, other_size) = self.size, other.size
        return size / other_size if kind == other_kind and other_size else None


def number_of(words: Sequence[str]) -> Fraction | None:
    """Return the number that words state: "1 1/2", "two"; None for others."""
    total = Fraction(0)
    for place, word in enumerate(words):
        if word == "one" and words[place + 1 : place + 2] == ["half"]:
            continue
        if word in NUMBER_WORDS:
            total += NUMBER_WORDS[word]
        elif _NUMBER_PATTERN.fullmatch(word) and not word.endswith("/0"):
            total += Fraction(word)
        else:
            return None
    return total or None


def of_line(line: str) -> Amount | None:
    """Return the amount at the beginning of an agenda line, of a range the larger amount; None if it has none."""
    text = line.strip().replace("½", "1/2").replace("¼", "1/4").replace("¾", "3/4")
    found = _LINE_AMOUNT.match(text)
    if not found:
        return None
    number = number_of(re.split(r"[ -]+", found[2] or found[1]))
    unit = _UNIT_PATTERN.match(text[found.end() :].lstrip(" -"))
    name = unit[1] if unit else ""
    name = UNIT_OF_FORM.get(name, UNIT_OF_FORM.get(name.lower(), ""))
    return None if number is None else Amount(number, name)


@dataclass(frozen=True)
class Stated:
    """An amount in a text."""

    start: int
    end: int  # after the unit
    amount: Amount


def find(words: Sequence[str], start: int, end: int) -> Stated | None:
    """Return the first amount among some words of a text; of a range the larger amount."""
    for place in range(start, end):
        last = place
        while last < end and (words[last][:1].isdigit() or words[last] in NUMBER_WORDS):
            last += 1
        if last == place:
            continue
        number = number_of(words[place:last])
        if last + 1 < end and words[last] in ("-", "to", "or") and words[last + 1][:1].isdigit():
            first, last = last + 1, last + 1
            while last < end and words[last][:1].isdigit():
                last += 1
            number = number_of(words[first:last])
        if number is None:
            return None
        unit = words[last] if last < end else ""
        is_unit = unit in UNIT_OF_FORM
        return Stated(place, last + is_unit, Amount(number, UNIT_OF_FORM[unit] if is_unit else ""))
    return None
