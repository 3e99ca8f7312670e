"""Parser of numbers as written in cells and texts.

The mark before decimals is a point or a comma. Most numbers show which ("24,90", "1,299.00", "0.125"); one like "1.299"
does not, so functions take the ``decimal`` mark of the column or the texts that it is from. If that is unknown (""), a
point is before decimals and a comma before thousands.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from decimal import Decimal

from allsaid.language.characters import comparable

# A number as written, with or without marks before thousands and decimals.
WRITTEN = re.compile(r"[-+]?\d+(?:[.,' \u00a0\u202f]\d{3})+(?:[.,]\d+)?(?!\d)|[-+]?\d+(?:[.,]\d+)?|[-+]?[.,]\d+")
FRACTIONS = {"½": "1/2", "¼": "1/4", "¾": "3/4", "⅓": "1/3", "⅔": "2/3", "⅛": "1/8", "⅜": "3/8", "⅝": "5/8", "⅞": "7/8"}
# Further forms in cells: 17½, 1 1/2, 1.2e3.
_FRACTION = rf"[-+]?(?:(?:\d+[ -]?)?[{''.join(FRACTIONS)}]|(?:\d+[ -])?\d{{1,2}}/\d{{1,2}}(?![\d/]))"
_POWER = r"[-+]?\d+(?:[.,]\d+)?[eE][-+]?\d{1,2}(?!\w)"
_LETTERS_AT_END = re.compile(r"[^\W\d]*$")
_AMOUNT = re.compile(f"{_FRACTION}|{_POWER}|{WRITTEN.pattern}")
POINT, COMMA = ".", ","
MARKS = (POINT, COMMA)  # before decimals
_NO_BLANKS = str.maketrans("", "", "' \u00a0\u202f")
# Languages that write decimals after a comma (Unicode's CLDR).
_COMMAS = """af be bg bs ca cs da de el es et eu fi fr gl hr hu hy id is it ka kk lt lv mk nb nl nn no pl pt ro ru sk sl
sq sr sv tr uk uz vi"""
COMMA_LANGUAGES = frozenset(_COMMAS.split())
_UNCLEAR = re.compile(r"[-+]?[1-9]\d{0,2}[.,]\d{3}")
_ALONE = re.compile(rf"(?<![\w.,])(?:{WRITTEN.pattern})(?![.,]?\d)")  # no part of a date or a version
_TYPOGRAPHIC = str.maketrans("−’", "-'")  # a minus sign, and the mark before thousands in Switzerland
_NO_UNIT = "~≈≤≥<>±=+-:;,.()[]"  # marks next to a number that are no unit
# Words before a number that make it approximate or a limit, in languages of Western Europe.
_QUALIFIERS = """about approx approximately around circa ca from max maximum maximal min minimum minimal nearly only
over to under up ab bis etwa nur rund ungefähr zu env environ jusqu'à aprox desde hasta unos fino tot vanaf"""
QUALIFIERS = frozenset(_QUALIFIERS.split())
_NAMES = "one two three four five six seven eight nine ten eleven twelve"
NUMBERS_BY_NAME = {name: number for number, name in enumerate(_NAMES.split(), 1)}  # from 1 to 12, in English


@dataclass(frozen=True)
class Amount:
    """The one number of a cell, as in "ca. 17½ kg"."""

    number: Decimal
    written: str  # "17½"
    unit: str  # the words next to it without marks and qualifiers, in lower case: "kg"


def is_unclear(number: str) -> bool:
    """Return whether the mark of a written number may be before thousands or before decimals, as in "1.299"."""
    return _UNCLEAR.fullmatch(number) is not None


def decimal_mark(number: str) -> str:
    """Return the mark before decimals that a written number shows; "" if it shows none."""
    marks = [character for character in number if character in MARKS]
    if not marks or is_unclear(number):
        return ""
    if len(marks) > 1 and marks[-1] in marks[:-1]:  # groups of thousands: 1.299.000
        return POINT if marks[-1] == COMMA else COMMA
    return marks[-1]


def parts(number: str, decimal: str = "") -> tuple[str, str, str]:
    """Split a written number into whole part, decimals and sign."""
    sign = number[0] if number[0] in "+-" else ""
    digits = number.removeprefix(sign)
    if not digits.isascii() or " " in digits or "'" in digits:
        digits = digits.translate(_NO_BLANKS)
    head, mark, tail = digits.rpartition(decimal_mark(digits) or decimal or POINT)
    if mark:
        return head.replace(POINT, "").replace(COMMA, "") or "0", tail, sign
    return digits.replace(POINT, "").replace(COMMA, ""), "", sign


def value_of(number: str, decimal: str = "") -> Decimal:
    """Convert a match of ``WRITTEN`` to a number."""
    whole, decimals, sign = parts(number, decimal)
    return Decimal(f"{sign}{whole}.{decimals or '0'}").normalize()


def find_numbers(text: str, decimal: str = "") -> Iterator[tuple[int, int, Decimal]]:
    """Yield (start, end, number) of each number in a text.

    A number within a word such as "mp3" is left out; the hyphen in "10-15" is no minus sign.
    """
    for match in WRITTEN.finditer(text):
        before = text[match.start() - 1] if match.start() else " "
        if not before.isalpha():
            yield *match.span(), value_of(match[0].lstrip("+-") if before.isdigit() else match[0], decimal)


def written_numbers(text: str) -> list[str]:
    """Return the numbers of a text as written, except those within words, dates and versions."""
    return _ALONE.findall(text)


def read_amount(cell: str, units: Collection[str] = (), decimal: str = "") -> Amount | None:
    """Return the number in a cell; None if it has none or several ("8-10 hours", "30 x 20 cm", "1.2.3").

    Letters may directly precede it only if they are one of the ``units``, in lower case: "M8" is a name.
    """
    text = cell if cell.isascii() else comparable(cell).translate(_TYPOGRAPHIC)
    matches = [match for match in _AMOUNT.finditer(text) if _letters_before(text, match.start()) in ("", *units)]
    if len(matches) != 1:
        return None
    written = matches[0][0]
    number = _number(written, decimal)
    before = [word for word in _words(text[: matches[0].start()]) if word not in QUALIFIERS]
    return None if number is None else Amount(number, written, " ".join((*before, *_words(text[matches[0].end() :]))))


def _letters_before(text: str, start: int) -> str:
    """Return the letters directly before a position, in lower case."""
    letters = _LETTERS_AT_END.search(text[:start]) if start else None
    return letters[0].lower() if letters else ""


def _words(text: str) -> list[str]:
    return list(filter(None, (word.strip(_NO_UNIT) for word in text.lower().split())))


def _number(written: str, decimal: str) -> Decimal | None:
    """Convert a match of ``_AMOUNT`` to a number; return None for an improper fraction, such as 24/7."""
    if not written.isascii():
        for sign, fraction in FRACTIONS.items():
            written = written.replace(sign, f" {fraction}")
    if "/" in written:
        *whole, above, below = re.findall(r"\d+", written)
        if not 0 < int(above) < int(below):
            return None
        number = sum(map(Decimal, whole)) + fraction_value(f"{above}/{below}")
        return -number if written.startswith("-") else number
    if "e" in written.lower():
        return Decimal(written.replace(",", ".")).normalize()
    return value_of(written, decimal)


def fraction_value(fraction: str) -> Decimal:
    """Convert a fraction: "3/4" -> 0.75."""
    above, _, below = fraction.partition("/")
    return Decimal(above) / Decimal(below)
