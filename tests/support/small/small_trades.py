"""Dialogue acts of trades that no corpus at hand has, with texts made by rules, right by construction.

The rules inflect by hand what they say: plurals (irregular ones, too), units, hyphens, possessives, "a" and "an".
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from pathlib import Path

Entry = list[str]  # act, text, the same text as a rule-based system's

# What is sold, in the singular and in the plural.
SOLD = {
    "electronics": [("television", "televisions"), ("laptop", "laptops"), ("battery", "batteries"), ("tv", "tvs")],
    "furniture": [("shelf", "shelves"), ("box", "boxes"), ("couch", "couches"), ("tv bench", "tv benches")],
    "pets": [("puppy", "puppies"), ("mouse", "mice"), ("goose", "geese"), ("fish tank", "fish tanks")],
}
FOR = [("child", "children"), ("man", "men"), ("woman", "women"), ("person", "people"), ("family", "families")]
ADJECTIVES = ["oak", "excellent", "grey", "affordable", "usb", "ivory", "european", "one-touch", "lcd", "hdmi"]
UNITS = [("watt", "watts"), ("inch", "inches"), ("foot", "feet"), ("hour", "hours"), ("pound", "pounds")]
NAMES = ["zephyr 21", "apollo 8", "willow", "the amber 3", "ursa minor", "hestia x2"]


def _article(word: str) -> str:
    """The articles of the words above, written down and not reckoned."""
    said_an = {"oak", "excellent", "affordable", "ivory", "lcd", "hdmi", "apollo", "ursa", "8", "11", "18", "8.5", "80"}
    return f"{'an' if re.split('[- ]|(?<=[0-9])(?=[a-z])', word)[0] in said_an else 'a'} {word}"


def _count(pick: random.Random, one: str, many: str) -> Entry:
    (adult, adults), number = pick.choice(FOR), pick.choice([2, 11, 68])
    act = f"inform_count(count={number};type='{one}';audience='{adult}';is_for_business=dont_care)"
    return [act, f"there are {number} {many} for {adults} if you do not care whether they are for business ."]


def _made_in_plural(pick: random.Random, one: str, many: str) -> Entry:
    (adult, adults), name = pick.choice(FOR), pick.choice(NAMES)
    act = f"inform(name='{name}';type='{many}';audience='{adults}')"
    return [act, f"The {name.removeprefix('the ')} is one {one} for one {adult} ."]


def _measures(pick: random.Random, one: str, many: str) -> Entry:
    unit, _ = pick.choice(UNITS)
    size, power = pick.sample(["8", "11", "26", "44", "8.5", "80"], 2)
    name, how = pick.choice(NAMES), pick.choice(ADJECTIVES)
    act = f"inform(name='{name}';type='{one}';size='{size} {unit}';power='{power} watt';rating='{how}';has_port=true)"
    sized = pick.choice([f"{size}-{unit}", f"{size} {unit}", f"{size}{unit}"])
    return [
        act,
        f"{name} is {_article(f'{sized} {one}')} that uses {power} watts with a port and {_article(how)} rating .",
    ]


def _units(pick: random.Random, one: str, many: str) -> Entry:
    unit, units = pick.choice(UNITS)
    size, name = pick.choice(["8", "18", "320"]), pick.choice(NAMES)
    act = f"inform(name='{name}';type='{one}';size='{size} {unit}';accessory='remote control')"
    return [act, f"Size : {size} {units} . {name}'s remote controls are for {many} ."]


def _compare(pick: random.Random, one: str, many: str) -> Entry:
    first, second = pick.sample(NAMES, 2)
    how, other = pick.sample(ADJECTIVES, 2)
    act = f"?compare(name='{first}';rating='{how}';name='{second}';rating='{other}';type='{one}')"
    return [
        act,
        f"of the two {many} , {first} has {_article(how)} finish and {second} {_article(other)} one . which ?",
    ]


def _suggest(pick: random.Random, one: str, many: str) -> Entry:
    first, second = pick.sample(NAMES, 2)
    act = f"suggest(name='{first}';name='{second}';type='{many}';material='stainless steel')"
    return [act, f"{first} and {second} are stainless-steel {many} ."]


RULES: list[Callable[[random.Random, str, str], Entry]]
RULES = [_count, _made_in_plural, _measures, _units, _compare, _suggest]


def entries(trade: str, number: int = 150) -> list[Entry]:
    """Some acts of a trade with their texts, the same ones each time."""
    pick = random.Random(trade)
    made = [pick.choice(RULES)(pick, *pick.choice(SOLD[trade])) for _ in range(number)]
    return [[act, text, text] for act, text in made]


def write(folder: Path, trade: str) -> str:
    """The path of a trade's dump."""
    path = folder / trade / "test.json"
    path.parent.mkdir()
    path.write_text(json.dumps(entries(trade)), encoding="utf-8")
    return str(path)
