"""The dish of a title."""

from __future__ import annotations

import pytest

from allsaid.proof.foods.names import stems_of
from allsaid.proof.recipes.dishes import dish_of, is_another


@pytest.mark.parametrize(
    ("title", "dish"),
    [
        ("ACORN SQUASH SOUP", "soup"),
        ("apple pancakes with cinnamon butter", "pancakes"),
        ("french onion soup ( quick )", "soup"),
        ("Salad", "salad"),
        ("Peach Ice Cream", "ice cream"),
        ("", ""),
        ("Hot Tuna-Salad Sandwiches", "sandwiches"),
    ],
)
def test_a_dish_is_the_head_of_its_title(title: str, dish: str) -> None:
    assert dish_of(title) == stems_of(dish.split())


@pytest.mark.parametrize(
    ("title", "text", "is_wrong"),
    [
        ("Skillet Cornbread", "cook in a skillet until brown", True),
        ("Skillet Cornbread", "pour into the skillet and bake", False),
        ("Corn Bread", "cook in a skillet until brown", True),
        ("Fry Bread", "fry in hot oil", False),
        ("Yellow Layer Cake", "heat a greased skillet and turn over", True),
        ("Yellow Layer Cake", "pour into two tins and bake", False),
        ("No-Bake Brownies", "press into a pan and chill", False),
        ("Brownies", "press into a pan and chill", True),
        ("Crab Cake", "fry in a greased skillet", False),
    ],
)
def test_breads_and_cakes_are_baked(title: str, text: str, is_wrong: bool) -> None:
    assert is_another(title, text.split()) == is_wrong
