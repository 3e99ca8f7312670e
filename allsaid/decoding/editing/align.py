"""Pairs of items: which item of the row takes the part of which item of a prototype."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from allsaid.decoding.editing.items import Item
from allsaid.modeling.prototypes.roles import Roles, kinds_of
from allsaid.proof.foods.hierarchy import load_foods
from allsaid.proof.foods.names import stems_of

_ALONE = frozenset(("water", "ice"))  # take no other food's part
LEAST = 0.45  # likeness below which two items are not paired
OTHER_STATE = 0.15  # taken off where one is canned, dried, cooked, … and the other is not

UNCOOKED = 0.2  # taken off more where only one is cooked: the steps of the other cook it, or leave it raw


def likeness(ours: Item, theirs: Item, roles: Roles) -> float:
    """Return how well our item takes the part of theirs, 0 to 1."""
    found = roles.likeness(ours.key, theirs.key)
    if found < 1 and (ours.is_pair or theirs.is_pair):
        return 0.0
    if found < 1 and _ALONE.intersection((ours.key, theirs.key)):
        return 0.0
    if found < 1 and ours.head == theirs.head and may_share_head(ours.key, theirs.key):
        found = max(found, 0.8)
    other = ours.states ^ theirs.states
    found -= OTHER_STATE * bool(other) + UNCOOKED * ("cooked" in other)
    return found


@lru_cache(maxsize=1 << 16)
def may_share_head(one: str, other: str) -> bool:
    """Return whether two foods whose names end alike are related: "baking powder" and "chili powder" are not."""
    foods = load_foods()
    known = all(stems_of(key.split()) in foods.canonical for key in (one, other))
    return not known or bool((kinds_of(one) | {one}) & (kinds_of(other) | {other}))


class Pairing:
    """The items of a row, to be paired with those of any prototype; equal foods of prototypes are compared once."""

    def __init__(self, ours: Sequence[Item], roles: Roles) -> None:
        self.ours, self.roles = ours, roles
        self._columns: dict[tuple[str, str, frozenset[str], bool], list[float]] = {}

    def pairs(self, theirs: Sequence[Item]) -> tuple[dict[int, int], float]:
        """Return their places -> our places, and how alike the lists are: the pairs' share of all weights, 0 to 1."""
        from scipy.optimize import linear_sum_assignment  # SciPy loads slowly, and other kinds of models need none

        table = np.array([self._column(item) for item in theirs])
        rows, columns = linear_sum_assignment(table, maximize=True)
        chosen = [(row, column) for row, column in zip(rows, columns, strict=True) if table[row, column] >= LEAST]
        alike = sum(table[row, column] * (theirs[row].weight + self.ours[column].weight) for row, column in chosen)
        total = sum(item.weight for item in (*theirs, *self.ours))
        return {int(row): int(column) for row, column in chosen}, float(alike / total)

    def _column(self, theirs: Item) -> list[float]:
        meant = theirs.key, theirs.head, theirs.states, theirs.is_pair
        if meant not in self._columns:
            self._columns[meant] = [likeness(item, theirs, self.roles) for item in self.ours]
        return self._columns[meant]
