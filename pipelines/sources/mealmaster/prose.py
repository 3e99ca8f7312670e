"""Ingredients written as running text ("3 lbs beef 2 cans beans Cut beef into …"), the amounts as borders."""

from __future__ import annotations

import re

from pipelines.recipes.commands import COMMAND
from pipelines.recipes.ingredients import split_line
from pipelines.recipes.units import NUMBER, WORDS
from schemas.recipe import Ingredient

MIN_ITEMS = 3  # fewer amounts in a row are a sentence, not a list
_MAX_LENGTH = 100  # characters of one item
_REACH = 4  # paragraphs in which a list may begin
_UNITS = "|".join(sorted(WORDS | {"T", "C", "lge", "med"}, key=len, reverse=True))
_LABEL = re.compile(r"(?:(?:the )?ingredients? ?(?:list)?[:.]* *)?[-*(]?(?=[\d.])", re.IGNORECASE)
_BORDER = re.compile(
    r"(?<![(/\d-])(?<!\bor)(?<!\bto)(?<!\bof)(?<!\babout)[,.;:]?\s+"
    rf"(?={NUMBER}(?: ?- ?{NUMBER})? *(?:\(|(?i:{_UNITS})\b|[A-Za-z]))"
)
_CONTINUED = re.compile(r" -(?=[a-z])")  # the dash of a continuation
_COMMAND = re.compile(rf"(?<=\S)\s+(?={COMMAND}|1[.)] ?[A-Z])")


def ingredients_in_prose(paragraphs: list[str]) -> tuple[list[Ingredient], list[str]]:
    """Ingredients at the beginning of the directions and the directions without them; none where no list stands."""
    start = next((place for place, text in enumerate(paragraphs[:_REACH]) if _LABEL.match(text)), -1)
    if start < 0:
        return [], paragraphs
    pieces: list[str] = []
    for end in range(start, len(paragraphs)):
        paragraph = paragraphs[end]
        label = _LABEL.match(paragraph)
        if label is None:
            break
        command = _COMMAND.search(paragraph)
        here = _BORDER.split(paragraph[label.end() : command.start() if command else None])
        if max(map(len, here)) > _MAX_LENGTH:
            break
        pieces += here
        if command:
            paragraphs = [*paragraphs[:end], paragraph[command.end() :], *paragraphs[end + 1 :]]
            break
    else:
        end = len(paragraphs)
    items = [Ingredient(*split_line(_CONTINUED.sub(" ", piece).strip(" .,;")), "") for piece in pieces]
    items = [item for item in items if item.amount and any(map(str.isalpha, item.name))]
    if len(items) < max(MIN_ITEMS, 0.8 * len(pieces)):
        return [], paragraphs
    return items, paragraphs[:start] + paragraphs[end:]
