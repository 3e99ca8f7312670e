"""Values of a record in words: which a text says, and which numbers it holds that the record does not."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from functools import lru_cache

from schemas.act import PREFIX
from schemas.numbers import numbers_in


def is_unsupported_number(word: str, agenda: Iterable[str]) -> bool:
    """Whether a word of a text holds a number that no line of the agenda, as written, holds.

    "1,000" is "1000", a unit may be glued to it, and a placeholder is no number.
    """
    if word.startswith(PREFIX):
        return False
    written = numbers(word)
    return bool(written) and not written <= frozenset().union(*map(numbers, agenda))


@lru_cache(maxsize=1 << 16)
def numbers(text: str) -> frozenset[Decimal]:
    """The numbers that stand in a word or in a line of an agenda."""
    return frozenset(numbers_in(text))
