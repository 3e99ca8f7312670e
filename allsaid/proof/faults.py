"""Wording faults: a word twice in a row, an item mentioned again; in French, a wrong elision."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import pairwise

from allsaid.language import elision


def count_faults(words: Sequence[str], mentions: Iterable[Sequence[int]], language: str = "") -> int:
    """Count the faults of T words; ``mentions`` has the sorted positions of each item that should be mentioned once."""
    faults = sum(word == following and word.isalnum() for word, following in pairwise(words))
    if language == elision.FRENCH:
        faults += sum(elision.is_misplaced(word, following) for word, following in pairwise(words))
    return faults + sum(max(_runs(places) - 1, 0) for places in mentions)


def _runs(places: Collection[int]) -> int:
    """Count the runs of consecutive positions."""
    return sum(place - 1 not in places for place in places)
