"""Cleaning of a recipe's text before it is edited: steps only, and every item by its name.

Sentences with notes, adverts, yields, remarks or references to other recipes are dropped, and so are remarks in
brackets. "The dry ingredients" becomes a list of their names. So an edit finds every mention of every item.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from allsaid.language.numbers import NUMBERS_BY_NAME
from allsaid.language.text import listed
from allsaid.proof.coverage import Lexicon
from allsaid.proof.foods.names import stems_of
from allsaid.proof.recipes.frames import ENDS, Sentence, Steps
from allsaid.proof.recipes.kitchen import load_kitchen
from allsaid.proof.recipes.mentions import MIXED, Namer, split_words
from allsaid.proof.recipes.parser import parse
from schemas.example import LINE_BREAK, Example

_KITCHEN = load_kitchen()
# Words that begin a note, which ends with its paragraph.
_NOTES = listed("""note notes variation variations hint hints tip tips source nb editor cook's comment comments ps""")
# Words of sentences that are no steps.
_TALK = listed(
    """i my we our us me recipe recipes enjoy delicious favorite wonderful great variation servings serving serves
    makes yield yields calories page note notes thanks mrs mr magazine cookbook book family husband wife mom
    kids party restaurant optional: http www recipe's"""
)
_STAYS = frozenset(["will", "should", "must"])  # in sentences that are kept without a command
_REFERENCES = listed("see above below follow following elsewhere page")  # to other recipes
# Words in the names of dry ingredients.
_DRY = listed(
    """flour sugar salt baking_powder baking_soda soda powder cinnamon cocoa cornstarch starch oats oatmeal spice
    spices nutmeg ginger cloves allspice pepper cornmeal bran yeast"""
)
_PARTS = _KITCHEN["made"] | {"salad", "cake", "pie"}  # parts of a dish, as in "the topping ingredients"
_LAST = frozenset(["remaining", "rest", "other"])  # before "ingredients" that are not named yet
_OPENING, _CLOSING = listed("( [ {"), listed(") ] }")
_STOPS = ENDS - {LINE_BREAK}
_CLOSES = {*ENDS, ",", ";"}  # a comma before them remains after a remark is removed
_NUMBER = re.compile(r"\d+")
MOST_DROPPED = 0.5  # of a text's sentences; a text that loses more is no prototype


@dataclass(frozen=True)
class Clean:
    """A cleaned text of W words."""

    words: list[str]
    steps: Steps
    named: int  # items of the agenda that it names
    foreign: int  # mentions of foods that the agenda lacks
    dropped: int  # sentences


def clean(example: Example, lexicon: Lexicon) -> Clean | None:
    """Return the cleaned text of a training recipe; None if too little of it is left to edit."""
    names = example.agenda_tokens
    namer = Namer(names, lexicon)
    words, _ = split_words(example.tokens)
    steps = _parsed(_without_brackets(words), namer)
    kept, dropped = _steps_only(steps)
    if not kept or dropped > MOST_DROPPED * len(steps.sentences):
        return None
    expanded = _expanded(_without_brackets(kept), namer, names)  # a dropped sentence may have had the other bracket
    if _names_part(expanded):
        return None
    steps = _parsed(expanded, namer)
    mentions = [mention for clause in steps.clauses for mention in clause.mentions]
    named = {item for mention in mentions for item in mention.items[:1]} | {
        item for mention in mentions if len(mention.items) > 1 for item in mention.items
    }
    return Clean(list(steps.words), steps, len(named), sum(food.is_foreign for food in mentions), dropped)


def _parsed(words: Sequence[str], namer: Namer) -> Steps:
    return parse(words, namer.find(words))


def _without_brackets(words: Sequence[str]) -> list[str]:
    """Leave out words in brackets, except times and temperatures, and brackets without a partner."""
    kept: list[str] = []
    opened: list[int] = []
    for word in [*words, LINE_BREAK]:
        if word in _CLOSING and not opened:
            continue
        if word == LINE_BREAK:
            for place in reversed(opened):
                del kept[place]
            opened = []
        if word in _OPENING:
            opened.append(len(kept))
        kept.append(word)
        if word in _CLOSING:
            start = opened.pop()
            if not (_KITCHEN["timing"] | {"degrees"}).intersection(kept[start:]):
                del kept[start:]
    kept.pop()
    kept = [word for word in kept if word not in ("*", "**", '"', "'")]
    kept = [word for place, word in enumerate(kept) if not _joins_fraction(kept, place)]
    after = [*kept, ";"][1:]  # of an empty text: none
    return [
        word
        for word, following in zip(kept, after, strict=True)
        if (word != "," or following not in _CLOSES) and (word != "." or following not in _STOPS)
    ]


def _joins_fraction(words: Sequence[str], place: int) -> bool:
    """Return whether a word is the "and" of "1 and 1/2"."""
    around = [*words[place - 1 : place], *words[place + 1 : place + 2]]
    return words[place] == "and" and len(around) == 2 and around[0].isdigit() and "/" in around[1]


def _steps_only(steps: Steps) -> tuple[list[str], int]:
    """Return the words of the sentences that are steps, and the number of other sentences."""
    kept: list[str] = []
    dropped = 0
    in_note = False
    for sentence in steps.sentences:
        sentence_words = steps.words[sentence.start : sentence.end]
        in_note = in_note or sentence_words[0] in _NOTES
        if in_note or not _is_step(steps, sentence):
            dropped += 1
        else:
            kept += [word for word in sentence_words if word != LINE_BREAK]
            if kept[-1] not in ENDS:
                kept.append(".")
        if LINE_BREAK in sentence_words:
            in_note = False
            if kept and kept[-1] != LINE_BREAK:
                kept.append(LINE_BREAK)
    while kept and kept[-1] == LINE_BREAK:
        kept.pop()
    return kept, dropped


def _is_step(steps: Steps, sentence: Sentence) -> bool:
    words = steps.words[sentence.start : sentence.end]
    if _TALK.intersection(words) or (_REFERENCES.intersection(words) and not sentence.clauses[0].mentions):
        return False
    if any(clause.verb is not None for clause in sentence.clauses):
        return True
    is_plain = all(word[:1].isalpha() for word in words if word not in (":", LINE_BREAK))
    is_heading = is_plain and (words[-1] == ":" or (len(words) <= 4 and LINE_BREAK in words))
    return is_heading or bool(_STAYS.intersection(words))


def _expanded(words: Sequence[str], namer: Namer, names: Sequence[Sequence[str]]) -> list[str]:
    """Replace "all ingredients", "the dry ingredients" and the like by lists of names."""
    if "ingredients" not in words and "ingredient" not in words:
        return list(words)
    named = {
        item
        for mention in namer.find(words)
        if words[mention.end : mention.end + 1] != [MIXED]
        for item in mention.items
    }
    listed = 0  # items named by number so far, which "the next three ingredients" follow
    expanded: list[str] = []
    for place, word in enumerate(words):
        expanded.append(word)
        if word not in ("ingredients", "ingredient"):
            continue
        start = len(expanded) - 1
        start -= expanded[start - 1 : start] != [] and expanded[start - 1] in _PARTS
        while (
            start
            and expanded[start - 1]
            in _KITCHEN["determiner"]
            | _LAST
            | NUMBERS_BY_NAME.keys()
            | {"dry", "of", "following", "next", "first", "last", "wet", "liquid", "above", "these", "together"}
        ) or (start and _NUMBER.fullmatch(expanded[start - 1])):
            start -= 1
        before = expanded[start:-1]
        items, listed = _items_of_phrase(before, names, named, listed)
        items = [item for item in items if names[item]]
        if items and not (place + 1 < len(words) and words[place + 1] in ("except", "but")):
            expanded[start:] = _list([" ".join(names[item]).replace("_", " ") for item in items])
            named.update(items)
    return expanded


def _names_part(words: Sequence[str]) -> bool:
    """Return whether a text still has a phrase such as "the topping ingredients", whose items are unknown."""
    return any(word in _PARTS and after == "ingredients" for word, after in pairwise(words))


def _items_of_phrase(
    before: Sequence[str], names: Sequence[Sequence[str]], named: set[int], listed: int
) -> tuple[list[int], int]:
    """Return the items that "ingredients" means, by the words before it, and how many lines have been listed."""
    numbers = (word for word in before if word in NUMBERS_BY_NAME or _NUMBER.fullmatch(word))
    count = next((NUMBERS_BY_NAME.get(word) or int(word) for word in numbers), 0)
    free = [item for item in range(len(names)) if item not in named]
    if count and ("first" in before or "next" in before):
        first = listed if "next" in before else 0
        return list(range(first, min(first + count, len(names)))), first + count
    if count and "last" in before:
        return list(range(max(len(names) - count, 0), len(names))), listed
    if "dry" in before:
        return [
            item
            for item in free
            if {*names[item], *stems_of(names[item]), "_".join(names[item])} & _DRY
            or names[item][-1].rpartition("_")[2] in _DRY
        ], listed
    if "wet" in before or "liquid" in before:
        return [], listed
    return free, listed


def _list(names: Sequence[str]) -> list[str]:
    """Join names as a list: a, b and c."""
    words = [word for name in names[:-1] for word in [*name.split(), ","]]
    return [*words[:-1], *(["and"] if len(names) > 1 else []), *names[-1].split()]
