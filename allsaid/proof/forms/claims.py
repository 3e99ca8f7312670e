"""Claims that no column supports, such as "easy to carry", and which of them a text has."""

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
    """Words that recur in training texts, and that no column supports."""

    text: str
    share: float  # of the training texts
    texts: int
    example: str  # a sentence that has it


def held(words: Sequence[str], claims: Iterable[str]) -> list[str]:
    """Return the claims that some words have, whatever their letter case."""
    text = f" {_joined(' '.join(words))} "
    return [claim for claim in claims if f" {_joined(claim)} " in text]


@lru_cache(maxsize=1 << 14)
def _joined(text: str) -> str:
    return " ".join(_PIECE.findall(text.replace("’", "'").casefold()))
