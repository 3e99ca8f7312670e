"""Forms of a value in English texts: singular, plural, adverb, with a hyphen; and "a" or "an" before it.

The forms are made from the value, never guessed from the text. A missed form costs one mention; a wrong form makes
another word count as the value. So words whose plural has a meaning of its own ("new", "news") get no plural. Values in
texts of other languages get no forms (`is_english`), except the endings of `allsaid.language.endings` if a mapping
names the language.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from functools import cache, lru_cache
from itertools import takewhile
from typing import TYPE_CHECKING

from allsaid.language.endings import endings, with_ending
from allsaid.language.text import ENGLISH, tokenize

if TYPE_CHECKING:
    from inflect import engine

Words = tuple[str, ...]

PLURAL, SINGULAR = "-s", "-sg"  # tokens after a placeholder: its value in the plural, in the singular

_MAX_JOINED = 4  # maximum number of words that hyphens join
# Words in -s that are not plurals; the code also excludes all words in -ss, -us and -is.
_SINGULARS = "atlas bias canvas chaos cosmos gas ios lens christmas texas always perhaps"
# Singulars whose plural has another meaning.
_OTHER_MEANING = {"blue": "blues", "brief": "briefs", "custom": "customs", "good": "goods", "green": "greens"}
_OTHER_MEANING |= {"mean": "means", "medium": "media", "new": "news", "short": "shorts"}
_NO_PLURALS = frozenset([*_SINGULARS.split(), *_OTHER_MEANING.values()])
# Words in -ly whose meaning differs from that of their apparent base word, or that have no base word.
_WORDS_IN_LY = """barely clearly costly daily dearly directly early evenly finally fully hardly highly hourly lately
likely lively lonely lovely mainly monthly mostly nearly only orderly presently probably quarterly
really scarcely shortly simply timely truly weekly yearly"""
_NO_ADVERBS = frozenset(_WORDS_IN_LY.split())
_SHORTEST = 4  # fewest letters of the base word of an adverb

# The most common words of English, and of neighbouring languages where they are not English words.
COMMONEST = {
    language: frozenset(words.split())
    for language, words in {
        ENGLISH: "the and of is are with for it has have you this that from by at to its your there be",
        "de": "der die das und ist mit für ein eine einen im den dem von zu auf nicht",
        "es": "el la los las y con una por del es para en de",
        "fr": "la le les des et est une du pour avec dans au aux en de il",
        "it": "il la lo gli di che per è della una con",
        "nl": "de het een met van voor op en",
        "pt": "os uma com em não de para",
        "sv": "och att är som på en",
        "da": "og til en",
        "pl": "jest nie",
    }.items()
}
_ENGLISH_WORDS = COMMONEST[ENGLISH]
_FOREIGN_WORDS = frozenset().union(*COMMONEST.values()) - _ENGLISH_WORDS
_JOINT = re.compile(r"(?<=\w)(?: - |-| )(?=\w)")
# Numbers spoken with a vowel first: 8, 80, 8.5, 11, 18, 11,000.
_VOWEL_NUMBER = re.compile(r"8|1[18](?:,?\d{3})*(?!\d)")
# Letters spelled out with a vowel first ("lcd", "hdmi", "mp3"), since no English word begins with them, but for two.
_VOWEL_LETTERS = re.compile(
    r"leds?$|suvs?$|(?!mrs?$)(?:f(?![lrj])|h|l(?!l)|m(?!n)|n|r(?!h)|s(?![chklmnpqtvw])|x)[bcdfghjklmnpqrstvwxz]"
)
_CONSONANT_LETTERS = re.compile(r"u(?:[ikvx]|hd|hf|pc|sb)?$")  # "uk" is spoken "you-kay"


def is_english(words: Collection[str]) -> bool:
    """Return whether a text has at least as many of the commonest English words as of the commonest foreign ones."""
    foreign = sum(word in _FOREIGN_WORDS for word in words)
    return not foreign or foreign <= sum(word in _ENGLISH_WORDS for word in words)


def language_of(words: Collection[str]) -> str:
    """Return the code of the language whose commonest words a text has most often; "" if it has none, or at a tie."""
    counts = {language: sum(word in common for word in words) for language, common in COMMONEST.items()}
    most = max(counts.values())
    found = [language for language, count in counts.items() if count == most]
    return found[0] if most and len(found) == 1 else ""


@lru_cache(maxsize=1 << 14)
def inflected(forms: tuple[Words, ...], language: str = ENGLISH) -> tuple[Words, ...]:
    """Return further forms of a value, the likelier first; ``forms`` are its known forms, beginning with the value."""
    if language != ENGLISH:
        texts = [" ".join(form) for form in forms]
        ways = [tuple(with_ending(form, ending, language).split()) for form in texts for ending in endings(language)]
    else:
        ways = [other for form in forms for other in _singular_or_plural(form)]
        for form in (*forms[:1], *_singular_or_plural(forms[0])) if forms else ():
            ways += _joined(form)
    return tuple(dict.fromkeys(form for form in ways if form and form not in forms))


def adverbs(forms: tuple[Words, ...]) -> tuple[Words, ...]:
    """Return the adverbs of a value: "moderately" for "moderate".

    In a text they count as the value. They are never generated, since most values have no adverb.
    """
    ways = ((*form[:-1], adverb(form[-1])) for form in forms if form)
    return tuple(dict.fromkeys(form for form in ways if form not in forms))


def _singular_or_plural(form: Words) -> Iterator[Words]:
    """Yield the form with its last word in the plural or, if it is a plural, in the singular."""
    *before, last = form
    if last == PLURAL:  # a token of its own in normalised texts of some corpora
        yield tuple(before)
    elif len(last) > 1 and last.replace("-", "").isalpha() and last not in _OTHER_MEANING and last not in _NO_PLURALS:
        others = [singular(last)] if is_plural(last) else [plural(last), last + "s"]  # "people", "persons"
        yield from ((*before, other) for other in others if other != last)


def _joined(form: Words) -> Iterator[Words]:
    """Yield the form with its words separate, hyphenated, or as one word: "26 inch", "26-inch", "26inch"."""
    joined = " ".join(form)
    parts = _JOINT.split(joined)
    if not 1 < len(parts) <= _MAX_JOINED or any(" " in part for part in parts):
        return
    yield tuple(parts)
    yield tuple(tokenize("-".join(parts)))
    is_measure = len(parts) == 2 and parts[0][-1].isdigit() and parts[1].isalpha()
    is_hyphenated = len(parts) == joined.count("-") + 1 and not any(map(str.isdigit, joined))
    if is_measure or is_hyphenated:
        yield tuple(tokenize("".join(parts)))


@cache
def _library() -> engine:
    import inflect  # loaded at first use

    return inflect.engine()


def is_plural(word: str) -> bool:
    return singular(word) != word


@lru_cache(maxsize=1 << 16)
def plural(word: str) -> str:
    """Return the plural: ``battery`` -> batteries, ``TV`` -> TVs; a plural stays."""
    if not word[-1:].isalpha():
        return word + "s"
    lower = _last(word)
    if is_plural(word) or lower in _OTHER_MEANING.values():
        return word
    return _cased(word, _library().plural_noun(lower))


@lru_cache(maxsize=1 << 16)
def singular(word: str) -> str:
    """Return the singular: ``batteries`` -> battery, ``children`` -> child; a word that is no plural stays."""
    lower = _last(word)
    if not lower.isalpha() or lower in _NO_PLURALS or lower.endswith(("ss", "us", "is")):
        return word
    base = str(_library().singular_noun(lower) or "")  # inflect returns False if it knows none
    if len(base) < 2 or lower not in (base + "s", _library().plural_noun(base)):
        return word
    return _cased(word, base)


def adverb(word: str) -> str:
    """Return the adverb: ``moderate`` -> moderately, ``easy`` -> easily; a word without one stays."""
    if len(word) < _SHORTEST or not word.isalpha() or word.endswith("ly"):
        return word
    if word.endswith("y"):
        result = word[:-1] + "ily"
    elif word.endswith(("ble", "ple", "tle", "gle", "dle")):
        result = word[:-1] + "y"
    else:
        result = word + {"c": "ally", "l": "ly" if not word.endswith("ll") else "y"}.get(word[-1], "ly")
    return word if result.lower() in _NO_ADVERBS else result


def _last(word: str) -> str:
    """Return the part of a word that inflects: "shirt" of "T-shirt"."""
    return word.lower().rpartition("-")[2]


def _cased(word: str, new: str) -> str:
    """Replace the last part of a word, in its letter case."""
    start = len(word) - len(_last(word))
    old = word[start:]
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(old.lower(), new, strict=False)))
    cased = old[:same] + new[same:]
    return word[:start] + (cased[0].upper() + cased[1:] if old[0].isupper() else cased)


def article(words: Sequence[str]) -> str:
    """Return ``a`` or ``an``, by the sound of the first word with a letter or digit."""
    return next((_article(word.lower()) for word in words if any(map(str.isalnum, word))), "a")


@lru_cache(maxsize=1 << 16)
def _article(word: str) -> str:
    word = re.sub(r"^[^\w]+|[-/'].*", "", word) or word
    if _VOWEL_NUMBER.match(word) or _VOWEL_LETTERS.match(word):
        return "an"
    if word[0].isdigit() or _CONSONANT_LETTERS.match(word):
        return "a"
    return _library().a(word).split()[0]
