"""How a text and a reference overlap: shared n-grams, longest common subsequence, precision and recall."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


def ngrams(words: Sequence[str], order: int) -> list[tuple[str, ...]]:
    """Return all n-grams of a text in order; none if the text is shorter than n."""
    return list(zip(*(words[start:] for start in range(order)), strict=False))


def places_of(words: Sequence[str]) -> Mapping[str, int]:
    """Return the positions of each word as the bits of an integer."""
    places: dict[str, int] = {}
    for place, word in enumerate(words):
        places[word] = places.get(word, 0) | 1 << place
    return places


def common_subsequence(words: Sequence[str], places: Mapping[str, int]) -> int:
    """Return the length of the longest common subsequence of ``words`` and of the words at ``places``.

    Hyyrö 2004: the zero bits of ``row`` are the positions where a common subsequence grows by one.
    """
    row = all_places = sum(places.values())
    for word in words:
        shared = row & places.get(word, 0)
        row = (row + shared | row - shared) & all_places
    return (all_places ^ row).bit_count()


@dataclass(frozen=True)
class Agreement:
    """Precision and recall, each from 0 to 1."""

    precision: float
    recall: float

    @property
    def f(self) -> float:
        """The harmonic mean of both; 0 if both are 0."""
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0
