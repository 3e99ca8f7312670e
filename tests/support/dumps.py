"""Small Meal-Master dumps for the tests, written by the project."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

HEADER = "MMMMM----- Recipe via Meal-Master (tm) v8.05"

GREENS = ("spinach", "chard", "fennel", "leeks", "celery", "kale", "cabbage")
GRAINS = ("rice", "barley", "lentils", "noodles", "couscous")
WAYS = (
    "Warm the olive oil in a wide pan, then stir in the {0} and cook it for five minutes.",
    "Rinse the {0} well. Heat olive oil in a heavy pot and turn the {0} in it until soft.",
    "Put the {0} and the olive oil into a deep pan and let them steam under a lid.",
)
ENDS = (
    "Add the {1} with two cups of water and simmer until all ingredients are done.",
    "Pour in the {1} and enough water, season with salt and leave it on a low flame.",
    "Fold in the {1}, cover the dish and bake it at 350 F. for half an hour.",
)


def recipe(title: str, items: Sequence[str], steps: str, category: str = "Vegetables") -> str:
    """One record with its header and end line; ``items`` are (amount, unit, name) columns as typed."""
    lines = [HEADER, " ", f"      Title: {title}", f" Categories: {category}", "      Yield: 4 Servings", " "]
    lines += [f"{amount:>7} {unit:<2} {name}" for amount, unit, name in (item.split("|") for item in items)]
    return "\r\n".join([*lines, " ", *(f"  {line}" for line in steps.splitlines()), " ", "MMMMM", "", ""])


def cookbook(places: Sequence[int] = range(315)) -> list[str]:
    """Different recipes; number ``n`` is always the same one. Two neighbours share their title."""
    choices = list(product(GREENS, GRAINS, WAYS, ENDS))
    recipes = []
    for place in places:
        green, grain, way, end = choices[place]
        items = ("2|tb|Olive oil", f"1|lb|{green.title()}, chopped", f"1|c|{grain.title()}", "|   |Salt")
        title = f"{green} {grain} {_word(place // 2)}".title()
        recipes.append(recipe(title, items, f"{way.format(green, grain)}\n{end.format(green, grain)}"))
    return recipes


def _word(place: int) -> str:
    """A made-up word of its own for each number, so that no two titles share three words."""
    return "".join("bdfgklmnpr"[int(digit)] + "aeiou"[int(digit) % 5] for digit in f"{place:03}")


def dump(recipes: Sequence[str]) -> bytes:
    return "".join(recipes).encode("cp437")
