"""A Meal-Master record typed into a test, read as the source reads it."""

from __future__ import annotations

from itertools import groupby

from pipelines.recipes.ingredients import agenda_line
from pipelines.sources.mealmaster.dump import RawRecord
from pipelines.sources.mealmaster.record import parse
from schemas.recipe import Recipe

V8 = "MMMMM----- Recipe via Meal-Master (tm) v8.05"


def read(body: str) -> Recipe:
    return parse(RawRecord(0, body.encode("cp437"), V8.encode()), "test.mmf")


def lines(recipe: Recipe) -> list[str]:
    return [agenda_line(item) for item in recipe.ingredients]


def names_of(recipe: Recipe) -> list[str]:
    return [item.name for item in recipe.ingredients]


def sections(recipe: Recipe) -> list[tuple[str, list[str]]]:
    """The headings in their order, each with the names of the ingredients below it."""
    by_heading = groupby(recipe.ingredients, key=lambda item: item.section)
    return [(heading, [item.name for item in items]) for heading, items in by_heading]
