"""Wording faults in any language: a word twice in a row, an item mentioned again."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import pairwise


def count_faults(words: Sequence[str], mentions: Iterable[Sequence[int]]) -> int:
    """Count the faults of T words; ``mentions`` has the sorted positions of each item that should be mentioned once."""
    doubled = sum(one == other and one.isalnum() for one, other in pairwise(words))
    return doubled + sum(max(_runs(places) - 1, 0) for places in mentions)


def _runs(places: Collection[int]) -> int:
    """Count the runs of consecutive positions."""
    return sum(place - 1 not in places for place in places)
