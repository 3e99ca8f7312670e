"""Headings of sections, rules that head none, and lines that look like either."""

from __future__ import annotations

import pytest
from mealmaster_records import read, sections


@pytest.mark.parametrize(
    "rule",
    [
        "> Source <",
        "YIELD: 4 SERVINGS",
        "LEEKS20086",
        "LEEK COOKING-NOV 95",
        "GUY E. EXAMPLE",
        "*INGREDIENTS*",
        "PER SERVING",
        "Ingredients:",
    ],
)
def test_rules_that_head_no_section(rule: str) -> None:
    recipe = read(f"Title: T\nCategories: C\nYield: 1\n1 c  Rice\n-----{rule}-----\n2    Eggs\n\nCook it all.")
    assert sections(recipe) == [("", ["Rice", "Eggs"])]


@pytest.mark.parametrize(
    "heading", ["-----*****LEEK SAUCE*****-----", "1    LEEK SAUCE:", "LEEK SAUCE:", "...LEEK SAUCE..."]
)
def test_headings_of_sections(heading: str) -> None:
    recipe = read(f"Title: T <t>\nCategories: C\nYield: 1\n1 c  Rice\n{heading}\n2    Eggs\nCalories\n\nCook it all.")
    assert sections(recipe) == [("", ["Rice"]), ("LEEK SAUCE", ["Eggs"])]
    assert recipe.title == "T"


@pytest.mark.parametrize("heading", ["Leek sauce-----", "~-LEEK SAUCE:--", "Leek sauce:........", "-Leek sauce+++++"])
def test_a_heading_has_marks_behind_it(heading: str) -> None:
    recipe = read(f"Title: T\nCategories: C\nYield: 1\n1 c  Rice\n{heading}\n2    Eggs\n\nCook it all.")
    found = [(item.name, item.section.capitalize()) for item in recipe.ingredients]
    assert found == [("Rice", ""), ("Eggs", "Leek sauce")]


def test_figures_below_a_heading_of_data_are_no_ingredients() -> None:
    block = "1 c  Rice\n2    Eggs\n-----DATA PER SERVING-----\n3 x  *gm Protein\n11 x  *mg Sodium"
    recipe = read(f"Title: T\nCategories: C\nYield: 1\n{block}\n\nCook it all.")
    assert sections(recipe) == [("", ["Rice", "Eggs"])]


def test_a_rule_that_commands_is_a_step() -> None:
    recipe = read("Title: T\nCategories: C\nYield: 1\n1 c  Rice\n-----FOLD INTO THE DOUGH-----\n\nCook it all.")
    assert recipe.steps == ["FOLD INTO THE DOUGH", "Cook it all."]


@pytest.mark.parametrize("rule", ["FOR 4 PEOPLE", "FOR 12", "FOR 1-1/2 LB. LOAF", "Fuer 4 Personen"])
def test_a_rule_with_a_number_is_the_yield(rule: str) -> None:
    recipe = read(f"Title: Leeks\nYield: 1\n\nMMMMM-----{rule}-----\n1 c  Rice\n2    Eggs\n\nStir.\n")
    assert {item.section for item in recipe.ingredients} == {""}
    assert recipe.recipe_yield.lower() == f"1; {rule.lower()}"


@pytest.mark.parametrize("rule", ["FOR 1 QUART FILLING", "For 2 sauces"])
def test_a_rule_with_the_number_of_a_part_is_its_heading(rule: str) -> None:
    recipe = read(f"Title: Leeks\nYield: 1\n\nMMMMM-----{rule}-----\n1 c  Rice\n2    Eggs\n\nStir.\n")
    assert {item.section for item in recipe.ingredients} == {rule}


def test_a_heading_for_lines_without_amounts() -> None:
    recipe = read("Title: Leeks\nYield: 1\n\n1 c  Rice\nFOR GARNISH\nZest of One Lemon\nMint Sprigs\n\nStir.\n")
    assert [item.section for item in recipe.ingredients] == ["", "FOR GARNISH"]  # no ingredient of its own


def test_lines_below_a_rule_of_sources_are_no_ingredients() -> None:
    block = "-----> source <-----\nThe Leek Inn, Springfield\n-----SOUP-----\n1 c  Rice\n"
    recipe = read(f"Title: Leeks\nYield: 1\n\n{block}\nStir.\n")
    assert sections(recipe) == [("SOUP", ["Rice"])]


@pytest.mark.parametrize("label", ["Leeks with:", "Leek salt or:"])
def test_a_food_with_more_below_is_no_heading(label: str) -> None:
    recipe = read(f"Title: Leeks\nYield: 1\n\n1 c  Rice\n{label}\n2    Lemons\n\nStir.\n")
    assert sections(recipe) == [("", ["Rice", label, "Lemons"])]


def test_a_heading_may_have_a_hyphen() -> None:
    recipe = read("Title: Leeks\nYield: 4\n\nLEEK-MINT SAUCE\n1 c  Rice\n2    Eggs\n\nStir.\n")
    assert {item.section for item in recipe.ingredients} == {"LEEK-MINT SAUCE"}


def test_times_are_no_section() -> None:
    rule = "MMMMM-------COOKING: (30 MIN--------"
    recipe = read(f"Title: T\nCategories: C\nYield: 1\n{rule}\n1 c  Rice\n2    Eggs\nCook it all in a pan.")
    assert [item.section for item in recipe.ingredients] == ["", ""]


def test_the_end_of_a_bracket_is_no_section() -> None:
    block = "1/2    Recipe leek base -- (See\nRECIPE)-\n1    Lemon"
    recipe = read(f"Title: T\nCategories: C\nYield: 1\n{block}\nCook it all in a wide pan until it is done.")
    assert [(item.section, item.name) for item in recipe.ingredients][1:] == [("", "Lemon")]
    assert recipe.ingredients[0].name.startswith("Recipe leek base -- (See RECIPE)")


@pytest.mark.parametrize(
    "rule",
    [
        *("***SAUCE***", "1 x  -----SAUCE-----", "SAUCE------", "--------SAUCE:----", "SAUCE:", "SAUCE: (for 2 pies)"),
        *("SAUCE*", "-SAUCE:", "-SAUCE:--", "SAUCE:\n=====", "SAUCE:\n-----"),
    ],
)
def test_headings_between_marks(rule: str) -> None:
    recipe = read(
        f"Title: T\nCategories: C\nYield: 1\n1 c  Rice\n{rule}\n2 c  Milk\n2    Eggs\nCook all this in a pan."
    )
    assert sections(recipe) == [("", ["Rice"]), ("SAUCE", ["Milk", "Eggs"])]


def test_a_line_of_marks_ends_a_section() -> None:
    recipe = read("Title: T\nYield: 1\nSAUCE:\n1 c  Rice\n=====\n2 c  Milk\n2    Eggs\nCook all this in a pan.")
    assert [item.section for item in recipe.ingredients] == ["SAUCE", "", ""]


def test_a_heading_with_a_colon_in_the_directions() -> None:
    block = "Title: T\nYield: 1\n1 c  Rice{}\nLeek Topping\n2 c  Milk\n2    Eggs\n"
    recipe = read(f"{block.format('')}Cook the rice in a pan. Leek Topping: Whip the milk.")
    assert [item.section for item in recipe.ingredients] == ["", "Leek Topping", "Leek Topping"]
    recipe = read(f"{block.format(' or')}Cook the rice in a pan. Leek Topping: Whip the milk.")
    assert [item.section for item in recipe.ingredients] == ["", "", ""]


def test_a_book_is_no_section() -> None:
    rule = "MMMMM------------------LEEK POT COOKBOOK------------------"
    recipe = read(f"Title: T\nYield: 1\n{rule}\n1 c  Rice\n2    Eggs\nCook all this in a pan.")
    assert [item.section for item in recipe.ingredients] == ["", ""]
