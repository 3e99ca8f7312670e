"""An act beside its text, and all that leads from placeholders back to words (``acts/split=*/*.parquet``).

Kiddon et al. 2016, section 5 ("Dialogue system data and processing"): for training, slot values are replaced by
generic tokens, and after generation swapped back. ``pipelines/linking/delex.py`` does both; with ``slots`` and
``exceptions`` the ``tokens`` of this row give its ``normalised`` text back, letter by letter.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from schemas.checks.rules import Between, Filled, Rule, Unique
from schemas.checks.table import Int32, versioned

PREFIX = "SLOT_"  # how a placeholder begins
ASKED = "?"  # the value of a slot that the act only names: ?request(near)
SPECIAL = frozenset(("yes", "no", "none", "dont_care", ASKED))  # values that have no placeholder


@lru_cache(maxsize=1 << 12)
def placeholder(slot: str) -> str:
    """``SLOT_DOGS_ALLOWED`` for "dogs allowed"."""
    return PREFIX + (re.sub(r"\W+", "_", slot).strip("_").upper() or "X")


def plain(value: str) -> str:
    """A normalised value that means no more than its words, as a slot holds it: in quotes where it looks special.

    A table's colour may be "none". No normalised text holds such quotes, since it parts them from the word.
    """
    return f'"{value}"' if value in SPECIAL else value


def spelled(value: str) -> str:
    """The words of a slot's value, without the quotes of :func:`plain`."""
    return _PLAIN.get(value, value)


_PLAIN = {plain(value): value for value in SPECIAL}


@dataclass(frozen=True)
class Slot:
    slot: str  # as the act names it: "pricerange"
    value: str  # normalised as the text; special: yes, no, none, dont_care, ? (asked for), see `plain`; "" where none


def agenda_line(slot: Slot) -> str:
    """``food=chinese``; only the name where the act names no value."""
    return f"{slot.slot}={slot.value}" if slot.value else slot.slot


def parse_agenda_line(line: str) -> Slot:
    """The slot that `agenda_line` writes so: data, no setting, so a line without "=" is a name and no mistake."""
    name, _, value = line.partition("=")
    return Slot(name, value)


def is_unfilled(token: str, line: str) -> bool:
    """Whether the token of an agenda's line is a slot without a value to fill in, which texts say in words."""
    return token.startswith(PREFIX) and parse_agenda_line(line).value in ("", *SPECIAL)


@dataclass(frozen=True)
class Written:
    position: Int32  # of a placeholder in tokens, of the article before it or the token of its number behind it
    written: str  # the normalised words that stand there, where filling gives others: "b or a", "televisions"; or none


@dataclass(frozen=True)
class Act:
    id: str  # the example's
    act_type: str  # "inform", "?request"; for a table's row its goal
    slots: list[Slot]  # L, in the act's order, as the agenda
    text: str  # as written
    normalised: str  # lower case, single blanks, the source's word table applied
    tokens: list[str]  # T, as in the example: values found in the text are placeholders (SLOT_NAME)
    exceptions: list[Written]  # what the text has where the slots' values give something else
    handcrafted: str  # the corpus's rule-based text for the same act, "" where there is none
    file: str  # where it was read
    offset: int  # of the record in that file, as its source counts: bytes, lines or records


ACT = versioned("act", 1, Act)

RULES: tuple[Rule, ...] = (
    Filled("id"),
    Filled("act_type"),
    Filled("normalised"),
    Filled("tokens"),
    Unique("id"),
    Between("offset", 0),
)
