"""Lines of the WikiBio corpus -> tables and sentences (Lebret et al. 2016, sections 3.2 and 5.1).

The line of a table has items ``FIELD_POSITION:TOKEN``, separated by tabs. The token begins after the first colon, the
position after the last underscore. ``FIELD:<none>`` is a field without a token. Tokens may contain no-break spaces, so
that lines are split only at tabs.
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
MAX_OCCURRENCES = 200_000  # of all tokens of a box; they grow with the product of the lengths of table and sentences
MAX_POSITION_DIGITS = 6

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
    """Return a lower-case token as the model's vocabulary has it: YEAR for all years, NUMBER for all other numbers.

    A number has digits, with ``. , : /`` between or a sign before them: ``1,80``, ``2004/05``, ``-3``, ``12%``; a year
    is a whole number from 1000 to 2099. The paper (section 5.1) only says that years and numbers are distinct.
    """
    if _YEAR.fullmatch(lowered):
        return YEAR
    return NUMBER if _NUMBER.fullmatch(lowered) else lowered


@lru_cache(maxsize=1 << 16)
def is_word(lowered: str) -> bool:
    """Return whether a token is neither punctuation nor a bracket's name."""
    return lowered not in _BRACKETS and any(map(str.isalnum, lowered))


@lru_cache(maxsize=1 << 16)
def _place(name: str) -> tuple[str, int]:
    """Return field and position of a name such as ``occupation_2``; without a position, the whole name and 1."""
    head, _, number = name.rpartition("_")
    if number.isdecimal() and len(number) <= MAX_POSITION_DIGITS and int(number):
        return head, int(number)
    return name, 1


def parse_table(line: str, where: str = "The line") -> Table:
    """Parse a line of ``.box`` without its line break; raises RecordFault, whose sentence begins with ``where``."""
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
    """Return the table of N tokens; ``positions`` count from 1 in each field."""
    lowered = _lowered(originals)
    tokens = [mapped(token) for token in lowered]
    return Table(fields, positions, _ends(fields, positions), tokens, originals, list(empty_fields), lowered)


def _lowered(originals: Sequence[str]) -> list[str]:
    return [token.lower() if token.isascii() else comparable(token).lower() or token for token in originals]


def _ends(fields: Sequence[str], positions: Sequence[int]) -> list[int]:
    """Return the positions from the end; a field ends where the name changes or the positions start again."""
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
    """Return a sentence's T tokens with all their occurrences in the table (equation 5).

    The originals are compared, without case: "1954" occurs only where the table has 1954, not another year, so that
    copying gives the right one.
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
    """Return how many words of a sentence are in the table; punctuation does not count."""
    pairs = zip(sentence.occurrences, sentence.originals, strict=True)
    return sum(1 for places, original in pairs if places and is_word(original.lower()))


def inner_stops(line: str) -> int:
    """Count the full stops within a line of ``.sent`` that end a sentence: those that follow a blank.

    German lines have several sentences, with the stop attached to the next word: ``fußballspieler .er spielte``.
    """
    return line.count(" .") - line.endswith(" .")
