"""Claims that no column supports, such as "easy to carry", and the search for them in a text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

ALLOWED, FORBIDDEN, UNDECIDED = "allowed", "forbidden", "undecided"  # by the mapping
COLUMN = "claim"  # in the lines of a text's extra values: "claim=easy to carry"
_PIECE = re.compile(r"n't\b|\w+?(?=n't\b)|\w+|[^\w\s]")  # as `allsaid.decoding.step.ban` cuts phrases


@dataclass(frozen=True)
class Claim:
    """Recurring words of training texts that no column supports."""

    words: str
    share: float  # of the training texts
    text_count: int
    example: str  # a sentence with it


def claims_in(words: Sequence[str], claims: Iterable[str]) -> list[str]:
    """Return the claims that the words contain, in any letter case."""
    text = f" {_joined(' '.join(words))} "
    return [claim for claim in claims if f" {_joined(claim)} " in text]


@lru_cache(maxsize=1 << 14)
def _joined(text: str) -> str:
    return " ".join(_PIECE.findall(text.replace("’", "'").casefold()))
