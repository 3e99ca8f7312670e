"""What other programs write into a block of ingredients: ranges, sums, far units, names cut within a word, headings."""

from __future__ import annotations

from cases import cases
from mealmaster_records import lines, read, sections

FLAT = "Title: T\nCategories: C\nYield: 1\n"
COLUMNS = "      Title: T\n Categories: C\n      Yield: 1\n\n"
STEP = "Mix everything in a wide bowl and leave it to rest for an hour."


@cases
def test_amounts_of_two_parts_are_one(line: str, item: list[str]) -> None:
    found = read(f"{FLAT}{line}\n2    Eggs\n{STEP}").ingredients[0]
    assert [found.amount, found.unit, found.name] == item


@cases
def test_ingredients_in_columns(block: str, ingredients: list[str]) -> None:
    assert lines(read(f"{COLUMNS}{block}\n\n  {STEP}")) == ingredients


@cases
def test_ingredients_without_columns(block: str, ingredients: list[str]) -> None:
    assert lines(read(f"{FLAT}{block}\n\n{STEP}")) == ingredients


def test_titles_at_the_margin_with_fields_of_an_app() -> None:
    fields = "Title: Pear Crumble\nCategories: dessert\nYield: 8 servings\nContributor: Ada Example\nTags:\n\n"
    block = (
        "           PEAR LAYER---\n      8 c  pears;peeled\n      6 sp fresh thyme ;plus a\n           -  little more\n"
        "           CRUMBLE--\n  1 1/2 st butter\n    3/4 c  oats\n           vegetable oil\n"
    )
    recipe = read(f"{fields}{block}\n{STEP}\n")
    assert [(item.section, line) for item, line in zip(recipe.ingredients, lines(recipe), strict=True)] == [
        ("PEAR LAYER", "8 c pears;peeled"),
        ("PEAR LAYER", "6 sp fresh thyme ;plus a little more"),
        ("CRUMBLE", "1 1/2 st butter"),
        ("CRUMBLE", "3/4 c oats"),
        ("CRUMBLE", "vegetable oil"),
    ]
    assert (recipe.steps, recipe.recipe_yield) == ([STEP], "8 servings")


def test_capitals_head_a_section_only_above_amounts() -> None:
    block = ["           DOUGH--", "      1 c  Flour", "           FILLING", "      2    Eggs"]
    block += ["           PUFF PASTRY", "           EGG WASH"]
    found = read(f"{COLUMNS}{chr(10).join(block)}\n\n  {STEP}")
    assert sections(found) == [("DOUGH", ["Flour"]), ("FILLING", ["Eggs", "PUFF PASTRY", "EGG WASH"])]


def test_work_behind_a_label_is_a_direction() -> None:
    found = read(f"{FLAT}1 c  Rice\n2    Eggs\nApprox. Cook Time: :09 Put\nrice and eggs in a wide bowl and stir them.")
    assert lines(found) == ["1 c Rice", "2 Eggs"]
    assert found.steps == ["Put rice and eggs in a wide bowl and stir them."]


def test_an_amount_without_food_below_directions_is_text() -> None:
    table = "30 pounds (1 lug)\n53 pounds (1 bushel)"
    assert lines(read(f"{FLAT}3 lb Tomatoes\n1 ts Salt\n\n{STEP} {STEP}\n{table}\n")) == ["3 lb Tomatoes", "1 ts Salt"]


def test_a_marked_heading_behind_a_colon_is_no_continuation() -> None:
    block = "      2    leeks -- trimmed and\n:          washed\n:          *** Oat Filling ***\n      1 c  oats\n"
    recipe = read(f"{COLUMNS}{block}\n  {STEP}")
    assert sections(recipe) == [("", ["leeks -- trimmed and washed"]), ("Oat Filling", ["oats"])]
