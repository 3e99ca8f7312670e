"""Items of an agenda as an edit sees them: key, names in a text, amount, state."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from allsaid.language.inflection import is_plural
from allsaid.language.text import listed
from allsaid.modeling.prototypes.roles import key_of, kinds_of
from allsaid.proof.foods.names import stems_of, words_of
from allsaid.proof.recipes import amounts
from allsaid.proof.recipes.amounts import Amount
from allsaid.proof.recipes.kitchen import load_kitchen

# Words of a line that say in which state the food comes; foods of one key in different states are cooked differently.
STATES = {
    "canned": "cn can cans canned",
    "cooked": "cooked leftover baked roasted",
    "dried": "dried dry",
    "frozen": "frozen",
    "ground": "ground minced powder powdered",
    "melted": "melted",
    "raw": "uncooked raw",
    "smoked": "smoked",
    "boiling": "boiling",
}
_AND = ("and", "&")
_PARTICIPLE = re.compile("(?:[^e]ed|ground|beaten|frozen|torn)$")  # not "seed", which ends in -eed
_KITCHEN = load_kitchen()
# Last words of lines that name no food; such items are prepared, but not added to any food.
_TOOLS = _KITCHEN["vessel"] | listed(
    """cheesecloth skewers skewer toothpicks toothpick string twine sticks paper foil thermometer lids wrap up plus to
    servings yields recipe cookbook brush knife ladle spoon spoons funnel dishpan bath whisk grater"""
)
_PASTRY_CASES = listed("shell shells crust crusts")  # of a pie
_SEASONINGS = frozenset(("spice", "herb"))  # kinds of foods
_LITTLE = frozenset(("salt", "water", "ice", "salt and pepper"))
LIGHT = 0.35  # weight of a seasoning or a spoonful; a main food has 1
_SPOONFUL = 3.0  # teaspoons
# Words of lines -> the command that ends a recipe with such an item.
_FINISHES = {
    "garnish": "garnish",
    "garnishes": "garnish",
    "serve": "serve",
    "serving": "serve",
    "accompaniment": "serve",
    "topping": "top",
}
_STATE_OF = {word: state for state, words in STATES.items() for word in words.split()}


@dataclass(frozen=True)
class Item:
    line: str  # of the agenda
    tokens: tuple[str, ...]
    key: str  # the food's canonical name; of any other item, the stems of its name
    name: tuple[str, ...]  # for use in a text: the words at its end that have the key, else its last three words
    states: frozenset[str]

    @cached_property
    def head(self) -> str:
        """The stem of the name's last word."""
        return stems_of(self.tokens[-1:])[-1] if self.tokens else ""

    @cached_property
    def amount(self) -> Amount | None:
        return amounts.of_line(self.line)

    @cached_property
    def weight(self) -> float:
        """The importance of the item in a recipe, 0 to 1."""
        kind, size = self.amount.size if self.amount else ("", 0.0)
        is_little = kind in ("pinch", "dash", "drop") or (kind == "volume" and size <= _SPOONFUL)
        return LIGHT if is_little or self.key in _LITTLE or _SEASONINGS & kinds_of(self.key) else 1.0

    @property
    def is_pair(self) -> bool:
        """Whether the item names two foods, as "salt and pepper" does."""
        return "and" in self.name

    @property
    def is_tool(self) -> bool:
        """Whether the line names no food, as "6 wooden skewers" does."""
        return self.tokens[-1:] != () and words_of(self.tokens)[-1] in _TOOLS

    @property
    def is_pastry_case(self) -> bool:
        """Whether this ingredient is a pastry case, such as "1 unbaked pie shell"."""
        is_pastry_case = self.tokens[-1:] != () and words_of(self.tokens)[-1] in _PASTRY_CASES
        return is_pastry_case and len(self.name) > 1 and "pasta" not in kinds_of(self.key)

    @cached_property
    def finish(self) -> str:
        """The command that ends a recipe with the item, by what its line is for; "" for other items."""
        words = self.line.lower().replace(",", " ").replace(";", " ").replace(")", " ").replace("(", " ").split()
        return next((command for word, command in _FINISHES.items() if word in words), "")

    @property
    def is_plural(self) -> bool:
        return is_plural(self.name[-1])


def items_of(agenda: Sequence[str], names: Sequence[Sequence[str]]) -> list[Item]:
    """Return the L items of an agenda; where short names are equal, the full ones are used."""
    found = [_item(line, tuple(tokens)) for line, tokens in zip(agenda, names, strict=True)]
    same = Counter(stems_of(item.name) for item in found)
    return [
        replace(item, name=tuple(words_of(item.tokens))[-4:]) if same[stems_of(item.name)] > 1 else item
        for item in found
    ]


@lru_cache(maxsize=1 << 12)
def _item(line: str, tokens: tuple[str, ...]) -> Item:
    key, words = key_of(tokens), words_of(tokens)
    lower = line.lower().replace(",", " ").replace(";", " ").split()
    states = frozenset(_STATE_OF[word] for word in lower if word in _STATE_OF)
    return Item(line, tokens, key, tuple(_pair_name(words, lower) or _in_order(_short(words, key))), states)


def _pair_name(words: Sequence[str], line: Sequence[str]) -> list[str]:
    """Return the names in a line of two foods, such as "salt and pepper"; [] for any other line."""
    is_pair = len(words) == 2 and any(
        [words[0], joint, words[1]] == line[place : place + 3] for joint in _AND for place in range(len(line))
    )
    return [words[0], "and", words[1]] if is_pair else []


def _in_order(name: Sequence[str]) -> Sequence[str]:
    """Move participles from the end of a name to where a text says them: "almonds toasted" -> "toasted almonds"."""
    end = len(name)
    while end > 1 and _PARTICIPLE.search(name[end - 1]):
        end -= 1
    return [*name[end:], *name[:end]]


def _short(words: Sequence[str], key: str) -> Sequence[str]:
    """Return the shortest end of a name that has this key, else its last three words."""
    length = len(key.split())
    for size in (length, length + 1):
        if words and key_of(tuple(words[-size:])) == key:
            return words[-size:]
    return words[-3:] or ["ingredient"]
