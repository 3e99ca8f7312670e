"""A Meal-Master record typed into a test, read as the source reads it."""

from __future__ import annotations

from pipelines.recipes.ingredients import agenda_line
from pipelines.sources.mealmaster.dump import RawRecord
from pipelines.sources.mealmaster.record import parse
from schemas.recipe import Recipe

V8 = "MMMMM----- Recipe via Meal-Master (tm) v8.05"


def read(body: str) -> Recipe:
    return parse(RawRecord(0, body.encode("cp437"), V8.encode()), "test.mmf")


def lines(recipe: Recipe) -> list[str]:
    return [agenda_line(item) for item in recipe.ingredients]
