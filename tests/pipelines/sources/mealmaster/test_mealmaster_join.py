"""Which lines of a flattened ingredient block carry on the one before, and which stand for themselves."""

from __future__ import annotations

import pytest
from cases import cases
from mealmaster_records import lines, names_of, read, sections


@cases
def test_lines_without_amount_carry_on_or_stand_for_themselves(block: str, names: list[str]) -> None:
    recipe = read(
        f"Title: T\nCategories: C\nYield: 1\n{block}\nCook everything in a wide pan until it is done, then serve."
    )
    assert names_of(recipe) == names


def test_what_a_serving_holds_is_no_ingredient() -> None:
    block = "1 c  Rice\n-----PER SERVING-----\n16 x  Calories (24% from fat)\n17 g  Protein\n-----SAUCE-----\n2    Eggs"
    recipe = read(f"Title: T\nCategories: C\nYield: 1\n{block}\n\nCook it all.")
    assert sections(recipe) == [("", ["Rice"]), ("SAUCE", ["Eggs"])]


def test_a_decimal_keeps_its_point() -> None:
    recipe = read("Title: T\nCategories: C\nYield: 1\n1 pk .70 ounce dry leeks\n2    Eggs\n\nCook it all.")
    assert recipe.ingredients[0].name == ".70 ounce dry leeks"


def test_amounts_typed_without_columns() -> None:
    recipe = read(
        'Title: T\nCategories: C\nYield: 1\n2 c  Rice\n2 cups flour\n3 lbs. beef\n1 stick butter\n9" pie crust\n'
        "Cook everything in a wide pan until it is done, then serve."
    )
    assert [(item.amount, item.unit, item.name) for item in recipe.ingredients] == [
        ("2", "c", "Rice"),
        ("2", "cups", "flour"),
        ("3", "lbs", "beef"),
        ("1", "stick", "butter"),
        ("", "", '9" pie crust'),
    ]


def test_the_two_parts_of_an_amount_are_one() -> None:
    recipe = read("Title: Leeks\nYield: 4\n\n1 tb PLUS\n1 ts Salt\n2    - 3 c Rice\n1    - 10 oz can Leeks\n\nStir.\n")
    assert lines(recipe) == ["1 tb plus 1 ts Salt", "2-3 c Rice", "1 10 oz can Leeks"]


@pytest.mark.parametrize("end", ["Sparingly", "Again", "Quite thin", "Is correct"])
def test_a_line_that_can_name_no_food_goes_on(end: str) -> None:
    recipe = read(f"Title: Leeks\nYield: 1\n\n1    Leek; drained, rinsed very\n{end}\n2 c  Rice\n\nStir.\n")
    assert names_of(recipe) == [f"Leek; drained, rinsed very {end}", "Rice"]


@cases
def test_lines_go_on_or_name_another_food(block: str, names: list[str]) -> None:
    recipe = read(f"Title: Leeks\nYield: 1\n\n{block}\n\nStir.\n")
    assert names_of(recipe) == names


def test_a_second_column_after_a_long_name_stays_there() -> None:
    block = [
        "    2/3 c  Butter                            1/4 t  Mint",
        "      3 ea (8 oz) cans minced leeks drained    1 x  Pepper to taste",
        "    1/3 c  Chives                              1 lb Noodles",
    ]
    recipe = read("Title: Leeks\nYield: 4\n\n" + "\n".join(block) + "\n\n  Stir.\n")
    names = ["Butter", "(8 oz) cans minced leeks drained", "Chives", "Mint", "Pepper to taste", "Noodles"]
    assert names_of(recipe) == names
