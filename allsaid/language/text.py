"""The project's only tokeniser, and the normalisation before it: fractions, degrees, ranges, glued sentences.

``normalize`` returns the form that the data set stores as ``text``; ``tokenize`` splits it without changing a
character, so that the joined tokens equal the text without its blanks.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from allsaid.language.characters import comparable
from schemas.example import LINE_BREAK

if TYPE_CHECKING:
    from spacy.tokenizer import Tokenizer

CHARACTERS = str.maketrans(
    {
        "‘": "'",
        "’": "'",
        "´": "'",
        "`": "'",
        "“": '"',
        "”": '"',
        "–": "-",
        "—": " -- ",
        "─": "-",
        "…": "...",
        "\u00a0": " ",
        "\u2009": " ",
        "º": "°",
        "⁄": "/",
        "½": " 1/2",
        "¼": " 1/4",
        "¾": " 3/4",
        "⅓": " 1/3",
        "⅔": " 2/3",
        "⅛": " 1/8",
        "⅜": " 3/8",
        "⅝": " 5/8",
        "⅞": " 7/8",
    }
)

_UNITS = r"tsps?|tbsps?|tbs|tb|oz|ozs|lbs?|pkgs?|mins?|hrs?|qts?|pts?|gal|sec|doz|approx|pkts?|c|t|T|in|deg"
_GLUED_UNITS = (
    r"tsp|tbsp|oz|lbs?|cups?|min|mins|minutes|hours?|hrs?|inch|inches|teaspoons?|tablespoons?|pounds?|ounces?"
)


ENGLISH = "en"
LANGUAGES = (ENGLISH, "de", "fr")  # with tokenisation rules of their own
KNOWN = 1 << 16  # most stretches in the cache
LONG = 100  # characters; spaCy's time grows with the cube of a stretch of marks, and no word is that long
_PIECES = re.compile(r"\w+|\W")


def _degrees(found: re.Match[str]) -> str:
    return f"{found[1]} degrees {found[2].upper()}"


# Each line: a substring that a text must contain, checked first; the pattern of the variants; the one form of the
# data set. A pattern begins with its rare part and looks behind afterwards, which makes the search several times
# faster.
REWRITES = tuple(
    (needed, re.compile(pattern), replacement)
    for needed, pattern, replacement in (
        ("", r"[-+*=~#_^|']{3,}", " "),  # a rule
        ("/", r"([0-9]) ?/ ?(?=[0-9])", r"\1/"),
        ("/", r"([0-9])(?<![/-].) ?- ?(?=[0-9]/[0-9])", r"\1 "),  # 1-1/2 -> 1 1/2
        ("", r"([1-5][0-9][0-9])(?<!\w...) ?[~^*'\"o] ?([fFcC])\b", r"\1°\2"),  # substitutes for a degree sign
        ("", r"([1-5][0-9][0-9])(?<!\w...)[~^](?!\w)", r"\1°"),
        ("", r"[*~^|\\]+", " "),
        ("", r"([0-9][0-9]) ?(?:°|[Dd]eg(?:rees?)?\b\.?|DEG(?:REES?)?\b\.?) ?-?([FfCc])\b", _degrees),
        ("", r"([0-9]{3})(?<!\w...)(?: ?-?(?=[FC])|(?=f))([FCf])\b", _degrees),  # 350F
        ("°", r" ?°", " degrees"),
        ("deg", r"([0-9]{3}) ?deg\b\.?", r"\1 degrees"),
        ("degrees ", r"degrees ([FC])\.(?= [a-z])", r"degrees \1"),
        ("", rf"([0-9])(?=(?:{_GLUED_UNITS})\b)", r"\1 "),  # 10min
        (".", rf"([0-9] ?)({_UNITS})\.(?=,? [a-z0-9(])", r"\1\2"),  # 2 oz. pkg -> 2 oz pkg
        ("-", r"([0-9]) ?- ?(?=[0-9]|inch|pound|ounce|quart|cup|minute|hour)", r"\1-"),  # 20 - 25
        ("-", r"-{2,}| - ", " -- "),  # a dash; a hyphen without blanks stays
        ("  ", r"  +", " "),
        ("..", r"\.{2,}", "..."),
        (".", r"([0-9])(?<![0-9./-].)\.(?=[A-Za-z]{2})", r"\1. "),  # 2.Heat
        ("", r"([!?,;])\1+", r"\1"),
        ("", r" +(?=[,;:!?)]|\.(?![0-9]))", ""),
        ("( ", r"\( +", "("),
        (".", r"\.(?<=[^\W\d_][^\W\d_].)(?=[A-Z][a-z])", ". "),  # taste.Cook
        (")", r"\)\.?(?=\w)", lambda m: m[0] + " "),
        ("", r"[,;!?](?<=[^\W\d_].)(?=[^\W\d_])", lambda m: m[0] + " "),  # butter,melted
    )
)


def normalize(text: str) -> str:
    """Normalise notation: straight quotes, ``1 1/2``, ``350 degrees F``, ``20-25``, single blanks."""
    text = " ".join(comparable(text).translate(CHARACTERS).split())
    for needed, pattern, replacement in REWRITES:
        if needed in text:
            text = pattern.sub(replacement, text)
    return text.strip()


@cache
def _tokenizer(language: str) -> Tokenizer:
    """Make this process's tokeniser at first use: spaCy loads slowly, and some users of this module need none."""
    from allsaid.language.spacy_tokenizer import make

    return make(language)


class _Cuts(dict[str, tuple[str, ...]]):
    """Cache: a stretch without blanks -> its tokens. It is exact, since spaCy splits each stretch independently."""

    def __init__(self, language: str) -> None:
        super().__init__()
        self._language = language

    def __missing__(self, chunk: str) -> tuple[str, ...]:
        if len(chunk) > LONG:
            return tuple(_PIECES.findall(chunk))  # not cached: it may be as long as the input
        if len(self) >= KNOWN:
            self.clear()
        tokenizer = _tokenizer(self._language)
        if chunk.isalpha() and chunk not in tokenizer.rules:
            self[chunk] = (chunk,)  # same result as spaCy's, but faster
        else:
            self[chunk] = tuple(token.text for token in tokenizer(chunk))
        return self[chunk]


_CUTS = {language: _Cuts(language) for language in LANGUAGES}


def tokenize(text: str, language: str = "") -> list[str]:
    """Split a text into tokens; joined, they are the text without its blanks. A long stretch is split at its marks.

    The rules are those of the language, by its code, if it is one of ``LANGUAGES``, else those of English.
    """
    cuts = _CUTS.get(language, _CUTS[ENGLISH])
    return [token for chunk in text.split() for token in cuts[chunk]]


def tokenize_steps(steps: list[str]) -> list[str]:
    """Return the tokens of all steps, with :data:`LINE_BREAK` between steps."""
    tokens: list[str] = []
    for step in steps:
        if tokens:
            tokens.append(LINE_BREAK)
        tokens.extend(tokenize(step))
    return tokens


@lru_cache(maxsize=1 << 16)
def is_word(token: str) -> bool:
    """Return whether a token has a letter or digit."""
    return token != LINE_BREAK and any(character.isalnum() for character in token)


def latin_share(text: str) -> float:
    """Return the share of Latin letters among the letters of ``text``; 1 if it has no letters."""
    if text.isascii():
        return 1.0
    letters = [character for character in text if character.isalpha()]
    latin = sum(character.isascii() or unicodedata.name(character, "").startswith("LATIN") for character in letters)
    return latin / len(letters) if letters else 1.0
