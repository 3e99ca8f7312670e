"""What other programs write into a block of ingredients: ranges, sums, far units, names cut within a word, headings."""

from __future__ import annotations

import pytest
from mealmaster_records import lines, read

FLAT = "Title: T\nCategories: C\nYield: 1\n"
COLUMNS = "      Title: T\n Categories: C\n      Yield: 1\n\n"
STEP = "Mix everything in a wide bowl and leave it to rest for an hour."


@pytest.mark.parametrize(
    ("line", "item"),
    [
        ("4 tb To 5 tbl sweet wine", ("4-5", "tb", "sweet wine")),
        ("1 tb To 1 1/2 tb olive oil", ("1-1 1/2", "tb", "olive oil")),
        ("1/3    To 1/2 cup sugar", ("1/3-1/2", "cup", "sugar")),
        ("8 tb To 12 T milk", ("8-12", "tb", "milk")),
        ("2 lb To 3 1/2 pounds leeks", ("2-3 1/2", "lb", "leeks")),
        ("6 ea To 8 thin leeks", ("6-8", "ea", "thin leeks")),
        ("1 lg Or 2 small leeks", ("1", "lg", "Or 2 small leeks")),
        ("3 c  To 5.1/2 cups milk", ("3", "c", "To 5.1/2 cups milk")),
        ("3 c  To 1/0 cups milk", ("3", "c", "To 1/0 cups milk")),
        ("3    To 2 cups milk", ("3", "", "To 2 cups milk")),
        ("1/4 c  Plus 2 ts oil", ("1/4 c plus 2", "ts", "oil")),
        ("1 c  + 2 tbsp. oil", ("1 c plus 2", "tbsp", "oil")),
        ("1    cup of oil", ("1", "cup", "oil")),
        ("1/4    Teaspoon(s) oil", ("1/4", "Teaspoon", "oil")),
        ("1    Lb.leeks", ("1", "Lb", "leeks")),
        ("1    1/2 cups of oil", ("1 1/2", "cups", "of oil")),
        ("1    1/2 inch piece of leek", ("1", "", "1/2 inch piece of leek")),
    ],
)
def test_amounts_of_two_parts_are_one(line: str, item: tuple[str, str, str]) -> None:
    found = read(f"{FLAT}{line}\n2    Eggs\n{STEP}").ingredients[0]
    assert (found.amount, found.unit, found.name) == item


def test_units_may_be_right_before_the_names() -> None:
    block = "      2    c Sweet butter\n    1/2    c Sugar\n      1    Egg yolk\n           -beaten\n      4 tb Honey\n"
    assert lines(read(f"{COLUMNS}{block}\n  {STEP}")) == [
        "2 c Sweet butter",
        "1/2 c Sugar",
        "1 Egg yolk beaten",
        "4 tb Honey",
    ]


def test_a_name_that_was_cut_within_a_word_is_whole() -> None:
    block = (
        "    1/2 lb boned smoked trout fillets b\n           - rined\n      1 c  oil, about\n           -  half a cup\n"
    )
    more = "      2    Leeks\n           - peeled\n"
    assert lines(read(f"{COLUMNS}{block}{more}\n  {STEP}")) == [
        "1/2 lb boned smoked trout fillets brined",
        "1 c oil, about half a cup",
        "2 Leeks peeled",
    ]


def test_a_known_word_that_was_cut_is_whole() -> None:
    block = "      1 cn beans, drained and rin\n           -sed\n      2 sm Onions, peeled & chop\n           -ped\n"
    assert lines(read(f"{COLUMNS}{block}\n  {STEP}")) == [
        "1 cn beans, drained and rinsed",
        "2 sm Onions, peeled & chopped",
    ]


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


def test_other_continuations_are_parted_by_a_blank() -> None:
    block = "      1 lg Ripe tomato\n           - peeled\n      1 c  Rice\n"
    assert lines(read(f"{COLUMNS}{block}\n  {STEP}")) == ["1 lg Ripe tomato peeled", "1 c Rice"]


def test_lower_case_names_below_short_ones_are_ingredients() -> None:
    block = "      1    Bottle of cava\n           plenty of orange juice\n           ice cubes\n      2    Oranges\n"
    assert lines(read(f"{COLUMNS}{block}\n  {STEP}")) == [
        "1 Bottle of cava",
        "plenty of orange juice",
        "ice cubes",
        "2 Oranges",
    ]


def test_capitals_head_a_section_only_above_amounts() -> None:
    block = ["           DOUGH--", "      1 c  Flour", "           FILLING", "      2    Eggs"]
    block += ["           PUFF PASTRY", "           EGG WASH"]
    found = read(f"{COLUMNS}{chr(10).join(block)}\n\n  {STEP}").ingredients
    assert [(item.name, item.section) for item in found] == [
        ("Flour", "DOUGH"),
        ("Eggs", "FILLING"),
        ("PUFF PASTRY", "FILLING"),
        ("EGG WASH", "FILLING"),
    ]


def test_work_behind_a_label_is_a_direction() -> None:
    found = read(f"{FLAT}1 c  Rice\n2    Eggs\nApprox. Cook Time: :09 Put\nrice and eggs in a wide bowl and stir them.")
    assert lines(found) == ["1 c Rice", "2 Eggs"]
    assert found.steps == ["Put rice and eggs in a wide bowl and stir them."]


def test_ingredients_side_by_side_are_two() -> None:
    block = "3 oz grated yellow cheese, softened 1 oz flour\n1/4 c  Rice, or 2 cups of barley, soaked over night\n"
    assert lines(read(f"{FLAT}{block}2    Eggs\n\n{STEP}")) == [
        "3 oz grated yellow cheese, softened",
        "1 oz flour",
        "1/4 c Rice, or 2 cups of barley, soaked over night",
        "2 Eggs",
    ]


def test_an_amount_in_a_bracket_is_no_other_ingredient() -> None:
    line = "2 cn Clams [minced, 6 1/2 oz each]"
    assert lines(read(f"{FLAT}{line}\n1    Leek\n\n{STEP}")) == [line, "1 Leek"]


def test_a_line_of_two_ingredients_is_in_its_block() -> None:
    line = "32 oz tomato sauce with garlic and herbs 16 oz beans can, (in sauce)"
    assert lines(read(f"{FLAT}15 oz lasagna noodles\n{line}\n\n{STEP}")) == [
        "15 oz lasagna noodles",
        "32 oz tomato sauce with garlic and herbs",
        "16 oz beans can, (in sauce)",
    ]


def test_an_or_with_hyphens_carries_on() -> None:
    assert lines(read(f"{FLAT}2 ts Fresh ginger\nOR-\n1 ts Ground ginger\n\n{STEP}")) == [
        "2 ts Fresh ginger or",
        "1 ts Ground ginger",
    ]


def test_an_amount_without_food_below_directions_is_text() -> None:
    table = "30 pounds (1 lug)\n53 pounds (1 bushel)"
    assert lines(read(f"{FLAT}3 lb Tomatoes\n1 ts Salt\n\n{STEP} {STEP}\n{table}\n")) == ["3 lb Tomatoes", "1 ts Salt"]


def test_a_marked_heading_behind_a_colon_is_no_continuation() -> None:
    block = "      2    leeks -- trimmed and\n:          washed\n:          *** Oat Filling ***\n      1 c  oats\n"
    recipe = read(f"{COLUMNS}{block}\n  {STEP}")
    assert [(item.section, item.name) for item in recipe.ingredients] == [
        ("", "leeks -- trimmed and washed"),
        ("Oat Filling", "oats"),
    ]
