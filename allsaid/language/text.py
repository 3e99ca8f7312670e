"""The project's only tokeniser, and the normalisation before it: fractions, degrees, ranges, glued sentences.

``normalize`` returns the form that the data set stores as ``text``; ``tokenize`` splits it without changing a
character, so that the joined tokens equal the text without its blanks.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import cache, lru_cache
from itertools import chain
from typing import TYPE_CHECKING

from allsaid.language.characters import comparable
from allsaid.language.numbers import FRACTIONS
from schemas.example import LINE_BREAK

if TYPE_CHECKING:
    from spacy.tokenizer import Tokenizer

DASH = "–"  # between words, as a mark; ranges have a hyphen
_RANGE = re.compile(r"(?<=\w)[–—](?=\d)|(?<=\d) [–—] (?=\d)")  # also "9 am–5 pm"
_MINUS = re.compile(r"−(?=\d)")
_DASH = re.compile(r" ?— ?|(?<=[^\W\d])–(?=[^\W\d])|(?<=[^\d ]) --? (?=[^\d ])")  # "a bag—blue—for her"
CHARACTERS = str.maketrans(  # the grave accent is the only one in ASCII
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
    }
    | {sign: f" {fraction}" for sign, fraction in FRACTIONS.items()}
)

_UNITS = r"tsps?|tbsps?|tbs|tb|oz|ozs|lbs?|pkgs?|mins?|hrs?|qts?|pts?|gal|sec|doz|approx|pkts?|c|t|T|in|deg"
_GLUED_UNITS = (
    r"tsp|tbsp|oz|lbs?|cups?|min|mins|minutes|hours?|hrs?|inch|inches|teaspoons?|tablespoons?|pounds?|ounces?"
)

ENGLISH = "en"
LANGUAGES = (ENGLISH, "de", "fr")  # with tokenisation rules of their own
MAX_CACHED = 1 << 16  # chunks (text between blanks) in a cache
MAX_CHUNK = 100  # characters that spaCy gets; its time grows with the cube of a run of marks, and no word is that long
_PIECES = re.compile(r"\w+|\W")
_PLAIN = re.compile(r"([A-Za-z]+(?:-[A-Za-z]{2,})?|\d+)(\)?)([,;:!?.]?)(\)?)")  # a word, and the marks after it


def _degrees(match: re.Match[str]) -> str:
    return f"{match[1]} degrees {match[2].upper()}"


_DIGIT, _NUMBER = re.compile("[0-9]"), re.compile("[0-9]{3}")


_MARKS = (*"+*=~#_^|", "--", "''", "-'", "'-")  # in each run of three marks is one of these


def _digits_of(pattern: str) -> int:
    """Return the minimum number of consecutive digits in a match of the pattern."""
    return 3 if pattern.startswith(("([0-9]{3}", "([1-5]")) else int(pattern.startswith("([0-9]"))


# Each line: substrings, one of which every match has; a pattern of variants; the form that replaces them. A pattern
# begins with its rarest part and checks the text before it by a look-behind; that is several times faster. So is a
# function in place of a template.
_REWRITES = tuple(
    (needed, _digits_of(pattern), re.compile(pattern), replacement)
    for needed, pattern, replacement in (
        (_MARKS, r"[-+*=~#_^|']{3,}", " "),  # a rule
        (("/",), r"([0-9]) ?/ ?(?=[0-9])", lambda m: f"{m[1]}/"),
        (("/",), r"([0-9])(?<![/-].) ?- ?(?=[0-9]/[0-9])", lambda m: f"{m[1]} "),  # 1-1/2 -> 1 1/2
        # substitutes for a degree sign
        (("",), r"([1-5][0-9][0-9])(?<!\w...) ?[~^*'\"o] ?([fFcC])\b", lambda m: f"{m[1]}°{m[2]}"),
        (("~", "^"), r"([1-5][0-9][0-9])(?<!\w...)[~^](?!\w)", lambda m: f"{m[1]}°"),
        (("*", "~", "^", "|", "\\"), r"[*~^|\\]+", " "),
        (
            ("°", "eg", "EG"),
            r"([0-9][0-9]) ?(?:°|[Dd]eg(?:rees?)?\b\.?|DEG(?:REES?)?\b\.?) ?-?([FfCc])\b",
            _degrees,
        ),
        (("F", "C", "f"), r"([0-9]{3})(?<!\w...)(?: ?-?(?=[FC])|(?=f))([FCf])\b", _degrees),  # 350F
        (("°",), r" ?°", " degrees"),
        (("deg",), r"([0-9]{3}) ?deg\b\.?", lambda m: f"{m[1]} degrees"),
        (("degrees ",), r"degrees ([FC])\.(?= [a-z])", lambda m: f"degrees {m[1]}"),
        (("",), rf"([0-9])(?=[tolcmhip])(?=(?:{_GLUED_UNITS})\b)", lambda m: f"{m[1]} "),  # 10min
        ((". ", "., "), rf"([0-9] ?)({_UNITS})\.(?=,? [a-z0-9(])", lambda m: m[1] + m[2]),  # 2 oz. pkg -> 2 oz pkg
        (("-",), r"([0-9]) ?- ?(?=[0-9]|inch|pound|ounce|quart|cup|minute|hour)", lambda m: f"{m[1]}-"),  # 20 - 25
        (("--", " - "), r"-{2,}| - ", " -- "),  # a dash; a hyphen without blanks stays
        (("  ",), r"  +", " "),
        (("..",), r"\.{2,}", "..."),
        ((".",), r"\.(?<=[0-9].)(?<![0-9./-]..)(?=[A-Za-z]{2})", ". "),  # 2.Heat
        (("!!", "??", ",,", ";;"), r"([!?,;])\1+", lambda m: m[1]),
        ((" ,", " ;", " :", " !", " ?", " )", " ."), r" +(?=[,;:!?)]|\.(?![0-9]))", ""),
        (("( ",), r"\( +", "("),
        ((".",), r"\.(?<=[^\W\d_][^\W\d_].)(?=[A-Z][a-z])", ". "),  # taste.Cook
        ((")",), r"\)\.?(?=\w)", lambda m: f"{m[0]} "),
        ((",", ";", "!", "?"), r"[,;!?](?<=[^\W\d_].)(?=[^\W\d_])", lambda m: f"{m[0]} "),  # butter,melted
    )
)
# At index 0 the rules for texts without digits, at 1 for texts with digits, at 3 for texts with three digits in a row.
_REWRITES_BY_DIGITS = [
    [(needed, pattern, replacement) for needed, minimum, pattern, replacement in _REWRITES if minimum <= digits]
    for digits in range(4)
]


def normalize(text: str) -> str:
    """Normalise notation: straight quotes, ``1 1/2``, ``350 degrees F``, ``20-25``, single blanks."""
    text = comparable(text)
    text = text.replace("`", "'") if text.isascii() else text.translate(CHARACTERS)
    text = " ".join(text.split())
    digit = _DIGIT.search(text)
    digits = 0 if digit is None else 3 if _NUMBER.search(text, digit.start()) else 1
    for substrings, pattern, replacement in _REWRITES_BY_DIGITS[digits]:
        for part in substrings:
            if part in text:
                text = pattern.sub(replacement, text)
                break
    return text.strip()


@cache
def _tokenizer(language: str) -> Tokenizer:
    """Make this process's tokeniser at first use: spaCy loads slowly, and some users of this module need none."""
    from allsaid.language.spacy_tokenizer import make

    return make(language)


class _TokenCache(dict[str, tuple[str, ...]]):
    """Cache: text between blanks -> its tokens. spaCy, too, splits each such chunk independently."""

    def __init__(self, language: str) -> None:
        super().__init__()
        self._language = language

    def __missing__(self, chunk: str) -> tuple[str, ...]:
        if len(chunk) > MAX_CHUNK:
            return tuple(_PIECES.findall(chunk))  # not cached: it may be as long as the input
        if len(self) >= MAX_CACHED:
            self.clear()
        tokens = self[chunk] = self._split(chunk)
        return tokens

    def _split(self, chunk: str) -> tuple[str, ...]:
        """Return spaCy's tokens, faster for most chunks."""
        tokenizer = _tokenizer(self._language)
        if chunk.isalpha() and chunk not in tokenizer.rules:
            return (chunk,)
        is_simple = self._language == ENGLISH or "-" not in chunk  # French: dit-on
        if is_simple and chunk[0] == "(" and chunk[1:2].isalpha():
            return "(", *self[chunk[1:]]
        plain = _PLAIN.fullmatch(chunk) if is_simple else None
        if plain:
            ends = plain.end(1), plain.end(2), plain.end(3), plain.end(4)
            if tokenizer.rules.keys().isdisjoint(chunk[:end] for end in ends):
                return tuple(filter(None, plain.groups()))
        return tuple(token.text for token in tokenizer(chunk))


_CACHES = {language: _TokenCache(language) for language in LANGUAGES}


def tokenize(text: str, language: str = "") -> list[str]:
    """Split a text into tokens; joined, they are the text without its blanks.

    ``language`` is a code; its rules are used if it is one of ``LANGUAGES``, else those of English. Text of more than
    ``MAX_CHUNK`` characters between blanks is split at every mark.
    """
    cache = _CACHES.get(language, _CACHES[ENGLISH])
    return list(chain.from_iterable(map(cache.__getitem__, text.split())))


def tokenize_steps(steps: list[str]) -> list[str]:
    """Return the tokens of all steps, with :data:`LINE_BREAK` between steps."""
    tokens: list[str] = []
    for step in steps:
        if tokens:
            tokens.append(LINE_BREAK)
        tokens.extend(tokenize(step))
    return tokens


def listed(words: str) -> frozenset[str]:
    """Return the words of a text with blanks between them."""
    return frozenset(words.split())


def has_any(text: str, parts: Iterable[str]) -> bool:
    """Return whether a text contains one of the parts."""
    return any(map(text.__contains__, parts))


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


def with_dashes(text: str) -> str:
    """Return a text with a hyphen between the ends of ranges, a dash between other words, and spaces around both."""
    return _DASH.sub(f" {DASH} ", _RANGE.sub(" - ", _MINUS.sub("-", text)))
