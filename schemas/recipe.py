"""A recipe as a source parsed it, before any cleaning (``records/*.parquet``)."""

from __future__ import annotations

from dataclasses import dataclass

from schemas.checks.rules import Between, Filled, Rule
from schemas.checks.table import versioned


@dataclass(frozen=True)
class Ingredient:
    amount: str  # as written: "1 1/2"; "": none
    unit: str  # Meal-Master's code as written: "tb", "T"; "": none
    name: str  # the rest of the line, continuation lines joined: "Olive oil, extra virgin"
    section: str  # heading above the ingredient; "" before the first heading


@dataclass(frozen=True)
class Recipe:
    id: str  # 16 hex digits: hash of title, ingredients and steps, nothing else
    title: str  # the text after `Title:`
    categories: list[str]  # as written, one name each
    recipe_yield: str  # "4 Servings; makes 3 dozen cookies"; schema.org's name, since `yield` is a keyword
    ingredients: list[Ingredient]  # in the order of reading, left column first
    steps: list[str]  # paragraphs of the directions, lines joined with one blank
    file: str  # the file that it was read from
    offset: int  # position of its header, in bytes of the decompressed file
    encoding: str  # "ascii", "cp437", "latin-1", "mac-roman" or "utf-8", detected for this record


RECIPE = versioned("recipe", 1, Recipe)

RULES: tuple[Rule, ...] = (
    *map(Filled, ("id", "file", "encoding")),
    Between("id", 16, 16, of="length"),
    Between("offset", 0),
)
