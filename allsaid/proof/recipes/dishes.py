"""Dishes by their titles: the dish that a title names, and the steps without which no recipe makes it."""

from __future__ import annotations

import re
from collections.abc import Iterable

from allsaid.language.text import listed
from allsaid.proof.foods.hierarchy import load_foods
from allsaid.proof.foods.names import Stems, stems_of
from allsaid.proof.recipes.kitchen import load_kitchen

_WORD = re.compile(r"[^\W\d_][\w'/-]*|\S")
# Words that end the noun phrase with which an English title begins: "pancakes with cinnamon butter".
_AFTER_DISH = listed("with w w/ in for from on of a la au al de and or")
_HEAT = load_kitchen()["heat"]
_FREEZING = listed("freeze freezes freezing freezer frozen churn maker chill-freeze")
_CHILLING = listed("chill chilled cold refrigerate refrigerated refrigerator icebox freeze freezer")
_FOLDING = listed("fold folded roll rolled wrap fill filling filled seal stuff crimp pinch layer spoon center")
_SHAPING = listed(
    """shape shaped form formed roll rolled ball balls meatballs truffles patties croquettes mold unmold scoop drop
    pieces"""
)
_OVEN = listed(
    "bake bakes baked baking oven ovens degrees broil microwave cycle machine cooker package cookbook fire coals"
)
# Dishes, each with words of which its recipes have at least one.
_STEPS = (
    ("ice cream, sherbet, sorbet, gelato, granita, popsicle, slush", _FREEZING),
    ("pancake, crepe, waffle, flapjack, omelet, omelette, frittata, fritter, doughnut, donut", _HEAT | {"iron", "pan"}),
    ("soup", _HEAT | _CHILLING | {"blender", "puree"}),
    ("stew, chowder, chili, gumbo, jam, curry, casserole", _HEAT | _CHILLING),
    ("turnover, samosa, empanada, calzone", _FOLDING),
    ("ball, meatball, truffle, croquette, patty", _SHAPING),
    ("muffin, brownie, cornbread, corn bread, quiche", _OVEN),
    (
        "layer cake, pound cake, sponge cake, bundt cake, coffee cake, chocolate cake, carrot cake, spice cake",
        _OVEN | _CHILLING | {"steam", "steamed"},
    ),
    ("bread, roll", _HEAT | _CHILLING | {"cycle", "package"}),
)
_UNBAKED = re.compile(r"\b(no|never)[ -]?(bake|cook)|\bun(baked|cooked)\b|\braw\b")  # in a title
# In the tokens of a title, which have no "with": "pear tart ice cream".
_WITH = re.compile(r"\b(pie|tart|cake|crisp|cobbler|sauce|topping)s? .*ice[ _]cream")
# Dishes without dough.
_STIRRED = listed(
    """dressing vinaigrette smoothie punch slaw coleslaw guacamole lemonade cocktail eggnog milkshake sauce salsa gravy
    relish chutney marinade beer float shake tea coffee cocoa drink syrup jam jelly"""
)
_NO_DOUGH = {stems_of([name]) for name in _STIRRED}
_OF_DOUGH = frozenset(("knead",))
_NEEDS = {stems_of(name.split()): words for names, words in _STEPS for name in names.split(", ")}


def dish_of(goal: str) -> Stems:
    """Return the stems of a title's dish, the end of its first noun phrase: "soup" of "squash soup with leeks".

    The end is the longest name of a known food there, such as "ice cream", or the last word.
    """
    words: list[str] = []
    for word in _WORD.findall(goal.lower()):
        if words and (word in _AFTER_DISH or not word[0].isalpha()):
            break
        if word[0].isalpha():
            words.append(word)
    pair = stems_of(words[-2:])
    return pair if len(pair) == 2 and (pair in _NEEDS or pair in load_foods().canonical) else stems_of(words[-1:])


def is_another(goal: str, words: Iterable[str]) -> bool:
    """Return whether a text has no word of the steps that make the dish of its title, or makes dough for a drink."""
    dish, stated = dish_of(goal), {*words}
    needed = None if _UNBAKED.search(goal.lower()) or _WITH.search(goal.lower()) else _NEEDS.get(dish)
    return (needed is not None and needed.isdisjoint(stated)) or (
        dish in _NO_DOUGH and "bread" not in goal.lower() and not stated.isdisjoint(_OF_DOUGH)
    )
