"""The dish of a title."""

from __future__ import annotations

from cases import cases

from allsaid.proof.foods.names import stems_of
from allsaid.proof.recipes.dishes import dish_of, is_another


@cases
def test_a_dish_is_the_head_of_its_title(title: str, dish: str) -> None:
    assert dish_of(title) == stems_of(dish.split())


@cases
def test_breads_and_cakes_are_baked(title: str, text: str, is_wrong: bool) -> None:
    assert is_another(title, text.split()) == is_wrong
