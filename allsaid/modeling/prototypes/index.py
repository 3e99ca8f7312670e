"""Inverted index of prototypes, by the words of their titles and the keys of their items."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa

from allsaid.modeling.prototypes.roles import key_of, kinds_of
from allsaid.proof.foods.names import stems_of
from allsaid.proof.recipes.dishes import dish_of

# Prefixes of terms: a stem of the title, the key of an item, the dish or a kind of it (spaghetti are pasta).
TITLE, ITEM, DISH = "t ", "i ", "d "
WEIGHTS = {TITLE: 1.0, ITEM: 1.0, DISH: 0.75}  # of each kind of terms in the likeness


def terms_of(goal: str, goal_tokens: Sequence[str], keys: Iterable[str]) -> list[str]:
    """Return the distinct terms of a recipe."""
    stems = stems_of(goal_tokens)
    dish = dish_of(goal)
    dishes = [" ".join(dish), *sorted(kinds_of(key_of(dish)))] if dish else []
    parts = ((TITLE, stems), (ITEM, keys), (DISH, dishes))
    return [*dict.fromkeys(mark + name for mark, names in parts for name in names)]


@dataclass(frozen=True, eq=False)
class Index:
    """N prototypes by their terms; the arrays may be mapped from a file."""

    table: pa.Table  # one row for each term: ``term``, ``places`` (its prototypes)
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
    def _lengths(self) -> Mapping[str, np.ndarray]:
        """The sum of the weights of each prototype's terms, for each kind of term."""
        starts, places = self._lists
        each = np.repeat(self.weights, np.diff(starts))
        lengths = {}
        for mark in WEIGHTS:
            part = np.repeat([term.startswith(mark) for term in self._numbers], np.diff(starts))
            lengths[mark] = np.maximum(np.bincount(places[part], each[part], self.size), 1)
        return lengths

    def likeness(self, terms: Sequence[str]) -> np.ndarray:
        """Return how like some terms each prototype is: its cosines for each kind of term, added up by weight (N,)."""
        total = np.zeros(self.size)
        starts, places = self._lists
        for mark, lengths in self._lengths.items():
            numbers = [self._numbers[term] for term in terms if term.startswith(mark) and term in self._numbers]
            if not numbers:
                continue
            weights = self.weights[numbers]
            shared = np.concatenate([places[starts[number] : starts[number + 1]] for number in numbers])
            each = np.repeat(weights, starts[np.array(numbers) + 1] - starts[numbers])
            total += WEIGHTS[mark] * np.bincount(shared, each, self.size) / np.sqrt(lengths * weights.sum())
        return total
