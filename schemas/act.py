"""An act with its text, and all data for restoring words from placeholders (``acts/split=*/*.parquet``).

Kiddon et al. 2016, section 5 ("Dialogue system data and processing"): for training, slot values are replaced by
generic tokens, and after generation swapped back. ``pipelines/linking/delex.py`` does both; from ``tokens``, ``slots``
and ``exceptions`` of a row it restores the ``normalised`` text exactly.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from schemas.checks.rules import Between, Filled, Rule, Unique
from schemas.checks.table import Int32, versioned

PREFIX = "SLOT_"  # of every placeholder
ASKED = "?"  # the value of a slot that the act only names: ?request(near)
SPECIAL = frozenset(("yes", "no", "none", "dont_care", ASKED))  # values without a placeholder


@lru_cache(maxsize=1 << 12)
def placeholder(slot: str) -> str:
    """Return ``SLOT_DOGS_ALLOWED`` for "dogs allowed"."""
    return PREFIX + (re.sub(r"\W+", "_", slot).strip("_").upper() or "X")


def plain(value: str) -> str:
    """Return an ordinary normalised value as a slot's value: in quotes if it looks special.

    A table's colour may be "none". No normalised text contains such quotes, since it separates them from the word.
    """
    return f'"{value}"' if value in SPECIAL else value


def spelled(value: str) -> str:
    """Return the words of a slot's value, without the quotes of :func:`plain`."""
    return _PLAIN.get(value, value)


_PLAIN = {plain(value): value for value in SPECIAL}


@dataclass(frozen=True)
class Slot:
    slot: str  # as the act names it: "pricerange"
    value: str  # normalised as the text; special: yes, no, none, dont_care, ? (asked for), see `plain`; "": none


def agenda_line(slot: Slot) -> str:
    """Return ``food=chinese``, or only the name for a slot without a value."""
    return f"{slot.slot}={slot.value}" if slot.value else slot.slot


def parse_agenda_line(line: str) -> Slot:
    """Return the slot of a line of `agenda_line`; a line without "=" is a valid name."""
    name, _, value = line.partition("=")
    return Slot(name, value)


def item_token(slot: Slot) -> str:
    """Return the agenda token of a slot: ``SLOT_DOGS_NO`` for dogs=no, the placeholder where the value is a word."""
    return placeholder(slot.slot) + (f"_{slot.value.upper()}" if slot.value in SPECIAL else "")


def column_and_answer(token: str) -> tuple[str, str]:
    """Return the placeholder and the answer of an agenda token: ``SLOT_DOGS`` and "no" of ``SLOT_DOGS_NO``.

    Other tokens are returned whole, with "" for the answer.
    """
    column, _, answer = token.rpartition("_")
    return (column, answer.lower()) if answer in ("YES", "NO") else (token, "")


def is_unfilled(token: str, line: str) -> bool:
    """Whether the token of an agenda's line is a slot without a value to fill in, which texts express in words."""
    return token.startswith(PREFIX) and parse_agenda_line(line).value in ("", *SPECIAL)


@dataclass(frozen=True)
class Written:
    position: Int32  # of a placeholder in tokens, of the article before it, or of the token of its number after it
    written: str  # the normalised words there, if filling gives others: "b or a", "televisions"; or none


@dataclass(frozen=True)
class Act:
    id: str  # the example's
    act_type: str  # "inform", "?request"; for a table's row its goal
    slots: list[Slot]  # L, in the act's order, as the agenda
    text: str  # as written
    normalised: str  # lower case, single blanks, the source's word table applied
    tokens: list[str]  # T, as in the example: values found in the text are placeholders (SLOT_NAME)
    exceptions: list[Written]  # words of the text that differ from the slots' values
    handcrafted: str  # the corpus's rule-based text for the same act; "": none
    file: str  # the file that it was read from
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
