"""What is wrong with a text's wording, whatever its language: a word twice in a row, an item said again."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import pairwise


def count_faults(words: Sequence[str], mentions: Iterable[Sequence[int]]) -> int:
    """The faults of T words; ``mentions`` has the places, in order, of each item that should be said once only."""
    doubled = sum(one == other and one.isalnum() for one, other in pairwise(words))
    return doubled + sum(max(_runs(places) - 1, 0) for places in mentions)


def _runs(places: Collection[int]) -> int:
    """How many runs of places without a gap there are."""
    return sum(place - 1 not in places for place in places)
