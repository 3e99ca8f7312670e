"""Evidence of the directions on two lines of an ingredient block: whether they name one thing or two."""

from __future__ import annotations

import re

_LAST, _FIRST = re.compile(r"[^\W\d_]{3,} [^\W\d_]{3,}$"), re.compile(r"[^\W\d_]{3,} [^\W\d_]{3,}")  # two words
_PARTED = re.compile("[,;]|--")
_ROW = (", ", " and ", ", and ")  # between two things: "yogurt and chives"
_SHORT = 3  # letters of a word that may begin another


def are_one(last: str, name: str, text: str) -> bool:
    """Return whether the text names a thing whose words are on two lines here: "chocolate" and "Mint wafers"."""
    before, _, first = last.lower().rpartition(" ")
    second = name.lower().split(" ", 1)[0].strip(",;")
    if not before or _PARTED.search(last) or len(second) <= _SHORT or name[len(second) :].startswith(" of "):
        return False
    return first.isalpha() and second.isalpha() and f" {first} {second}" in text


def are_two(last: str, name: str, text: str) -> bool:
    """Return whether the text names two things: of two words each ("coffee crystals"), or next to each other."""
    before, after = _LAST.search(last), _FIRST.match(name)
    if before and after and f" {before[0].lower()}" in text and f" {after[0].lower()}" in text:
        return True
    first, words = last.lower().rpartition(" ")[2], _PARTED.split(name.lower())[0].split()
    return first.isalpha() and any(
        f" {first}{mark}{word}" in text for mark in _ROW for word in (*words[:1], *words[-1:])
    )
