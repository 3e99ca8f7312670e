"""One Meal-Master record: its bytes -> a recipe, pure Python."""

from __future__ import annotations

import hashlib

from allsaid.language.code_pages import decode
from pipelines.source import RecordFault
from pipelines.sources.mealmaster.dump import MAX_RECORD, RawRecord
from pipelines.sources.mealmaster.layout import lay_out
from schemas.recipe import Ingredient, Recipe

MAX_WIDTH = 4000  # characters of a line; some patterns take time quadratic in it, and real lines end before 200

# Reasons of ParseFault: why a record is no recipe. Rejections count them under the stage "read".
FAULTS = {
    "no_title": "The record's title is empty.",
    "no_ingredients": "The record has no line that reads as an ingredient.",
    "no_directions": "The record has no line that reads as a direction.",
    "long_line": f"The record has a line of more than {MAX_WIDTH:,} characters.",
    "too_long": f"The record is longer than {MAX_RECORD:,} bytes.",
}


class ParseFault(RecordFault):
    """A record that is no recipe; ``reason`` is a key of FAULTS unless a sentence is given as ``detail``."""

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(reason, detail or FAULTS[reason])


def parse(raw: RawRecord, file: str) -> Recipe:
    """Return the recipe of a raw record; raises ParseFault, and nothing else, if the record is no recipe."""
    if len(raw.body) > MAX_RECORD:
        raise ParseFault("too_long", f"The record has {len(raw.body):,} bytes or more.")
    text, encoding = decode(raw.body)
    lines = text.split("\n")
    if max(map(len, lines)) > MAX_WIDTH:
        raise ParseFault("long_line")
    parts = lay_out(lines)
    if not any(character.isalnum() for character in parts.title):
        raise ParseFault("no_title")
    if not parts.ingredients:
        raise ParseFault("no_ingredients")
    if not any(character.isalpha() for step in parts.steps for character in step):
        raise ParseFault("no_directions")
    return Recipe(
        id=_identity(parts.title, parts.ingredients, parts.steps),
        title=parts.title,
        categories=parts.categories,
        recipe_yield=parts.recipe_yield,
        ingredients=parts.ingredients,
        steps=parts.steps,
        file=file,
        offset=raw.offset,
        encoding=encoding,
    )


def _identity(title: str, ingredients: list[Ingredient], steps: list[str]) -> str:
    parts = [title]
    for item in ingredients:
        parts += (item.amount, item.unit, item.name, item.section)
    parts += ("", *steps)
    return hashlib.blake2b("\x1f".join(parts).encode("utf-8", "replace"), digest_size=8).hexdigest()
