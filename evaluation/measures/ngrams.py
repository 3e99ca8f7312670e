"""What figures that count n-grams share: the n-grams of a text, and how a text and a reference agree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


def ngrams(words: Sequence[str], order: int) -> list[tuple[str, ...]]:
    """All n-grams of a text in its order; none where it is shorter."""
    return list(zip(*(words[start:] for start in range(order)), strict=False))


@dataclass(frozen=True)
class Agreement:
    """Shares from 0 to 1."""

    precision: float
    recall: float

    @property
    def f(self) -> float:
        """The harmonic mean of both; 0 where both are."""
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0
