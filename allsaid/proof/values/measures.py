"""Numbers of a text with the units next to them, in digits or in words, and amounts of several numbers.

An *amount* is more than a number: a range ("£20 to £25"), a limit ("less than £20", "30 or more"), or a score
("5 out of 5").
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache
from typing import TypeVar

from allsaid.language.number_words import in_digits
from allsaid.language.numbers import find_numbers
from allsaid.language.text import ENGLISH
from allsaid.language.units import (
    CELSIUS,
    FAHRENHEIT,
    LONGEST,
    UNITS,
    Words,
    is_comparable,
    is_near,
    ratio,
    with_common,
)
from allsaid.proof.clauses import ENDS
from allsaid.proof.limits import AFTER, BEFORE, RANGE, SCORE, Amount
from schemas.act import PREFIX

_AGES = ("-", "over", "under")  # before "18s"
_SIGN = re.compile(r".*\d-([^\d-]*)$")  # the characters glued to the second number of "20-£25"
_AND = frozenset(("and", "und", "et", "y"))  # between two numbers only after one of the next words
_ONE = frozenset(("a", "an", "one"))
_RANGE_JOINTS = frozenset(("-", "--", "to", "until", "till", "bis", "à")) | _AND
_BETWEEN = frozenset(("between", "zwischen", "entre", "from", "von", "de"))
_SCORE_JOINTS = (("out", "of"), ("/",), ("of", "a", "possible"), ("von",), ("sur",))
_POINTS_OF = (("of",), ("points", "of"), ("points", "out", "of"), ("stars", "of"), ("stars", "out", "of"))
_SCALES = (5, 6, 10, 20, 100)  # the highest scores before which "of" is "out of": "91 of 100"
_LONG = re.compile(r"(?<=\w)-(?:olds?|long|wide|high|tall|deep|thick|strong)$")  # behind a unit: "a two-year-old dog"
_PER_REACH = 5  # words from a unit to "per"
_WHOLE = (["full"], ["whole"], ["entire"])  # "three full years"
_LIMITS = frozenset(phrase for _, phrase in AFTER)
_SUMMING = frozenset(((), *((word,) for word in _AND)))  # between two units of one measure


_MONEY = frozenset(words for words, of in UNITS.items() if any(unit.dimension in ("eur", "usd", "gbp") for unit in of))
_FEWEST_CENTS, _MOST_CENTS = 9, 100


@dataclass(frozen=True)
class Measure:
    """A number and its unit, which is empty if the number has none."""

    start: int  # first word of the text
    end: int  # after the last word
    number: Decimal
    unit: Words
    is_spelled: bool = False  # whether the number is in words

    @property
    def is_cents(self) -> bool:
        return not self.unit and self.number == int(self.number) and _MOST_CENTS > self.number > _FEWEST_CENTS

    def equals(self, number: Decimal, units: Collection[Words], within: Decimal = Decimal()) -> bool:
        """Return whether this equals a number in one of some units; without units, only the numbers are compared.

        Units are converted; a converted number may be rounded. ``within``: the share by which it may differ.
        """
        if not units:
            return is_near(self.number, number, within)
        if self.unit in FAHRENHEIT and not CELSIUS.isdisjoint(units):
            return is_near(self.number, 32 + number * 9 / 5, within, is_converted=True)
        for unit in units:
            size = Decimal(1) if unit == self.unit else ratio(unit, self.unit)
            if size is not None and is_near(self.number, number * size, within, size != 1):
                return True
        return False

    def is_comparable(self, units: Collection[Words]) -> bool:
        """Return whether a number in one of some units could be written in this one's unit."""
        return is_comparable(self.unit, units)


Number = TypeVar("Number", Measure, Amount)


@dataclass(frozen=True)
class Numbers:
    """The numbers of a text of T words."""

    measures: list[Measure]
    amounts: list[Amount]
    words: list[str]  # the words, with numbers in digits
    spans: list[tuple[int, int]]  # for each of these words, its start and end in the text
    is_spelled: bool  # whether any number is in words


def read_numbers(
    words: Sequence[str],
    units: Collection[Words] = (),
    language: str = ENGLISH,
    decimal: str = "",
    counted: frozenset[Words] = frozenset(),
) -> Numbers:
    """Find the numbers among the words; ``units`` are known in addition to the common ones.

    ``decimal``: the mark before decimals in digits, if it is known; ``counted``: nouns before which "one" is a number.
    """
    known = with_common(frozenset(units))
    spelled = in_digits(words, known | counted if counted else known, language, _LIMITS)
    if spelled is None:
        found = measures(words, units, decimal)
        return Numbers(found, [*_amounts(words, found)], list(words), [], False)
    digits = [replaced.word for replaced in spelled]
    in_words = [replaced.word != words[replaced.start] or replaced.end > replaced.start + 1 for replaced in spelled]
    local = measures(digits, units, decimal)
    spans = [(replaced.start, replaced.end) for replaced in spelled]
    return Numbers(
        [replace(_in_text(measure, spans), is_spelled=any(in_words[measure.start : measure.end])) for measure in local],
        [_in_text(amount, spans) for amount in _amounts(digits, local)],
        digits,
        spans,
        True,
    )


def _in_text(number: Number, spans: Sequence[tuple[int, int]]) -> Number:
    """Return a number of the text in digits, with its position in the text as written."""
    return replace(number, start=spans[number.start][0], end=spans[number.end - 1][1])


def measures(words: Sequence[str], units: Collection[Words] = (), decimal: str = "") -> list[Measure]:
    """Find the numbers in digits among the words, in order; ``units`` and ``decimal`` are as in `read_numbers`."""
    known = with_common(frozenset(units))
    found: list[Measure] = []
    free = 0
    for place, word in enumerate(words):
        if word.isalpha() or word.startswith(PREFIX):
            continue
        for start, end, number in _numbers(word, decimal):
            glued = word[end:].strip("-") or _SIGN.sub(r"\1", word[:start]).strip("-")
            if glued == "s" and "".join(words[max(place - 1, 0) : place]) in _AGES:
                glued = "years"
            span, unit = ((place, place + 1), (glued,)) if (glued,) in known else _beside(words, place, free, known)
            unit = _per(words, span[1], unit, known) if unit and "per" in words else unit
            if span[0] and words[span[0] - 1] == "minus":  # "minus five degrees", "five below zero"
                span, number = (span[0] - 1, span[1]), -number
            elif [*words[span[1] : span[1] + 2]] == ["below", "zero"]:
                span, number = (span[0], span[1] + 2), -number
            found.append(Measure(*span, number, unit))
            free = max(free, span[1])
    return _summed(words, found)


def _summed(words: Sequence[str], found: Sequence[Measure]) -> list[Measure]:
    """Return the measures; two that state one quantity in two units are added up: "4 hours 30 minutes"."""
    done: list[Measure] = []
    for measure in found:
        last = done[-1] if done else None
        size = ratio(measure.unit, last.unit) if last and last.unit and measure.unit else None
        joint = tuple(words[last.end : measure.start]) if last else ()
        if last and last.unit in _MONEY and measure.is_cents and measure.start == last.end:  # "fourteen pounds fifty"
            done[-1] = replace(last, end=measure.end, number=last.number + measure.number / 100)
        elif last and size is not None and size < 1 and 0 < measure.number * size < 1 and joint in _SUMMING:
            done[-1] = replace(measure, start=last.start, number=_parts_in(last, measure) + measure.number)
        elif whole := _one_before(words, measure):
            done.append(replace(measure, start=whole.start, number=_parts_in(whole, measure) + measure.number))
        else:
            done.append(measure)
    return done


def _one_before(words: Sequence[str], measure: Measure) -> Measure | None:
    """Return the larger unit before a measure, with an article and "and": "an hour and" of "an hour and 20 minutes"."""
    start = measure.start - 3
    article, *unit, joint = words[start : measure.start] if start >= 0 else ("", "")
    if article not in _ONE or joint not in _AND or not measure.unit:
        return None
    whole = Measure(start, measure.start - 1, Decimal(1), tuple(unit))
    return whole if _parts_in(whole, measure) > measure.number > 0 else None


def _parts_in(whole: Measure, part: Measure) -> Decimal:
    """Return a measure in the unit of another, 0 if they can't be compared."""
    return whole.number * (ratio(whole.unit, part.unit) or 0)


def as_measure(words: Sequence[str]) -> Measure | None:
    """Parse a value that is one number with at most one more word, its unit; None for any other."""
    found = measures(words, {tuple(words[1:])} if len(words) == 2 else ())
    is_whole = len(found) == 1 and (found[0].start, found[0].end) == (0, len(words))
    return found[0] if is_whole else None


@lru_cache(maxsize=1 << 14)
def as_amount(words: Words) -> Amount | None:
    """Parse a value that is one range, limit or score, and nothing else; None for any other."""
    found = read_numbers(words).amounts
    return found[0] if len(found) == 1 and (found[0].start, found[0].end) == (0, len(words)) else None


@lru_cache(maxsize=1 << 16)
def _numbers(word: str, decimal: str) -> tuple[tuple[int, int, Decimal], ...]:
    return tuple(find_numbers(word, decimal))


def _per(words: Sequence[str], end: int, unit: Words, units: Collection[Words]) -> Words:
    """Return the unit with the "per" that follows, maybe after a noun: "g per litre" of "125 g of sugar per litre"."""
    for place in range(end, min(end + _PER_REACH, len(words) - 1)):
        if words[place] in ENDS:
            break
        if words[place] == "per" and (*unit, "per", words[place + 1]) in units:
            return (*unit, "per", words[place + 1])
    return unit


def _beside(words: Sequence[str], place: int, free: int, units: Collection[Words]) -> tuple[tuple[int, int], Words]:
    """Return the span of a number with its unit, and the unit: after it, else before it among words still free."""
    is_joined = words[place + 1 : place + 2] == ["-"]
    behind = place + 1 + (is_joined or [*words[place + 1 : place + 2]] in _WHOLE)
    for length in range(LONGEST, 0, -1):
        unit = tuple(words[behind : behind + length])
        if unit and "-" in unit[-1]:
            unit = (*unit[:-1], _LONG.sub("", unit[-1]))  # "year-old"
        after = words[behind + length] if behind + length < len(words) else ""
        is_next = after[:1].isdigit() and (is_joined or unit not in UNITS)  # of "20 - £25", "for two weighs 950 g"
        if unit in units and not is_next:
            return (place, behind + len(unit)), unit
    for length in range(min(LONGEST, place - free), 0, -1):
        unit = tuple(words[place - length : place])
        if unit in units:
            return (place - length, place + 1), unit
    return (place, place + 1), ()


def _amounts(words: Sequence[str], found: Sequence[Measure]) -> Iterator[Amount]:
    """Yield the ranges, limits and scores that the measures of T words form."""
    place = 0
    while place < len(found):
        measure = found[place]
        after = found[place + 1] if place + 1 < len(found) else None
        amount = (after and _pair(words, measure, after)) or _limit(words, measure)
        if amount:
            yield amount
        place += 2 if amount and len(amount.numbers) == 2 else 1


def _pair(words: Sequence[str], first: Measure, second: Measure) -> Amount | None:
    """Return the score or the range that two neighbouring numbers form; None if they form neither."""
    joint = tuple(words[first.end : second.start])
    is_glued = second.start < first.end  # "20-25", "5/5"
    if is_glued and "/" not in words[second.start] and "-" not in words[second.start]:
        return None
    is_score = joint in _SCORE_JOINTS or (joint in _POINTS_OF and second.number in _SCALES)
    if is_score or (is_glued and "/" in words[second.start]):
        return Amount(first.start, second.end, SCORE, (first.number, second.number), ())
    if (not is_glued and (len(joint) != 1 or joint[0] not in _RANGE_JOINTS)) or abs(second.number) <= abs(first.number):
        return None
    before = words[first.start - 1] if first.start else ""
    if joint and joint[0] in _AND and before not in _BETWEEN:
        return None
    start = first.start - (before in _BETWEEN)
    return Amount(start, second.end, RANGE, (first.number, abs(second.number)), second.unit or first.unit)


def _limit(words: Sequence[str], measure: Measure) -> Amount | None:
    """Return the limit that a number forms with the words before or after it; None if it forms none."""
    for relation, phrase in BEFORE:
        start = measure.start - len(phrase)
        if start >= 0 and tuple(words[start : measure.start]) == phrase:
            return Amount(start, measure.end, relation, (measure.number,), measure.unit)
    for relation, phrase in AFTER:
        end = measure.end + len(phrase)
        if tuple(words[measure.end : end]) == phrase:
            return Amount(measure.start, end, relation, (measure.number,), measure.unit)
    return None


def is_unsupported_number(word: str, agenda: Iterable[str]) -> bool:
    """Return whether a word of a text contains a number that is in no line of the agenda.

    "1,000" equals "1000", a unit may be attached, and a placeholder is no number.
    """
    if word.startswith(PREFIX):
        return False
    written = numbers(word)
    return bool(written) and not written <= frozenset().union(*map(numbers, agenda))


@lru_cache(maxsize=1 << 16)
def numbers(text: str) -> frozenset[Decimal]:
    """Return the numbers in a word or in a line of an agenda."""
    return frozenset(number for _, _, number in find_numbers(text))
