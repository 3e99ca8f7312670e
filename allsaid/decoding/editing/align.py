"""Pairs of items: which item of the row takes the part of which item of a prototype."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

import numpy as np

from allsaid.decoding.editing.draft import Draft
from allsaid.decoding.editing.items import Item
from allsaid.modeling.prototypes.roles import Roles, kinds_of
from allsaid.proof.foods.hierarchy import load_foods
from allsaid.proof.foods.names import stems_of
from allsaid.proof.recipes.kitchen import listed, load_kitchen

_ALONE = frozenset(("water", "ice"))  # take no other food's part
_VERBS = load_kitchen().verbs
_LIQUIDS = listed("milk buttermilk cream broth stock wine beer juice cider vinegar")
_STARCHES = frozenset(("pasta", "noodle", "rice"))
LEAST = 0.45  # likeness below which two items are not paired
OTHER_STATE = 0.15  # taken off where one is canned, dried, cooked, … and the other is not

USUAL_USE, USED = -0.3, 0.15  # least `Roles.fit` of an item in a place that is left, and the weight of the fit there
SAME_PART = 0.2  # added where both are liquids, or starches: their likeness is unknown in small corpora
LEAST_LEFT = 0.2  # likeness with the fit below which an item takes no place that is left
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


def gaps(
    draft: Draft, theirs: Sequence[Item], ours: Sequence[Item], pairs: Mapping[int, int], roles: Roles
) -> dict[int, int]:
    """Pair items that are left on both sides where the use fits: the onion is cooked where the mushrooms were.

    Their places are deleted otherwise, and our items inserted elsewhere. Returns places of theirs -> places of ours.
    """
    uses: dict[int, str] = {}
    for _, clause, foods in draft.lists():
        if clause.verb is None or foods.is_mixture or clause.parts.index(foods) < clause.verb:
            continue
        for member in foods.members:
            for item in member.theirs[:1]:
                uses.setdefault(item, f"{clause.command} {foods.preposition}".strip())
    left = [item for item in range(len(ours)) if item not in pairs.values() and _is_plain(ours[item])]
    found = []
    for item, use in uses.items():
        if item in pairs or not _is_plain(theirs[item]):
            continue
        cuts = "cut" in _VERBS.get(use.split()[0], ())
        for other in left:
            if cuts and not ours[other].states.isdisjoint(("dried", "ground")):
                continue  # a dried herb is not torn
            fit = roles.fit(ours[other].key, use)
            alike = likeness(ours[other], theirs[item], roles) + USED * min(fit, 2.0)
            parts = {_part(ours[other].key), _part(theirs[item].key)}
            if len(parts) > 1 and not parts.isdisjoint(("liquid", "fat")):
                continue
            alike += SAME_PART * (len(parts) == 1 and "" not in parts)
            if ours[other].weight == theirs[item].weight and fit > USUAL_USE and alike > LEAST_LEFT:
                found.append((-alike, item, other))
    taken: dict[int, int] = {}
    for _, item, other in sorted(found):
        if item not in taken and other not in taken.values():
            taken[item] = other
    return taken


def _part(key: str) -> str:
    """Return the part that a food plays whatever it tastes of: "liquid", "fat", "starch", or "" for others."""
    if _LIQUIDS.intersection(key.split()[-1:]):
        return "liquid"
    if "fat" in kinds_of(key) or key == "fat":
        return "fat"
    return "starch" if key == "potato" or _STARCHES & kinds_of(key) else ""


def _is_plain(item: Item) -> bool:
    """Return whether an item is one food, mixed or cooked with others."""
    return not (item.is_pair or item.is_tool or item.is_case or item.finish or item.key in _ALONE)
