"""A block of ingredients ends by the evidence of all lines: one that is off its columns ends nothing."""

from __future__ import annotations

import pytest
from mealmaster_records import lines, read, sections

FIELDS = "      Title: Fish Stew\n Categories: Stews\n      Yield: 4 Servings\n\n"
STEP = "Cook everything in a large pot for an hour, season it well and serve it."
BLOCK = ["      2 lb Cod", "      1    Lemon", "      1 c  Stock", "      1 ts Salt"]
NAMES = ["2 lb Cod", "1 Lemon", "1 c Stock", "1 ts Salt"]


def record(block: list[str], fields: str = FIELDS) -> str:
    return f"{fields}{chr(10).join(block)}\n\n  {STEP}\n"


@pytest.mark.parametrize("place", range(5))
@pytest.mark.parametrize(
    ("line", "item"),
    [
        ("    4-6 oz Olive oil", "4-6 oz Olive oil"),
        (" 4 to 6    Onions", "4 to 6 Onions"),
        ("     1/2 c  Rice", "1/2 c Rice"),
        ("    1+ c   Rice", "1+ c Rice"),
        ("     ~2 c  Rice", "~2 c Rice"),
        ("      3 tbs Olive oil", "3 tbs Olive oil"),
        ("      1 cn  Black beans", "1 cn Black beans"),
        ("       1 lb Leeks", "1 lb Leeks"),
        ("     2  c Biscuit mix", "2 c Biscuit mix"),
        ("      4 cv Garlic", "4 cv Garlic"),
        (
            "      1 c  Walnuts; toasted and chopped by hand with care",
            "1 c Walnuts; toasted and chopped by hand with care",
        ),
        ("           Cooked peas", "Cooked peas"),
    ],
)
def test_a_line_off_its_columns_ends_no_block(line: str, item: str, place: int) -> None:
    found = read(record([*BLOCK[:place], line, *BLOCK[place:]]))
    assert lines(found) == [*NAMES[:place], item, *NAMES[place:]]
    assert found.steps == [STEP]


@pytest.mark.parametrize(
    "block",
    [
        ["     2 lb Cod", "     1    Lemon", "     1  c Stock", "     1 ts Salt"],
        ["    2 lb Cod", "    1    Lemon", "    1 c  Stock", "    1 ts Salt"],
        ["        2 lb Cod", "        1    Lemon", "        1 c  Stock", "        1 ts Salt"],
    ],
)
@pytest.mark.parametrize("fields", [FIELDS, "Title: Fish Stew\nCategories: Stews\nYield: 4\n\n"])
def test_a_record_has_its_own_columns(block: list[str], fields: str) -> None:
    found = read(record(block, fields))
    assert (lines(found), found.steps) == (NAMES, [STEP])


def test_a_second_column_may_hold_ranges_and_names() -> None:
    found = read(
        record(
            [
                "      4    Tomatoes                          2-3 tb Olive oil",
                "      1 c  Rice                                1 ts Salt",
                "           -cooked                                  Parsley",
            ]
        )
    )
    assert lines(found) == ["4 Tomatoes", "1 c Rice cooked", "2-3 tb Olive oil", "1 ts Salt", "Parsley"]


def test_a_number_in_a_name_is_no_second_column() -> None:
    line = "     1 tb minced garlic cloves (from 6 to 8 medium cloves)"
    found = read(record(["     2 lb Cod", "     1    Lemon", line]))
    assert lines(found)[2] == "1 tb minced garlic cloves (from 6 to 8 medium cloves)"


@pytest.mark.parametrize(
    ("block", "items"),
    [
        (["      1 c  Ripe bananas (about", "           3 small)"], ["1 c Ripe bananas (about 3 small)"]),
        (
            ["    1/4 ts Soda, dissolved in", "           2 teaspoons water"],
            ["1/4 ts Soda, dissolved in 2 teaspoons water"],
        ),
        (["      2 lb Plums", "  :          pitted and", "  :          halved"], ["2 lb Plums pitted and halved"]),
    ],
)
def test_what_carries_on_a_name_may_be_off_the_amounts(block: list[str], items: list[str]) -> None:
    assert lines(read(record([*BLOCK, *block]))) == [*NAMES, *items]


def test_a_wrapped_field_is_no_ingredient() -> None:
    fields = (
        "      Title: Grandmother's Slow Sunday Beef with\n             Carrots and Turnips\n"
        " Categories: Main dish, Beef,\n             Sunday\n      Yield: 4-6 servings\n"
        "  Prep Time: 0:20\n     Source: The Example Book\nContributor: Ada Example\n\n"
    )
    found = read(record(BLOCK, fields))
    assert found.title == "Grandmother's Slow Sunday Beef with Carrots and Turnips"
    assert (found.categories, found.recipe_yield) == (["Main dish", "Beef", "Sunday"], "4-6 servings")
    assert (lines(found), found.steps) == (NAMES, [STEP])


def test_the_second_half_of_a_title_may_be_above_it() -> None:
    assert read("(Leek Soup)\nTitle: Prassosoupa\nYield: 4\n1 c  Leeks\nCook them.").title == "Prassosoupa (Leek Soup)"


def test_a_rule_between_ingredients_and_one_in_directions() -> None:
    found = read(
        f"{FIELDS}{BLOCK[0]}\n\n-----SAUCE-----\n{BLOCK[2]}\n\n  {STEP}\n   MMMMM-----NOTES-----\n  Eat it hot.\n"
    )
    assert sections(found) == [("", ["Cod"]), ("SAUCE", ["Stock"])]
    assert found.steps == [STEP, "Eat it hot."]


def test_ingredients_below_directions_are_ingredients() -> None:
    flat = "Title: T\nYield: 1\n1 c  Rice\n2    Eggs\n"
    second = "1 cup cream\n2 tablespoons flour\n1 teaspoon salt"
    found = read(f"{flat}\n{STEP} For the sauce:\n\n{second}\n\n{STEP}")
    assert lines(found) == ["1 c Rice", "2 Eggs", *second.split("\n")]
    assert found.steps == [f"{STEP} For the sauce:", STEP]


@pytest.mark.parametrize(
    "line", ["2 minutes before serving stir in the oil.", "1 cup of this is enough for two.", "12 g fat", "350 F."]
)
def test_a_number_in_directions_is_no_ingredient(line: str) -> None:
    found = read(f"Title: T\nYield: 1\n1 c  Rice\n2    Eggs\n\n{STEP}\n{line}\n{STEP}")
    assert lines(found) == ["1 c Rice", "2 Eggs"]


def test_headings_listed_below_the_block_are_put_at_their_marks() -> None:
    block = "-\n1 c  Flour\n-\n2 c  Cream\n1 c  Sugar\nDOUGH:-----\nFILLING-----"
    found = read(f"Title: T\nYield: 1\n{block}\n\n{STEP}")
    assert sections(found) == [("DOUGH", ["Flour"]), ("FILLING", ["Cream", "Sugar"])]


def test_one_line_without_an_amount_is_a_remark() -> None:
    text = "Ingredients: 1 can leek soup 2 cups milk 3 lbs leeks 1 tsp salt Stir all of it in a pot."
    assert len(read(f"Title: T\nYield: 1\nADA OF THE LEEKS\n\n{text}").ingredients) == 4
    directly = text.removeprefix("Ingredients: ")
    assert len(read(f"Title: T\nYield: 1\nADA OF THE SOUPS\n{directly}").ingredients) == 4


@pytest.mark.parametrize("food", ["Canned or fresh soup leeks", "Leeks (not too ripe)", "Salt and pepper to taste"])
def test_one_line_with_a_food_of_the_directions_is_none(food: str) -> None:
    recipe = read(f"Title: T\nYield: 1\n{food}\nDrain all of the leeks, and boil them until they are soft.\n")
    assert lines(recipe) == [food]


@pytest.mark.parametrize(
    ("line", "item"),
    [
        ("    * 2 c  Cream", "2 c *Cream"),
        ("    # 2 c  Cream", "2 c #Cream"),
        ("*     2 c  Cream", "2 c *Cream"),
        ("* 2 c Cream", "2 c *Cream"),
        ("    * 2    Figs", "2 *Figs"),
        ("    (2) c  Cream", "2 c Cream"),
        ("(1/2) c Cream", "1/2 c Cream"),
        ("     [2] c  Cream", "2 c Cream"),
        ("    (2)    Figs", "2 Figs"),
    ],
)
@pytest.mark.parametrize("place", [0, 2, 4])
def test_an_amount_may_have_a_mark(line: str, item: str, place: int) -> None:
    found = read(record([*BLOCK[:place], line, *BLOCK[place:]]))
    assert lines(found) == [*NAMES[:place], item, *NAMES[place:]]
    assert found.steps == [STEP]


@pytest.mark.parametrize("mark", ["*", "#"])
def test_a_mark_begins_a_footnote_where_a_name_has_one(mark: str) -> None:
    found = read(record([*BLOCK[:-1], f"      3 c  Leeks {mark}", "", f"  {mark} 2 lb before they are cut"]))
    assert lines(found) == [*NAMES[:-1], f"3 c Leeks {mark}"]
    assert found.steps == [f"{mark} 2 lb before they are cut", STEP]
