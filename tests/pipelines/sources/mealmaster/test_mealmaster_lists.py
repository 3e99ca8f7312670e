"""Ingredients that the directions list, and records that only inform."""

from __future__ import annotations

import pytest
from mealmaster_records import lines, read

from pipelines.sources.mealmaster.record import ParseFault

TOP = "      Title: Leek Pie\n Categories: Pies\n      Yield: 4 Servings\n\n      3    Leeks\n\n  Slice the leeks.\n\n"


def test_a_list_among_the_directions_is_ingredients() -> None:
    crust = (
        "  Barley crust: 2 cups barley flour 1/2 tsp Salt 1 1/2 c Cream or\n  buttermilk (or 1 cup water 2 tbsp oil)\n"
    )
    sauce = "  Plum Sauce\n\n  1 lb. plums 1/4 cup sugar Pinch of salt Stir over low heat.\n"
    recipe = read(f"{TOP}{crust}\n  Knead well.\n\n{sauce}")
    assert lines(recipe) == [
        "3 Leeks",
        "2 cups barley flour",
        "1/2 tsp Salt",
        "1 1/2 c Cream or buttermilk (or 1 cup water 2 tbsp oil)",
        "1 lb plums",
        "1/4 cup sugar Pinch of salt",
    ]
    assert [item.section for item in recipe.ingredients] == ["", *["Barley crust"] * 3, *["Plum Sauce"] * 2]
    assert recipe.steps == ["Slice the leeks.", "Barley crust: Knead well.", "Plum Sauce: Stir over low heat."]


@pytest.mark.parametrize(
    "text",
    [
        "Beat together: 2 cups milk 1 cup oats",
        "Per serving: 120 cal 3 g prot 4 g carb",
        "2 tb soaked raisins and 1 tb rum may replace the plums",
        "1 cup rice 2 cups water. Cook until soft.",
        "1 cup rice",
        "2 lbs. leeks yields 1 quart",
    ],
)
def test_sentences_with_amounts_are_no_lists(text: str) -> None:
    assert lines(read(f"{TOP}  {text}\n")) == ["3 Leeks"]


@pytest.mark.parametrize(
    "body",
    [
        "           Information only\n\n  Leeks are grown in sandy soil. Plant them in spring.\n",
        "           -ADA EXAMPLE ABCD12A\n\n  Three rules.\n\n   1. The leek (a LILY) is no onion.\n\n"
        "   2. A leek is NOT bulbous.\n\n   3. Leeks are eaten in 4 to 6 weeks.\n",
    ],
)
def test_a_record_that_only_informs_is_no_recipe(body: str) -> None:
    with pytest.raises(ParseFault) as fault:
        read(f"      Title: About Leeks\n Categories: Info\n      Yield: 1 File\n\n{body}")
    assert fault.value.reason == "no_ingredients"


def test_a_marked_title_and_a_dot_alone_are_no_steps() -> None:
    recipe = read(f"{TOP.partition('  Slice')[0]}  *** Leek Pie ***\n\n  Slice the leeks.\n  .\n  Fry them.\n")
    assert recipe.steps == ["Slice the leeks.", "Fry them."]


def test_foods_that_the_directions_name_in_a_row_are_two() -> None:
    block = "           Marinated large leek bulbs\n           Artichokes\n"
    recipe = read(f"{TOP.partition('      3')[0]}{block}\n  Arrange the leek bulbs and artichokes on plates.\n")
    assert lines(recipe) == ["Marinated large leek bulbs", "Artichokes"]
