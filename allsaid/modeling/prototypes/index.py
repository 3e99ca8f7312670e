"""Inverted index of prototypes, by the words of their titles and the keys of their items."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa

from allsaid.proof.foods.names import stems_of

TITLE, ITEM = "t ", "i "  # before a title's stem and an item's key


def terms_of(goal_tokens: Sequence[str], keys: Iterable[str]) -> list[str]:
    """Return the distinct terms of a recipe."""
    return [*{TITLE + stem: None for stem in stems_of(goal_tokens)}, *{ITEM + key: None for key in keys}]


@dataclass(frozen=True, eq=False)
class Index:
    """N prototypes by their terms; the arrays may be mapped from a file."""

    table: pa.Table  # a row a term: ``term``, ``places`` (its prototypes)
    size: int  # N

    @classmethod
    def build(cls, terms: Iterable[Sequence[str]]) -> Index:
        """Index the terms of each prototype."""
        places: dict[str, list[int]] = {}
        number = -1
        for number, of_one in enumerate(terms):
            for term in of_one:
                places.setdefault(term, []).append(number)
        columns = {"term": pa.array(places), "places": pa.array(places.values(), pa.list_(pa.int32()))}
        return cls(pa.table(columns), number + 1)

    @cached_property
    def _numbers(self) -> Mapping[str, int]:
        return {term: number for number, term in enumerate(self.table.column("term").to_pylist())}

    @cached_property
    def _lists(self) -> tuple[np.ndarray, np.ndarray]:
        """Starts of the terms' lists, and all lists as one."""
        lists = self.table.column("places").combine_chunks()
        return lists.offsets.to_numpy(), lists.values.to_numpy()

    @cached_property
    def weights(self) -> np.ndarray:
        """The weight of each term: 1 + log(N / n) if n prototypes have it."""
        return 1 + np.log(self.size / np.diff(self._lists[0]))

    @cached_property
    def _lengths(self) -> tuple[np.ndarray, np.ndarray]:
        """The sums of the weights of each prototype's title and items."""
        starts, places = self._lists
        each = np.repeat(self.weights, np.diff(starts))
        is_title = np.repeat([term.startswith(TITLE) for term in self._numbers], np.diff(starts))
        title, items = (np.bincount(places[part], each[part], self.size) for part in (is_title, ~is_title))
        return np.maximum(title, 1), np.maximum(items, 1)

    def likeness(self, terms: Sequence[str]) -> np.ndarray:
        """Return (N,) the sum of two cosines for each prototype: of its title and of its items with some terms."""
        total = np.zeros(self.size)
        starts, places = self._lists
        for mark, lengths in zip((TITLE, ITEM), self._lengths, strict=True):
            numbers = [self._numbers[term] for term in terms if term.startswith(mark) and term in self._numbers]
            if not numbers:
                continue
            weights = self.weights[numbers]
            found = np.concatenate([places[starts[one] : starts[one + 1]] for one in numbers])
            each = np.repeat(weights, starts[np.array(numbers) + 1] - starts[numbers])
            total += np.bincount(found, each, self.size) / np.sqrt(lengths * weights.sum())
        return total
