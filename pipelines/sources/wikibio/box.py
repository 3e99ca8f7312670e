"""Lines of the WikiBio corpus -> tables and described sentences (Lebret et al. 2016, sections 3.2 and 5.1).

A table's line has tab separated ``FIELD_POSITION:TOKEN``; the token begins behind the first colon, the position behind
the last underscore. ``FIELD:<none>`` is a field without a token. A blank in a token is a no-break one, so lines are
never cut at any white space.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from allsaid.language.characters import comparable
from pipelines.source import RecordFault
from schemas.box import NUMBER, YEAR, Sentence

NONE = "<none>"
MAX_OCCURRENCES = 200_000  # of all tokens of a box; they grow with the product of table and sentences
MAX_POSITION_DIGITS = 6

# Reasons of RecordFault, all of stage "read".
FAULTS = {
    "not_utf8": "bytes that are no UTF-8",
    "too_large": "a line or a number of occurrences beyond all reason",
    "empty_box": "a table without a token",
    "no_colon": "an item of the table without a colon",
    "no_field": "an item of the table without a field's name",
    "no_number": "no line of .nb",
    "bad_number": "a line of .nb that is no number of sentences",
    "no_sentences": "a line of .nb that is zero",
    "unaligned": "sentences that can't be told from other boxes', behind a bad number",
    "sentences_missing": "fewer lines in .sent than .nb counts",
    "empty_sentence": "a line of .sent without a token",
}

_YEAR = re.compile(r"1\d{3}|20\d\d")
_NUMBER = re.compile(r"[-+]?(?:\d+(?:[.,:/]\d+)*|[.,]\d+)%?")
_BRACKETS = frozenset(("-lrb-", "-rrb-", "-lsb-", "-rsb-", "-lcb-", "-rcb-"))


@dataclass(frozen=True)
class Table:
    """Parallel columns over the N tokens of a table, named as in :class:`schemas.box.Box`."""

    fields: list[str]
    positions: list[int]
    ends: list[int]
    tokens: list[str]
    originals: list[str]
    empty_fields: list[str]
    lowered: list[str]  # the originals in lower case and one Unicode form


@lru_cache(maxsize=1 << 16)
def mapped(lowered: str) -> str:
    """A lower-cased token as the model's vocabulary has it: one token for all years, one for all other numbers.

    A number has digits, with ``. , : /`` between or a sign before them: ``1,80``, ``2004/05``, ``-3``, ``12%``; a year
    is a whole number from 1000 to 2099. The paper (section 5.1) says no more than that the two are told apart.
    """
    if _YEAR.fullmatch(lowered):
        return YEAR
    return NUMBER if _NUMBER.fullmatch(lowered) else lowered


@lru_cache(maxsize=1 << 16)
def is_word(lowered: str) -> bool:
    """Whether a token is neither punctuation nor a bracket's name."""
    return lowered not in _BRACKETS and any(map(str.isalnum, lowered))


@lru_cache(maxsize=1 << 16)
def _place(name: str) -> tuple[str, int]:
    """``occupation_2`` -> ("occupation", 2); a name without a position is all field, its token the first."""
    head, _, number = name.rpartition("_")
    if number.isdecimal() and len(number) <= MAX_POSITION_DIGITS and int(number):
        return head, int(number)
    return name, 1


def parse_table(line: str, where: str = "The line") -> Table:
    """The table of a line of ``.box``, without its end; raises RecordFault, whose sentence begins with ``where``."""
    fields, positions, originals, empty = [], [], [], []
    for item in line.split("\t"):
        name, colon, original = item.partition(":")
        if not colon:
            if not item:
                continue  # two tabs in a row
            raise RecordFault("no_colon", f"{where} has an item without a colon: {item[:80]!r}.")
        if original == NONE or not original:
            empty.append(name)
            continue
        field_name, position = _place(name)
        fields.append(field_name)
        positions.append(position)
        originals.append(original)
    if "" in fields:
        raise RecordFault(
            "no_field", f"{where} has an item without a field's name: ':{originals[fields.index('')][:80]}'."
        )
    if not originals:
        raise RecordFault("empty_box", f"{where} has no token.")
    return build_table(fields, positions, originals, empty)


def build_table(
    fields: list[str], positions: list[int], originals: list[str], empty_fields: Sequence[str] = ()
) -> Table:
    """A table of its N tokens in order; ``positions`` count from 1 in each field."""
    lowered = _lowered(originals)
    tokens = [mapped(token) for token in lowered]
    return Table(fields, positions, _ends(fields, positions), tokens, originals, list(empty_fields), lowered)


def _lowered(originals: Sequence[str]) -> list[str]:
    """Return tokens as they are compared."""
    return [comparable(original).lower() or original for original in originals]


def _ends(fields: Sequence[str], positions: Sequence[int]) -> list[int]:
    """Positions from the end; a field ends where the name changes or the positions start again."""
    ends: list[int] = []
    after, next_position, stop = "", 0, 0
    for name, position in zip(reversed(fields), reversed(positions), strict=True):
        if name != after or position >= next_position:
            stop = position + 1
            after = name
        ends.append(stop - position)
        next_position = position
    ends.reverse()
    return ends


def describe(originals: list[str], table: Table) -> Sentence:
    """A sentence's T tokens with all their occurrences in the table (equation 5).

    Tokens are compared as written but for case: "1954" occurs where the table says 1954, not where it has some other
    year, so that copying gives the right one. Where all numbers shall be one word, compare ``tokens`` instead.
    """
    lowered = _lowered(originals)
    places: dict[str, list[int]] = {token: [] for token in set(lowered).intersection(table.lowered)}
    for place, token in enumerate(table.lowered):
        if token in places:
            places[token].append(place)
    nowhere: list[int] = []
    return Sentence(
        tokens=[mapped(token) for token in lowered],
        originals=originals,
        occurrences=[places.get(token, nowhere) for token in lowered],
    )


def table_words(sentence: Sentence) -> int:
    """How many words of a sentence stand in the table; punctuation is none."""
    pairs = zip(sentence.occurrences, sentence.originals, strict=True)
    return sum(1 for places, original in pairs if places and is_word(original.lower()))


def inner_stops(line: str) -> int:
    """Full stops within a line of ``.sent`` that end a sentence: free on the left, with something behind them.

    The German lines hold several sentences with the stop glued to the next word: ``fußballspieler .er spielte``.
    """
    return line.count(" .") - line.endswith(" .")
