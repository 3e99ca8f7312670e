"""The dish of a title."""

from __future__ import annotations

import pytest

from allsaid.proof.foods.names import stems_of
from allsaid.proof.recipes.dishes import dish_of


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
