"""Decoder of the bytes of one record; it infers the code page from the bytes.

Meal-Master's dumps mix DOS (cp437), Windows (latin-1), Mac and UTF-8 bytes, sometimes within one record. For each byte
above 0x7f every code page gets a vote: how well the page's character fits its neighbours. A letter fits next to letters
of its case, a fraction or a degree sign after a digit, a line-drawing character next to itself; a C1 control fits
nowhere. The record is read in the code page with the most votes. A single byte that makes no sense in that page is read
in the page where it fits best.
"""

from __future__ import annotations

import re

from allsaid.language.numbers import FRACTIONS

CODE_PAGES = ("cp437", "latin-1", "mac-roman")  # in the order that wins a tie
_PYTHON_NAMES = {"cp437": "cp437", "latin-1": "latin-1", "mac-roman": "mac_roman"}
_TABLES = {page: bytes(range(256)).decode(name) for page, name in _PYTHON_NAMES.items()}
_TABLES["latin-1"] = _TABLES["latin-1"].replace("\x92", "’")  # Windows' apostrophe
_MAC_HANDICAP = 0.75  # Mac bytes are rare here: the same fit is weaker evidence

_FRACTIONS = FRACTIONS | {"⅕": "1/5"}
_KEPT_SIGNS = frozenset({*_FRACTIONS, "°", "º", "’", "¢", "£", "©", "®", "\xa0", "·", "•"})
_HIGH = re.compile(rb"[\x80-\xff]")
_REPLACEMENT = "\ufffd".encode()
_FRACTION_AFTER_DIGIT = re.compile(rf"(?<=\d)[ \t]?(?=[{''.join(_FRACTIONS)}])")
_FRACTION_CHARACTER = re.compile(f"[{''.join(_FRACTIONS)}]")
_UNWANTED = re.compile(r"[\x00-\x08\x0e-\x13\x15-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\ufeff\ufffd]")
_DRAWN_LINE = re.compile("[\u2500-\u259f]+")
_LINE_ENDS = re.compile(r"\r\n?|[\x0b\x0c\x14\x85\u2028\u2029]")
# The same for the bytes of ASCII records.
_CONTROL_LINE_ENDS = bytes.maketrans(b"\r\x0b\x0c\x14", b"\n\n\n\n")
_CONTROL_UNWANTED = bytes({*range(0x20), 0x7F} - set(b"\n\r\x0b\x0c\x14"))
_TRANSLATION = str.maketrans(
    {
        "\xa0": " ",
        "\t": "    ",
        "\u2044": "/",
        "\u2018": "'",
        "\u2019": "'",
        "\u201c": '"',
        "\u201d": '"',
        "\u2013": "-",
        "\u2014": "--",
        "\u2026": "...",
        "\u2022": "*",
        "\u2219": "*",
        "\u25a0": "*",
        "·": "*",
        "\xad": "",
        "º": "°",
        "˚": "°",
    }
)
_C1 = re.compile("[\x80-\x9f]")
# A C1 control as the character of Windows' code page with this number.
_WINDOWS = {code: bytes([code]).decode("cp1252", "ignore") for code in range(0x80, 0xA0)}


def without_c1(text: str) -> str:
    """Replace C1 control characters by the characters that these bytes have in Windows' code page."""
    return text if text.isascii() or not _C1.search(text) else text.translate(_WINDOWS)


def readable(text: str) -> str:
    """Return a string of a JSON file without C1 controls and halves of surrogate pairs."""
    return text if text.isascii() else without_c1(text.encode("utf-16", "surrogatepass").decode("utf-16", "replace"))


def decode(data: bytes) -> tuple[str, str]:
    """Return the text of a record and its encoding: "ascii", "cp437", "latin-1", "mac-roman" or "utf-8".

    Lines end in a line feed; control bytes are removed; fractions are written out ("1½" -> "1 1/2").
    """
    if data.isascii():
        return _tidy_ascii(data), "ascii"
    data = data.replace(_REPLACEMENT, b"")
    if data.isascii():
        return _tidy_ascii(data), "utf-8"
    try:
        return _tidy_text(data.decode("utf-8")), "utf-8"
    except UnicodeDecodeError:
        text, page = _by_evidence(data)
        return _tidy_text(text), page


def _by_evidence(data: bytes) -> tuple[str, str]:
    """Return the text and the code page with the most votes."""
    places = [match.start() for match in _HIGH.finditer(data)]
    votes = {page: [_vote(data, place, page) for place in places] for page in CODE_PAGES}
    page = max(CODE_PAGES, key=lambda name: sum(votes[name]))
    characters = list(data.decode(_PYTHON_NAMES[page]))
    for number, place in enumerate(places):
        best = max(CODE_PAGES, key=lambda name: votes[name][number])
        fitting = page if votes[page][number] >= 0 or votes[best][number] <= 0 else best
        character = _TABLES[fitting][data[place]]
        kept = votes[fitting][number] >= 0 and (character in _KEPT_SIGNS or character.isalpha())
        characters[place] = character if kept or "\u2500" <= character <= "\u257f" else " "
    return "".join(characters), page


def _vote(data: bytes, place: int, page: str) -> float:
    """Return how well the byte's character in this code page fits its neighbours: -3.75 to 3."""
    table = _TABLES[page]
    character = table[data[place]]
    before = table[data[place - 1]] if place else "\n"
    after = table[data[place + 1]] if place + 1 < len(data) else "\n"
    fit = _fit(character, before, after)
    return fit - _MAC_HANDICAP if page == "mac-roman" else fit


def _fit(character: str, before: str, after: str) -> float:
    """Return how well a character fits between two others, by its kind."""
    if character in "°º":
        return 2.0 if before.isdigit() else -1.0 if before != " " else 1.5 if after in "FC" else 0.5
    if character.isalpha():
        return _letter_fit(character, before, after)
    if character in _FRACTIONS:
        return 2.0 if before.isdigit() else 1.0 if not before.isalpha() and not after.isalpha() else -1.0
    if "\u2500" <= character <= "\u259f":
        return 1.0 if character in (before, after) else -1.0
    if character == "’":
        return 3.0 if before.isalpha() and after in "sStT" else -1.0
    if "\x80" <= character <= "\x9f":
        return -3.0
    if character == "\xa0":
        return 0.5 if not (before.isalpha() and after.isalpha()) else -1.0
    return -1.0 if before.isalpha() and after.isalpha() else 0.0


def _letter_fit(letter: str, before: str, after: str) -> float:
    if letter == "ß":  # a beta in version numbers
        return 1.0 if before.islower() or before.isdigit() else 0.0
    if before.isdigit() or ord(letter) >= 0x250 or letter in "ªºƒıˆ˜¯þÞÿ" or letter in (before, after):
        return -1.0  # no letter of the languages of these dumps, or a line drawn with letters
    neighbours = [other for other in (before, after) if other.isalpha()]
    if not neighbours:
        return 0.5 if letter in "àáéèÀÉ" and before == " " == after else -1.0
    if letter.islower():  # DOS has few accented capitals: SOUFFLé
        return 2.0 if any(other.islower() for other in neighbours) else 1.3
    if before.islower():
        return -2.0
    return 2.0 if any(other.isupper() for other in neighbours) else 1.0 if not before.isalpha() else 0.0


def _tidy_ascii(data: bytes) -> str:
    data = data.replace(b"\r\n", b"\n").replace(b"\t", b"    ")
    return data.translate(_CONTROL_LINE_ENDS, _CONTROL_UNWANTED).decode("ascii")


def _tidy_text(text: str) -> str:
    text = _DRAWN_LINE.sub(lambda line: "-" * len(line.group()), _LINE_ENDS.sub("\n", text).translate(_TRANSLATION))
    text = _FRACTION_AFTER_DIGIT.sub(" ", text)
    text = _FRACTION_CHARACTER.sub(lambda match: _FRACTIONS[match.group()], text)
    return _UNWANTED.sub("", text)
