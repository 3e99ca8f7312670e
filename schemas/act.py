"""A dialogue act with its text, delexicalised so that the text can be restored (``acts/split=*/*.parquet``).

Kiddon et al. 2016, section 5 ("Dialogue system data and processing"): training replaces the values of slots by
placeholders, and generation fills these in again. A row's ``tokens``, ``slots`` and ``exceptions`` restore its
``normalised`` text exactly.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from schemas.checks.rules import Between, Filled, Rule, Unique
from schemas.checks.table import Int32, versioned

PREFIX = "SLOT_"  # begins every placeholder
ASKED = "?"  # the value of a slot that the act asks for: ?request(near)
SPECIAL = frozenset(("yes", "no", "none", "dont_care", ASKED))  # values without a placeholder


@lru_cache(maxsize=1 << 12)
def placeholder(slot: str) -> str:
    """Return ``SLOT_DOGS_ALLOWED`` for "dogs allowed"."""
    return PREFIX + (re.sub(r"\W+", "_", slot).strip("_").upper() or "X")


def quoted(value: str) -> str:
    """Quote an ordinary value that equals a special one, such as the colour "none" of a user's table.

    No normalised text contains the quoted form, since normalising separates quotes from the word.
    """
    return f'"{value}"' if value in SPECIAL else value


def unquoted(value: str) -> str:
    """Return the words of a slot's value: the inverse of :func:`quoted`."""
    return _PLAIN.get(value, value)


_PLAIN = {quoted(value): value for value in SPECIAL}


@dataclass(frozen=True)
class Slot:
    slot: str  # as the act names it: "pricerange"
    value: str  # normalised like the text; special: yes, no, none, dont_care, ? (see `quoted`); "": not given


def agenda_line(slot: Slot) -> str:
    """Return ``food=chinese``, or only the name for a slot without a value."""
    return f"{slot.slot}={slot.value}" if slot.value else slot.slot


def parse_agenda_line(line: str) -> Slot:
    """Return the slot of a line of `agenda_line`; a line without "=" is a valid name."""
    name, _, value = line.partition("=")
    return Slot(name, value)


def item_token(slot: Slot) -> str:
    """Return the agenda token of a slot: its placeholder, followed by a special value: ``SLOT_DOGS_NO`` for dogs=no."""
    return placeholder(slot.slot) + (f"_{slot.value.upper()}" if slot.value in SPECIAL else "")


def column_and_answer(token: str) -> tuple[str, str]:
    """Return the placeholder and the answer of an agenda token: ``SLOT_DOGS`` and "no" of ``SLOT_DOGS_NO``.

    Other tokens are returned whole, with "" for the answer.
    """
    column, _, answer = token.rpartition("_")
    return (column, answer.lower()) if answer in ("YES", "NO") else (token, "")


def is_unfilled(token: str, line: str) -> bool:
    """Return whether no value is filled in for an agenda token, so that texts express the slot in other words.

    ``line`` is the token's line of the agenda, such as ``dogs=no``.
    """
    return token.startswith(PREFIX) and parse_agenda_line(line).value in ("", *SPECIAL)


@dataclass(frozen=True)
class Unrestored:
    """Words of the normalised text that filling in the slots' values does not restore."""

    position: Int32  # in tokens: of a placeholder, of the article before it, or of the plural mark after it
    written: str  # the words at this position, such as "b or a" for the value "a or b"; "": no word


@dataclass(frozen=True)
class Act:
    id: str  # of the example
    act_type: str  # "inform", "?request"; for a table's row its goal
    slots: list[Slot]  # L, in the act's order, as the agenda
    text: str  # as written
    normalised: str  # lower case, single blanks, the source's word table applied
    tokens: list[str]  # T, as in the example: values found in the text are placeholders (SLOT_NAME)
    exceptions: list[Unrestored]  # words that filling in the slots' values does not restore
    handcrafted: str  # the corpus's rule-based text for the same act; "": none
    file: str  # the file that it was read from
    offset: int  # position of the record in that file, in the unit of its source: bytes, lines or records


ACT = versioned("act", 1, Act)

RULES: tuple[Rule, ...] = (
    *map(Filled, ("id", "act_type", "normalised", "tokens")),
    Unique("id"),
    Between("offset", 0),
)
