"""Add participles to foods that come whole and that no step cuts: "add the avocado", "add the sliced avocado"."""

from __future__ import annotations

from collections.abc import Sequence

from allsaid.decoding.editing.draft import Draft, Member
from allsaid.decoding.editing.items import Item
from allsaid.language.inflection import article
from allsaid.language.text import listed
from allsaid.modeling.prototypes.roles import Roles, kinds_of
from allsaid.proof.recipes.kitchen import load_kitchen

_KITCHEN = load_kitchen()
_PARTICIPLES = {
    "chop": "chopped",
    "slice": "sliced",
    "dice": "diced",
    "mince": "minced",
    "grate": "grated",
    "shred": "shredded",
    "crumble": "crumbled",
    "cube": "cubed",
}
_CUTS = {verb for verb, actions in _KITCHEN.verbs.items() if "cut" in actions}
_OF_KINDS = frozenset(("vegetable", "fruit", "herb", "nut", "cheese", "onion", "garlic", "mushroom"))
_UNITS = frozenset(("", "bunch", "pound", "ounce", "clove", "stalk"))  # of foods that come whole
# Words of lines whose food does not come whole, or needs no cutting.
_NOT_WHOLE = listed(
    """pieces piece strips rings cubes wedges halves slices slice canned cn frozen juice powder ground dried dry crumbs
    baby cherry paste sauce puree mix flakes cooked whole cut torn sections bits sprigs spears pitted peel zest rind
    cup cups jar package thinly finely coarsely garnish"""
)
_CRUSHED = listed("blender processor puree mash blend liquefy strain sieve")  # steps after which nothing is whole
_USES = listed("add combine mix stir toss place put sprinkle cook saute fry top fold layer arrange brown")
USUAL, TEXTS = 0.2, 10  # least share of a food's texts that cut it, and least number of its texts


def cut(draft: Draft, row_items: Sequence[Item], roles: Roles) -> None:
    """Put the usual participle before the first name of each food that must be cut and isn't."""
    if not _CRUSHED.isdisjoint(draft.words):
        return
    first: dict[int, tuple[Member, bool]] = {}
    done: set[int] = set()
    for _, clause, foods in draft.lists():
        for member in foods.members:
            if member.row_item is None:
                continue
            if clause.command in _CUTS or not _PARTICIPLES.keys().isdisjoint(clause.words):
                done.add(member.row_item)
            if any(word.endswith("ed") for word in (*member.before, *member.name)) or member.after:
                done.add(member.row_item)
            can_say = clause.command in _USES and foods.preposition in ("", "with") and not foods.is_mixture
            first.setdefault(member.row_item, (member, can_say))
    for item, (member, can_say) in first.items():
        participle = _participle(row_items[item], roles) if can_say and item not in done else ""
        if participle:
            member.before.append(participle)
            place = next((position for position, word in enumerate(member.before) if word in ("a", "an")), None)
            if place is not None:
                member.before[place] = article([*member.before[place + 1 :], *member.name])


def _participle(item: Item, roles: Roles) -> str:
    """Return the participle with which texts most often name a food that comes whole, "" for other foods."""
    line = {*item.line.lower().replace(",", " ").replace(";", " ").replace("(", " ").split()}
    is_whole = item.amount is not None and item.amount.unit in _UNITS and _NOT_WHOLE.isdisjoint(line)
    texts = roles.texts.get(item.key, 0)
    if not is_whole or texts < TEXTS or _OF_KINDS.isdisjoint(kinds_of(item.key)) or any(w.endswith("ed") for w in line):
        return ""
    counts = {
        participle: roles.uses.get((item.key, verb), 0) + roles.adjectives.get((item.key, participle), 0)
        for verb, participle in _PARTICIPLES.items()
    }
    best = max(counts, key=lambda place: (counts[place], place))
    return best if sum(counts.values()) >= USUAL * texts else ""
