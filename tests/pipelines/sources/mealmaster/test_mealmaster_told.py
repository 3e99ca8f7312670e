"""Whether two lines of an ingredient block name one thing, as the directions tell."""

from __future__ import annotations

import pytest
from mealmaster_records import names_of, read


@pytest.mark.parametrize(
    ("block", "directions", "names"),
    [
        ("3    Thin golden\nFigs\n2    Eggs", "Chop the golden figs.", ["Thin golden Figs", "Eggs"]),
        ("3    Thin golden\nFigs\n2    Eggs", "Chop the figs.", ["Thin golden", "Figs", "Eggs"]),
        ("3    Leeks, golden\nFigs\n2    Eggs", "Chop the golden figs.", ["Leeks, golden", "Figs", "Eggs"]),
        (
            "1 ts Instant coffee crystals\nDessert topping\n2    Eggs",
            "Stir the coffee crystals into the dessert topping.",
            ["Instant coffee crystals", "Dessert topping", "Eggs"],
        ),
        (
            "1 ts Instant coffee crystals\nDessert topping\n2    Eggs",
            "Stir the coffee.",
            ["Instant coffee crystals Dessert topping", "Eggs"],
        ),
    ],
)
def test_directions_tell_whether_two_lines_name_one_thing(block: str, directions: str, names: list[str]) -> None:
    recipe = read(
        f"Title: T\nCategories: C\nYield: 1\n{block}\n{directions} Cook it all in a wide pan until it is done."
    )
    assert names_of(recipe) == names
