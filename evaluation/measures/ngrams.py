"""The n-grams of a text."""

from __future__ import annotations

from collections.abc import Sequence


def ngrams(words: Sequence[str], order: int) -> list[tuple[str, ...]]:
    """All n-grams of a text in its order; none where it is shorter."""
    return list(zip(*(words[start:] for start in range(order)), strict=False))
