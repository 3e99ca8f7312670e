"""Elision in French texts: "d'acier", but "de bois". In a text with placeholders, the value that follows is unknown.

Values are nouns, names and adjectives, so a short word before them is an article, a preposition or a conjunction.
Nothing is changed before a number, h or y, which are spoken with or without a vowel ("huit", "l'huile", "le haut").
"""

from __future__ import annotations

import re
import unicodedata

FRENCH = "fr"

_ELIDED = re.compile(r"[^\W\d_]+['’]")
_ELIDABLE = re.compile(r"de|la|le|(?:jus|lors|puis|quoi)?que", re.IGNORECASE)
_WITH_ARTICLE = {"du": "de l'", "au": "à l'"}
_VOWELS, _UNCLEAR = frozenset("aeiouæœ"), frozenset("hy")


def is_elided(word: str) -> bool:
    """Return whether a word ends in an apostrophe, so that no blank follows it: "d'"."""
    return _ELIDED.fullmatch(word) is not None


def has_apostrophe(word: str) -> bool:
    """Return whether a token of a French text holds an apostrophe, which texts write in several ways."""
    return is_elided(word) or word == "aujourd'hui"


def is_inverted(word: str) -> bool:
    """Return whether a token belongs to the word before it, without a blank: "-il" of "est-il"."""
    return word[0] == "-" and word[1:2].isalpha()


def elide(word: str, value: str) -> str:
    """Return a word as it is written before a value: "de" and "acier" -> "d'", "d'" and "bois" -> "de".

    "l'" stays before a consonant, since the value's gender decides between "le" and "la"; `is_misplaced` reports it.
    """
    has_vowel = _begins_with_vowel(value)
    if has_vowel and _ELIDABLE.fullmatch(word):
        return word[:-1] + "'"
    if has_vowel:
        return _WITH_ARTICLE.get(word.lower(), word)
    if has_vowel is False and is_elided(word) and word[0] not in "lL":
        return word[:-1] + "e"
    return word


def is_misplaced(word: str, following: str) -> bool:
    """Return whether a word is elided before a consonant: "l'bois"."""
    return is_elided(word) and _begins_with_vowel(following) is False


def _begins_with_vowel(word: str) -> bool | None:
    """Return whether a word begins with a vowel; None if that is unclear."""
    first = unicodedata.normalize("NFD", word[:1].lower())[:1]
    return None if not first.isalpha() or first in _UNCLEAR else first in _VOWELS
