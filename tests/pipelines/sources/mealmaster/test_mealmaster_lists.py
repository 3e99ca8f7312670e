"""Ingredients that the directions list, and records that only inform."""

from __future__ import annotations

import pytest
from cases import cases
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


@cases
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


BELOW = "Fry the leeks in oil. Serve them with toast, limes, mint and cumin, and glaze them."


@cases
def test_names_below_the_block_are_ingredients(paragraph: str, names: list[str]) -> None:
    recipe = read(f"{TOP.partition('  Slice')[0]}  {paragraph}\n\n  {BELOW}\n")
    assert lines(recipe) == names
    assert recipe.steps == [BELOW]


@cases
def test_other_words_below_the_block_are_none(paragraph: str) -> None:
    recipe = read(f"{TOP.partition('  Slice')[0]}  {paragraph}\n\n  {BELOW}\n")
    assert lines(recipe) == ["3 Leeks"]


def test_lines_in_capitals_below_the_block_are_ingredients() -> None:
    block = "      3    leeks\n      2 c  cream\n\n  LIMES\n  MINT\n  CUMIN"
    recipe = read(f"{TOP.partition('      3')[0]}{block}\n\n  {BELOW}\n")
    assert lines(recipe) == ["3 leeks", "2 c cream", "LIMES", "MINT", "CUMIN"]


@pytest.mark.parametrize(
    "steps",
    [
        ["(1)   Stir flour and milk.", "(2)   The dough rises for one hour", "(3)   Bake until done"],
        ["(2)   The dough rises for one hour."],
    ],
)
def test_numbers_of_steps_in_brackets_are_no_amounts(steps: list[str]) -> None:
    recipe = read(TOP.partition("  Slice")[0] + "".join(f"     {step}\n" for step in steps))
    assert lines(recipe) == ["3 Leeks"]
    assert recipe.steps == [" ".join(" ".join(steps).split())]


@cases
def test_a_pair_goes_on_only_behind_an_adjective(first: str, second: str, is_one: bool) -> None:
    recipe = read(f"Title: T\nYield: 1\n1 c  {first}\n{second}\n2    Eggs\n\nCook all this in a pan.\n")
    names = [f"1 c {first} {second}"] if is_one else [f"1 c {first}", second]
    assert lines(recipe) == [*names, "2 Eggs"]


@cases
def test_only_a_food_below_pepper_is_of_its_own(line: str, is_one: bool) -> None:
    recipe = read(f"Title: T\nYield: 1\n1 c  Rice\n-salt & pepper\n{line}\n2    Eggs\n\nCook the figs in a pan.\n")
    names = [f"salt & pepper {line[1:]}"] if is_one else ["salt & pepper", line[1:]]
    assert lines(recipe) == ["1 c Rice", *names, "2 Eggs"]


def test_a_table_of_measures_is_no_list() -> None:
    with pytest.raises(ParseFault) as fault:
        read("      Title: Measures\n Categories: Info\n\n  5 ml = 1 tsp\n  15 ml = 1 tbsp\n\n  Mix.\n")
    assert fault.value.reason == "no_ingredients"


def test_the_title_s_food_alone_is_an_ingredient() -> None:
    recipe = read(
        "Title: BERRY SYRUP\nYield: 1\nBerries\nBoil the juice with sugar for an hour, and fill it into jars.\n"
    )
    assert lines(recipe) == ["Berries"]


def test_a_first_name_tells_that_a_line_alone_is_used() -> None:
    recipe = read(
        "Title: ROAST\nYield: 1\nPeppers, red and/or green\nRoast the peppers until black, then wait for an hour.\n"
    )
    assert lines(recipe) == ["Peppers, red and/or green"]


def test_notes_with_amounts_are_no_lists() -> None:
    note = "1 1/2 cups of the fine noodles should be 3 oz. ** Leeks should be young."
    recipe = read(f"{TOP}  {note}\n\n  Serve.\n")
    assert lines(recipe) == ["3 Leeks"]


def test_a_unit_alone_may_begin_a_second_column() -> None:
    rows = [("      2 tb Mint", "    1/2 ts Cumin"), ("      2 tb Vinegar", "        pn (tiny) lime salt")]
    block = "".join(f"{left:41}{right}\n" for left, right in rows)
    recipe = read(f"{TOP.partition('      3')[0]}{block}\n  Stir it all.\n")
    assert lines(recipe) == ["2 tb Mint", "2 tb Vinegar", "1/2 ts Cumin", "pn (tiny) lime salt"]


def test_a_line_in_the_columns_may_go_on_with_text() -> None:
    recipe = read(f"{TOP}  Bake them in the oven in a tin of 7 by 11 inches or\n      8 x  8 (it works, too).\n")
    assert lines(recipe) == ["3 Leeks"]
    assert recipe.steps[-1].endswith("inches or 8 x 8 (it works, too).")
