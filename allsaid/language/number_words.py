"""Numbers in words -> digits: "five out of five", "two and a half kilos", "a dozen", "half an hour".

`text2num` reads whole numbers in several languages; fractions, dozens and words with hyphens are read here
(docs/architecture.md). "One" is also a pronoun and an article, so it counts only where the words next to it make it a
number: before a unit or a limit ("one and up"), in a larger number or a range, and after a unit or "from" where a
phrase ends.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

from text_to_num import Occurence, find_numbers

from allsaid.language.text import ENGLISH
from allsaid.language.units import LONGEST, UNITS

LANGUAGES = frozenset((ENGLISH, "de", "fr", "es", "it", "nl", "pt"))  # whose number words `text2num` reads
Units = Collection[tuple[str, ...]]

_NUMBER, _UNIT = "N", "U"  # in patterns: any number, any unit; other words are in lower case
# Pattern, factor and addend: the pattern means the number N · factor + addend. Longer patterns come first.
_ENGLISH = (
    ("N U and a half", "1", "0.5"), ("N U and a quarter", "1", "0.25"), ("N U and 3 quarters", "1", "0.75"),
    ("an U and 3 quarters", "0", "1.75"), ("an U and a quarter", "0", "1.25"), ("a U and a quarter", "0", "1.25"),
    ("a U and 3 quarters", "0", "1.75"), ("N and 3 quarters", "1", "0.75"),
    ("N quarters of a U", "0.25", "0"), ("N quarters of an U", "0.25", "0"), ("a quarter of an U", "0", "0.25"),
    ("a quarter of a U", "0", "0.25"), ("a U and a half", "0", "1.5"), ("an U and a half", "0", "1.5"),
    ("N and a half", "1", "0.5"), ("N and a quarter", "1", "0.25"),
    ("half a dozen", "0", "6"), ("half a U", "0", "0.5"), ("half an U", "0", "0.5"), ("a half U", "0", "0.5"),
    ("a dozen", "0", "12"), ("N dozen", "12", "0"), ("N hundred", "100", "0"), ("N thousand", "1000", "0"),
    ("N million", "1000000", "0"), ("half U", "0", "0.5"),
    ("a single U", "0", "1"),
)  # fmt: skip
_PARTS = {"third": "0.33", "fifth": "0.2", "eighth": "0.125", "tenth": "0.1"}  # "a tenth of a kilo"
_PATTERNS = {
    ENGLISH: (
        *_ENGLISH,
        *((f"{article} {part} of a U", "0", size) for part, size in _PARTS.items() for article in ("a", "an", "one")),
        ("2 thirds of a U", "0", "0.67"),
    ),
    "de": tuple(
        (f"{article} halbe{end} U", "0", "0.5") for article in ("ein", "eine", "einen") for end in ("s", "r", "n", "")
    ),
    "fr": (
        ("N U et demi", "1", "0.5"),
        ("N U et demie", "1", "0.5"),
        ("un demi U", "0", "0.5"),
        ("une demi U", "0", "0.5"),
    ),
    "es": (("N U y medio", "1", "0.5"), ("N U y media", "1", "0.5"), ("medio U", "0", "0.5"), ("media U", "0", "0.5")),
}
Pattern = tuple[list[str], Decimal, Decimal]


def _by_first_word(patterns: Sequence[tuple[str, str, str]]) -> dict[str, list[Pattern]]:
    by_word: dict[str, list[Pattern]] = {}
    for pattern, factor, addend in patterns:
        words = pattern.split()
        by_word.setdefault(words[0], []).append((words, Decimal(factor), Decimal(addend)))
    return by_word


# A text with none of these words and no number in words matches no pattern.
_FRACTIONS = "half quarter quarters third thirds fifth eighth tenth halbes halber halben halbe demi demie medio media"
_PATTERN_WORDS = frozenset(["single", "dozen", *_FRACTIONS.split()])
_PATTERNS_BY_FIRST_WORD = {language: _by_first_word(patterns) for language, patterns in _PATTERNS.items()}
_GERMAN_HALF = "einhalb"  # zweieinhalb
_JOINTS = frozenset(("to", "until", "till", "bis", "à", "-", "--"))  # of a range: "one to four"
# Before a number that ends a phrase: "suitable from one.", "an armchair for one.", "aged one,".
_BEFORE = frozenset(("from", "for", "age", "aged", "turned", "turns", "ab", "dès", "desde"))
_FOR_ONE = [["for", behind] for behind in ("in", "with", "by", "from")]  # around "one"
_TEENS, _TWO_DIGITS = range(10, 21), range(10, 100)  # "nineteen ninety-nine"


class Replaced(NamedTuple):
    """A word of the result, in digits if it is a number, and the span of the text's words that it replaces."""

    word: str
    start: int
    end: int


class _Token:
    """A word with the interface that `text2num` expects."""

    __slots__ = ("_word",)

    def __init__(self, word: str) -> None:
        self._word = word

    def text(self) -> str:
        return self._word

    def nt_separated(self, previous: object) -> bool:
        return False

    def not_a_number_part(self) -> bool:
        return False


def in_digits(
    words: Sequence[str], units: Units, language: str = ENGLISH, limits: Units = frozenset()
) -> list[Replaced] | None:
    """Return the words of a text, in lower case, with digits for its numbers in words.

    ``units`` are the known units: before one of them, "one" and "half" are numbers, too; ``limits``: phrases after a
    number, such as "or more". Returns None if no number is in words, or if the language is not in ``LANGUAGES``.
    """
    if language not in LANGUAGES or not any(_may_be_number(word, language) for word in words):
        return None
    numbers = {item.start: item for item in find_numbers([*map(_Token, words)], language, 0) if not item.is_ordinal}
    if not numbers and _PATTERN_WORDS.isdisjoint(words) and not any(_is_compound(word, language) for word in words):
        return None
    replaced = [*_whole_numbers(words, numbers, units, language, limits)]
    patterns_by_first_word = _PATTERNS_BY_FIRST_WORD.get(language, {})
    rewritten: list[Replaced] = []
    place = 0
    while place < len(replaced):
        first = _NUMBER if _is_digits(replaced[place].word) else replaced[place].word
        for pattern, factor, addend in patterns_by_first_word.get(first, ()):
            after = [word.word for word in replaced[place + len(pattern) :][:1]]
            is_clock = after == ["past"]  # "10 and a quarter past 11"
            if _is_at(replaced, place, pattern, units) and not is_clock:
                place = _rewrite(replaced, place, pattern, factor, addend, rewritten)
                break
        else:
            rewritten.append(replaced[place])
            place += 1
    return rewritten


def _whole_numbers(
    words: Sequence[str], numbers: Mapping[int, Occurence], units: Units, language: str, limits: Units
) -> Iterator[Replaced]:
    """Yield the words, with whole numbers in digits, and words such as "two-person" split into their parts."""
    place = 0
    while place < len(words):
        number = numbers.get(place)
        if number is None or _is_digits(words[place]):
            yield from _parts(words[place], place, language)
            place += 1
            continue
        value, end = int(number.value), number.end
        after = numbers.get(end)
        is_power = end == place + 1 and value in (100, 1000, 1_000_000)
        if (is_power and place and _is_digits(words[place - 1])) or (
            value == 1
            and end == place + 1
            and not _is_one_a_number(words, end, units, limits)
            and not _is_one_in_range(words, end, numbers)
        ):
            yield Replaced(words[place], place, end)
        elif value in _TEENS and after is not None and int(after.value) in _TWO_DIGITS:
            end = after.end
            yield Replaced(str(100 * value + int(after.value)), place, end)
        else:
            yield Replaced(f"{Decimal(str(number.value)).normalize():f}", place, end)
        place = end


@lru_cache(maxsize=1 << 14)
def _may_be_number(word: str, language: str) -> bool:
    """Return whether a word can be a number, or a part of one; a text without such a word has no number."""
    return word in _PATTERN_WORDS or bool(find_numbers([_Token(word)], language, 0)) or _is_compound(word, language)


@lru_cache(maxsize=1 << 14)
def _is_compound(word: str, language: str) -> bool:
    """Return whether a part of a word is a number in words: "two-person", "zweieinhalb"."""
    return len([*_parts(word, 0, language)]) > 1 or next(_parts(word, 0, language)).word != word


def _parts(word: str, place: int, language: str) -> Iterator[Replaced]:
    first, hyphen, second = word.partition("-")
    number = _number_of(first, language) if hyphen and second else None
    parts: Sequence[str] = (word,)
    if number is not None and _number_of(second, language) is None:
        parts = (number, hyphen, second)
    elif language == "de" and word == "anderthalb":
        parts = ("1.5",)
    elif language == "de" and word.endswith(_GERMAN_HALF):
        number = _number_of(word.removesuffix(_GERMAN_HALF), language) or "1"
        parts = (f"{number}.5",)
    for part in parts:
        yield Replaced(part, place, place + 1)


@lru_cache(maxsize=1 << 14)
def _number_of(word: str, language: str) -> str | None:
    """Return the whole number that a word names, in digits; None for any other word."""
    numbers = [*find_numbers([_Token(word)], language, 0)] if word.isalpha() else []
    return str(int(numbers[0].value)) if len(numbers) == 1 and not numbers[0].is_ordinal else None


def _is_one_a_number(words: Sequence[str], place: int, units: Units, limits: Units) -> bool:
    """Return whether the words next to a "one" that ends at ``place`` make it a number.

    These do: "one litre", "one and a half", "one out of five", "one and up", "aged one.", "from one."; but "the 2 kg
    one" does not.
    """
    behind = {tuple(words[place : place + length]) for length in range(1, LONGEST + 1)}
    if not behind.isdisjoint(units) or not behind.isdisjoint(limits):
        return True
    if " ".join(words[place : place + 2]) in ("out of", "and a", "and three"):
        return True
    at = place - 2 - ([*words[place - 2 : place - 1]] == ["of"])  # "the age of one"
    is_noun = at >= 0 and (words[at],) in units and (words[at],) not in UNITS  # "it sleeps one", but "from day one"
    is_named = is_noun or (at >= 0 and words[at] in _BEFORE)
    is_last = not any(map(str.isalpha, words[place : place + 1])) or words[place - 2 : place + 1 : 2] in _FOR_ONE
    return is_named and is_last and not (at and _is_digits(words[at - 1]))


def _is_one_in_range(words: Sequence[str], place: int, numbers: Mapping[int, Occurence]) -> bool:
    """Return whether a "one" that ends at ``place`` begins a range: "one to four", "between one and four"."""
    joint = [*words[place : place + 1]]
    is_between = joint == ["and"] and [*words[place - 2 : place - 1]] == ["between"]
    return (is_between or not _JOINTS.isdisjoint(joint)) and (
        (place + 1 in numbers and int(numbers[place + 1].value) > 1)
        or any(map(_is_digits, words[place + 1 : place + 2]))
    )


def _is_at(words: Sequence[Replaced], place: int, pattern: Sequence[str], units: Units) -> bool:
    if place + len(pattern) > len(words):
        return False
    for word, part in zip(words[place:], pattern, strict=False):
        is_fit = (
            _is_digits(word.word) if part == _NUMBER else (word.word,) in units if part == _UNIT else word.word == part
        )
        if not is_fit:
            return False
    return True


def _rewrite(
    words: Sequence[Replaced], place: int, pattern: Sequence[str], factor: Decimal, addend: Decimal, out: list[Replaced]
) -> int:
    """Append the number that a pattern means at a place, and its unit, to ``out``; return the place after it."""
    end = place + len(pattern)
    number = Decimal(words[place].word) if pattern[0] == _NUMBER else Decimal()
    last = pattern.index(_UNIT) if _UNIT in pattern else len(pattern)
    out.append(Replaced(f"{(number * factor + addend).normalize():f}", words[place].start, words[place + last - 1].end))
    if _UNIT in pattern:
        out.append(Replaced(words[place + last].word, words[place + last].start, words[end - 1].end))
    return end


def _is_digits(word: str) -> bool:
    return word[:1].isdigit() and word.replace(".", "", 1).isdigit()
