"""KenLM's lmplz, where it is built, and texts to count."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from allsaid.modeling.counting import lmplz
from schemas.errors import UserError

NAMES, PLACES = ["ann", "bo", "cara", "dov", "eve", "finn"], ["rome", "oslo", "bonn", "lima", "kyiv"]
TRADES = ["painter", "poet", "referee", "judge", "singer", "rower", "former rower", "jazz singer"]


def need_lmplz() -> None:
    """Skip the test where there is no lmplz."""
    try:
        lmplz.find()
    except UserError as fault:
        pytest.skip(str(fault))


def sentences(count: int) -> list[list[str]]:
    """First sentences of made-up lives.

    The last word stands there once: the n-grams that end with the word seen last go into lmplz's discounts with their
    own counts instead of the adjusted ones (lm/builder/adjust_counts.cc, below "This outputs the last n-grams").
    """
    chance = random.Random(5)
    return [*(_sentence(chance).split() for _ in range(count)), ["moreover"]]


def _sentence(chance: random.Random) -> str:
    name, place, year = chance.choice(NAMES), chance.choice(PLACES), chance.randint(1900, 1990)
    born = chance.choice([f"( born {year} in {place} )", f"( born {year} )", f"of {place}", ""])
    trade = chance.choice(TRADES)
    more = chance.choice(
        ["", f"and {chance.choice(TRADES)}", f"who lived in {chance.choice(PLACES)} until {year + 40}"]
    )
    return f"{name} {chance.choice(NAMES)}son {born} {chance.choice(['is', 'was'])} a {trade} {more} ."


def numbered(texts: Sequence[Sequence[str]]) -> list[list[str]]:
    """The same in numbers, as they are written for lmplz."""
    ids = {word: str(number) for number, word in enumerate(dict.fromkeys(word for text in texts for word in text), 4)}
    return [[ids[word] for word in text] for text in texts]
