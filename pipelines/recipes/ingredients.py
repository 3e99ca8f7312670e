"""Ingredient lines and titles -> the word tokens of names, without amounts, units and preparation.

The same functions prepare a dump's parsed ingredients and a user's raw agenda line ("2 limes, juiced").
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from pipelines.recipes.units import AMOUNT, CODES, UNITS_IN_NAMES, WORDS
from pipelines.recipes.wordlists import (
    ADJECTIVES,
    BODY_PARTS,
    LEADING,
    MODIFIERS,
    PREPARED,
    PREPARED_AFTER,
    SHARED_HEADS,
    SIZES,
    TRAILING,
)
from schemas.recipe import Ingredient

_FRACTIONS = str.maketrans(
    {
        **{"½": " 1/2", "⅓": " 1/3", "⅔": " 2/3", "¼": " 1/4", "¾": " 3/4"},
        **{"⅛": " 1/8", "⅜": " 3/8", "⅝": " 5/8", "⅞": " 7/8", "⁄": "/"},
    }
)
_UNIT = re.compile(r"([A-Za-z]+)\.?(?=[\s,;(]|$)")
_BRACKETS = re.compile(r"\([^()]*\)|\[[^\]]*\]|\{[^}]*\}|<[^>]*>")
_BRACKET = re.compile(r"[()\[\]{}<>]")
_OPEN_BRACKET = re.compile(r"[(\[{<].*$|[)\]}>]")
_AND_SO_ON = re.compile(  # begins a note on the use or the form of the ingredient
    r"\s(?:for|with|without|at|into|in|from|such as|about|if|as|see|per|mixed|separated|that|which|to [a-z]+"
    r"|cut (?:in|into|up|to|on|off|across|length\w+|cross\w+))\b",
    re.IGNORECASE,
)
_SEPARATOR = re.compile(r"\s+-+\s*|--+|[,;:]|\*+(?=\s|$)|\s/\s")
_OF_FRUIT = re.compile(r"(juice|zest|rind|peel)(?: and (?:juice|zest|rind|peel))? (?:of|from)\s+(.+)$", re.IGNORECASE)
_OR = re.compile(r"\s+(?:and/or|or)\s+", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_CONNECTOR = re.compile(
    r"(?:to|or|plus|about|approx\.?|approximately|of|and|x|up to|\+|-|&|heaping|scant|level)\s+(?=[\d.])", re.I
)
_TITLE_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_MEASURES = LEADING | WORDS - UNITS_IN_NAMES | {code for code in CODES if len(code) > 1}
_DROPPED = frozenset({"and", "or", "of", "the", "a", "an", "with", "in", "for", "to", "n", "s"})


def split_line(line: str) -> tuple[str, str, str]:
    """Return amount, unit and name of a line as a person writes it; "" for a missing part."""
    text = " ".join(_with_fractions(line).split())
    found = AMOUNT.match(text)
    amount = found.group() if found else ""
    rest = text[len(amount) :].lstrip()
    if amount and rest.startswith("-"):  # "1-inch piece", "12-ounce can"
        rest = rest[1:]
    unit = _unit(rest, bool(amount))
    return amount, unit, rest[len(unit) :].lstrip(" .") if unit else rest


def _with_fractions(text: str) -> str:
    return text if text.isascii() else text.translate(_FRACTIONS)


def _unit(rest: str, after_amount: bool) -> str:
    found = _UNIT.match(rest)
    if found is None:
        return ""
    word = found[1]
    known = word in CODES or word.lower() in WORDS if after_amount else word in CODES
    return word if known and rest[found.end() :].strip(" .") else ""


def agenda_line(ingredient: Ingredient) -> str:
    """Return the ingredient as a line: "2 tb Olive oil"."""
    return " ".join(filter(None, (ingredient.amount, ingredient.unit, ingredient.name)))


def name_words(line_or_name: str) -> list[str]:
    """Return the lower-case word tokens of an ingredient's name: "2 limes, juiced" -> ["limes"].

    Accepts a whole line or an ``Ingredient.name``. Inverted names are restored ("Sugar, brown" -> brown sugar); of
    alternatives ("butter or margarine") the first is kept.
    """
    return list(_name_words(line_or_name))


@lru_cache(maxsize=1 << 16)  # a few thousand names make most of a dump
def _name_words(line_or_name: str) -> tuple[str, ...]:
    text = _without_amounts(_without_brackets(_with_fractions(line_or_name)))
    return _things(text) or tuple(_words(line_or_name))


@lru_cache(maxsize=1 << 16)
def _things(text: str) -> tuple[str, ...]:
    """Return the words of a line without amounts; () if it has none."""
    found = _OF_FRUIT.match(text)
    if found:  # "Juice of 1 lemon, strained"
        text = f"{_without_amounts(found[2].split(',')[0])} {found[1]}"
    words: list[str] = []
    for part in _SEPARATOR.split(text):
        tokens = _words(_first_alternative(_AND_SO_ON.split(part, maxsplit=1)[0]))
        if PREPARED.issuperset(words):  # "Chopped, fresh coriander"
            words = []
        if ADJECTIVES.issuperset(words):  # "Smoked, cooked ham"
            words += [] if LEADING.issuperset(tokens) else _stripped(tokens)
        elif 0 < len(tokens) <= 2 >= len(words) and PREPARED_AFTER.isdisjoint(tokens) and set(words).isdisjoint(tokens):
            words = words + tokens if tokens[-1] in BODY_PARTS else tokens + words
    return tuple(words or _words(text))


def _without_brackets(text: str) -> str:
    if not _BRACKET.search(text):
        return text
    bare = _OPEN_BRACKET.sub(" ", _BRACKETS.sub(" ", text))
    return bare if _WORD.search(bare) else text


def _without_amounts(text: str) -> str:
    """Remove all amounts and units at the front: "1 can (8 oz) or 2 cups beans"."""
    measured = False
    while True:
        text = text.strip(" .-*+~")
        amount, _, name = ("", "", "") if text[:1].isalpha() else split_line(text)
        if amount and name:
            text, measured = name, True
            continue
        found = _CONNECTOR.match(text)
        if not found:
            words = text.split(" ", 1)
            word = words[0].lower().rstrip(".")
            if len(words) == 2 and (word in _MEASURES or words[0] in CODES or (measured and word in WORDS)):
                text = words[1]
                continue
            return text
        text = text[found.end() :]


def _first_alternative(part: str) -> str:
    sides = _OR.split(part, maxsplit=1)
    if len(sides) == 1 or not sides[0]:
        return part
    first, second = _words(sides[0]), _words(sides[1])
    if first and len(second) > 1 and second[-1] in SHARED_HEADS and first[-1] in MODIFIERS:
        return f"{sides[0]} {second[-1]}"
    if second and all(
        token in ADJECTIVES or token in PREPARED for token in first
    ):  # "fresh or frozen berries", "stock; fresh or canned"
        return "" if all(token in ADJECTIVES or token in PREPARED for token in second) else sides[1]
    return sides[0] if first else sides[1]


def _words(text: str) -> list[str]:
    return [token for token in _tokens(_WORD, text) if token not in _DROPPED]


def _stripped(tokens: list[str]) -> list[str]:
    """Remove preparation and sizes at both ends, but never all tokens."""
    tokens = [token for token in tokens if token not in SIZES] or tokens
    start, end = 0, len(tokens)
    while start < end - 1 and (tokens[start] in PREPARED or tokens[start] in LEADING):
        start += 1
    while end - 1 > start and (tokens[end - 1] in PREPARED or tokens[end - 1] in TRAILING):
        end -= 1
    kept = tokens[start:end]
    return [token for token in kept if token not in ("clove", "cloves")] if "garlic" in kept else kept


def title_words(title: str) -> list[str]:
    """Return the lower-case tokens of a title that have a letter, without ``'s``, ``and`` and ``with``."""
    tokens = _tokens(_TITLE_WORD, title)
    return [token for token in tokens if token not in ("and", "with", "s") and any(map(str.isalpha, token))]


def _tokens(pattern: re.Pattern[str], text: str) -> Iterable[str]:
    """Return what a pattern finds in a text, in lower case, without ``'s``."""
    tokens = map(str.lower, pattern.findall(text))
    if text.isascii() and "'" not in text:  # as most
        return tokens
    return (token.replace("’", "'").removesuffix("'s") for token in tokens)
