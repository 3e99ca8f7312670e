"""Pairing of items: each item of the row with the prototype's item that it replaces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

import numpy as np

from allsaid.decoding.editing.draft import Draft
from allsaid.decoding.editing.items import Item
from allsaid.language.text import listed
from allsaid.modeling.prototypes.roles import Roles, kinds_of
from allsaid.proof.foods.hierarchy import load_foods
from allsaid.proof.foods.names import stems_of
from allsaid.proof.recipes.kitchen import load_kitchen

_ALONE = frozenset(("water", "ice"))  # replace no other food
_VERBS = load_kitchen().verbs
_LIQUIDS = listed("milk buttermilk cream broth stock wine beer juice cider vinegar")
_STARCHES = frozenset(("pasta", "noodle", "rice"))
LEAST = 0.45  # likeness below which two items are not paired
OTHER_STATE = 0.15  # subtracted if one is canned, dried, cooked, … and the other is not

# For items without a pair (`gaps`): the least `Roles.fit` with which one replaces another, and the weight of the fit.
USUAL_USE, USED = -0.3, 0.15
SAME_PART = 0.2  # added if both are liquids, or starches: small corpora don't show their likeness
LEAST_LEFT = 0.2  # least sum of likeness, weighted fit and SAME_PART
UNCOOKED = 0.2  # also subtracted if only one is cooked: the steps would cook it twice, or leave it raw


def likeness(row_item: Item, prototype_item: Item, roles: Roles) -> float:
    """Return how well an item of the row can replace one of the prototype, 0 to 1."""
    found = roles.likeness(row_item.key, prototype_item.key)
    if found < 1 and (row_item.is_pair or prototype_item.is_pair):
        return 0.0
    if found < 1 and _ALONE.intersection((row_item.key, prototype_item.key)):
        return 0.0
    if found < 1 and row_item.head == prototype_item.head and may_share_head(row_item.key, prototype_item.key):
        found = max(found, 0.8)
    other = row_item.states ^ prototype_item.states
    found -= OTHER_STATE * bool(other) + UNCOOKED * ("cooked" in other)
    return found


@lru_cache(maxsize=1 << 16)
def may_share_head(key: str, other_key: str) -> bool:
    """Return whether two foods with the same last word are related: "baking powder" and "chili powder" are not."""
    foods = load_foods()
    known = all(stems_of(name.split()) in foods.canonical for name in (key, other_key))
    return not known or bool((kinds_of(key) | {key}) & (kinds_of(other_key) | {other_key}))


class Pairing:
    """The items of a row, to be paired with those of any prototype; equal foods of prototypes are compared once."""

    def __init__(self, row_items: Sequence[Item], roles: Roles) -> None:
        self.row_items, self.roles = row_items, roles
        self._columns: dict[tuple[str, str, frozenset[str], bool], list[float]] = {}

    def pairs(self, prototype_items: Sequence[Item]) -> tuple[dict[int, int], float]:
        """Return positions in the prototype -> positions in the row, and the lists' likeness, 0 to 1.

        The likeness is the pairs' share of all weights.
        """
        from scipy.optimize import linear_sum_assignment  # SciPy loads slowly, and other kinds of models need none

        table = np.array([self._column(item) for item in prototype_items])
        rows, columns = linear_sum_assignment(table, maximize=True)
        chosen = [(row, column) for row, column in zip(rows, columns, strict=True) if table[row, column] >= LEAST]
        paired = sum(
            table[row, column] * (prototype_items[row].weight + self.row_items[column].weight) for row, column in chosen
        )
        total = sum(item.weight for item in (*prototype_items, *self.row_items))
        return {int(row): int(column) for row, column in chosen}, float(paired / total)

    def _column(self, prototype_item: Item) -> list[float]:
        key = prototype_item.key, prototype_item.head, prototype_item.states, prototype_item.is_pair
        if key not in self._columns:
            self._columns[key] = [likeness(item, prototype_item, self.roles) for item in self.row_items]
        return self._columns[key]


def gaps(
    draft: Draft, prototype_items: Sequence[Item], row_items: Sequence[Item], pairs: Mapping[int, int], roles: Roles
) -> dict[int, int]:
    """Pair further items of row and prototype by their use: the row's onion is cooked like the prototype's mushrooms.

    Without a pair, the prototype's item is deleted and the row's is inserted elsewhere. Returns positions in the
    prototype -> positions in the row.
    """
    uses: dict[int, str] = {}
    for _, clause, foods in draft.lists():
        if clause.verb is None or foods.is_mixture or clause.parts.index(foods) < clause.verb:
            continue
        for member in foods.members:
            for item in member.origins[:1]:
                uses.setdefault(item, f"{clause.command} {foods.preposition}".strip())
    left = [item for item in range(len(row_items)) if item not in pairs.values() and _is_plain(row_items[item])]
    found = []
    for item, use in uses.items():
        if item in pairs or not _is_plain(prototype_items[item]):
            continue
        is_cut = "cut" in _VERBS.get(use.split()[0], ())
        for other in left:
            if is_cut and not row_items[other].states.isdisjoint(("dried", "ground")):
                continue  # a dried herb is not torn
            fit = roles.fit(row_items[other].key, use)
            score = likeness(row_items[other], prototype_items[item], roles) + USED * min(fit, 2.0)
            parts = {_part(row_items[other].key), _part(prototype_items[item].key)}
            if len(parts) > 1 and not parts.isdisjoint(("liquid", "fat")):
                continue
            score += SAME_PART * (len(parts) == 1 and "" not in parts)
            if row_items[other].weight == prototype_items[item].weight and fit > USUAL_USE and score > LEAST_LEFT:
                found.append((-score, item, other))
    taken: dict[int, int] = {}
    for _, item, other in sorted(found):
        if item not in taken and other not in taken.values():
            taken[item] = other
    return taken


def _part(key: str) -> str:
    """Return the role of a food apart from its taste: "liquid", "fat", "starch", or "" for others."""
    if _LIQUIDS.intersection(key.split()[-1:]):
        return "liquid"
    if "fat" in kinds_of(key) or key == "fat":
        return "fat"
    return "starch" if key == "potato" or _STARCHES & kinds_of(key) else ""


def _is_plain(item: Item) -> bool:
    """Return whether an item is one food, mixed or cooked with others."""
    return not (item.is_pair or item.is_tool or item.is_pastry_case or item.finish or item.key in _ALONE)
