"""Meal-Master's rarer ways: breaks and continuations behind a colon, commands and nutrients typed as ingredients."""

from __future__ import annotations

import pytest
from cases import cases
from dumps import recipe as record
from mealmaster_records import lines, names_of, read, sections

from pipelines.recipes.examples import prepare
from pipelines.recipes.steps import clean_steps

FLAT = "Title: T\nCategories: C\nYield: 1\n"
COLUMNS = "      Title: T\n Categories: C\n      Yield: 1\n\n"
STEP = "Mix everything in a wide bowl and leave it to rest for an hour."


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        (
            ": Warm the glue.\n: Stir in\n  the sand.\n:Let it dry.",
            ["Warm the glue.", "Stir in the sand.", "Let it dry."],
        ),
        ("Warm the glue until it\n:  runs off the spoon.", ["Warm the glue until it runs off the spoon."]),
        ("Warm the glue.\n:\nStir in the sand.", ["Warm the glue. Stir in the sand."]),
        ("Warm the glue.\n\n: Ada Example\nRecipe By", ["Warm the glue."]),
        ("Warm the glue.\n\nRecipe By\n: Ada Example", ["Warm the glue."]),
        ("Warm the glue.\n: Precision: no need to measure.\n: Time: an hour.", ["Warm the glue."]),
    ],
)
@pytest.mark.parametrize("begin", [FLAT + "1 c  Glue\n2 c  Sand\n\n", COLUMNS + "      1 c  Glue\n      2 c  Sand\n\n"])
def test_a_colon_begins_the_line_that_its_author_broke(begin: str, text: str, steps: list[str]) -> None:
    assert clean_steps(read(begin + text).steps) == steps


@cases
def test_a_colon_that_stands_off_continues_an_ingredient(block: str, items: list[str]) -> None:
    found = read(block + STEP)
    assert lines(found) == items
    assert found.steps == [STEP]


@pytest.mark.parametrize("command", ["Preheat oven to 350", "Grease a deep pan", "Bake at 350 F", "Boil 10 minutes"])
@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_command_in_the_block_is_a_step(command: str, place: int) -> None:
    block = ["2 c  Finely chopped green leeks", "1 c  Rice", "2    Eggs"]
    block.insert(place, command)
    found = read(FLAT + "\n".join(block) + f"\n{STEP}")
    assert lines(found) == ["2 c Finely chopped green leeks", "1 c Rice", "2 Eggs"]
    assert found.steps == [command, STEP]


@pytest.mark.parametrize("food", ["Bread crumbs for the pan", "Grilled leeks", "Roast beef", "Pan of Rice Pudding"])
def test_food_named_like_a_command_is_none(food: str) -> None:
    assert food in lines(read(f"{FLAT}1 c  Rice\n{food}\n2    Eggs\n{STEP}"))


@pytest.mark.parametrize(
    "content",
    ["20 mg cholesterol", "120 calories", "3.5 g  Protein", "<1 g  Saturated fat", "16 x  Calories per serving"],
)
def test_nutrition_facts_are_no_ingredients(content: str) -> None:
    assert lines(read(f"{FLAT}1 c  Rice\n{content}\n2    Eggs\n{STEP}")) == ["1 c Rice", "2 Eggs"]


def test_nutrients_that_are_food_are_ingredients() -> None:
    block = "20 g  Protein powder\n100 g  Fat\n1 c  Fiber cereal"
    assert len(lines(read(f"{FLAT}{block}\n{STEP}"))) == 3


@pytest.mark.parametrize("begin", [FLAT, COLUMNS, COLUMNS.rstrip("\n") + "\n"])
@pytest.mark.parametrize("indent", ["", "  ", " " * 11])
@pytest.mark.parametrize("gap", ["", "\n"])
def test_four_names_without_amounts_are_ingredients(begin: str, indent: str, gap: str) -> None:
    names = ["Leeks", "Vinegar", "Olive oil", "Pepper"]
    block = "".join(f"{indent}{name}\n" for name in names)
    found = read(f"{begin}{block}{gap}  Cook the leeks in the oil, then season them.")
    assert lines(found) == names
    assert found.steps == ["Cook the leeks in the oil, then season them."]


def test_a_line_above_a_text_is_no_ingredient() -> None:
    found = read(f"{FLAT}1 c  Rice\n2    Eggs\n\nAbout Rice\n\n{STEP}")
    assert lines(found) == ["1 c Rice", "2 Eggs"]


def test_a_seasoning_at_the_margin_is_an_ingredient() -> None:
    found = read(f"{COLUMNS}      1 c  Rice\n      2    Eggs\n\n  salt, mint and sharp red pepper to taste\n\n  {STEP}")
    assert lines(found) == ["1 c Rice", "2 Eggs", "salt, mint and sharp red pepper to taste"]
    assert found.steps == [STEP]


@cases
def test_a_book_above_the_block_is_no_section(heading: str, section: str) -> None:
    found = read(f"{FLAT}MMMMM-----{heading}-----\n1 c  Rice\n2    Eggs\n1 lb Leeks\n\n{STEP}")
    assert {item.section for item in found.ingredients} == {section}


def test_two_short_sentences_are_a_recipe() -> None:
    text = record("Leek Dip", ["1|c|Leeks", "1|c|Cream"], "Combine all ingredients. Cover and chill.")
    example = prepare(read(text.replace("\r", "").partition("\n")[2]))
    assert example.surface == "Combine all ingredients . Cover and chill ."


@cases
def test_lines_without_a_dash(block: str, names: list[str]) -> None:
    assert names_of(read(f"{FLAT}{block}\n{STEP}")) == names


@pytest.mark.parametrize("heading", ["Filling", "For the sauce", "1 x  --Leek cream--"])
def test_headings_in_small_letters(heading: str) -> None:
    found = read(f"{FLAT}1 c  Rice\n{heading}\n2    Eggs\n{STEP}")
    assert sections(found) == [("", ["Rice"]), (heading.removeprefix("1 x  ").strip("-"), ["Eggs"])]


def test_marks_after_a_yield() -> None:
    assert read(f"Title: T\nYield: 16 ------\n1 c  Rice\n{STEP}").recipe_yield == "16"


@cases
def test_ranges_and_alternatives(block: str, items: list[str]) -> None:
    assert lines(read(f"{FLAT}{block}\n{STEP}")) == items


@cases
def test_what_is_cut_and_what_goes_on(block: str, items: int) -> None:
    assert len(read(f"{FLAT}{block}\n{STEP}").ingredients) == items


@cases
def test_foods_between_blank_lines_are_ingredients(foods: str, names: list[str]) -> None:
    block = "      2    Leeks\n      1 c  Rice"
    recipe = read(
        f"  Title: T\n  Yield: 1\n\n{block}\n\n  {foods}\n\n  Cook the leeks in a wide pan, then serve them with leek"
        " cream sauce, leektoast,\n  chives and a caper. It takes an hour to get them as soft as they are in the south."
    )
    assert names_of(recipe) == ["Leeks", "Rice", *names]


def test_a_heading_with_two_hyphens_needs_no_amount_below() -> None:
    recipe = read(f"{FLAT}1 c  Rice\nSalt\nGarnish--\nMint leaves, if desired\n{STEP}")
    assert [(one.name, one.section) for one in recipe.ingredients][-1] == ("Mint leaves, if desired", "Garnish")


def test_salt_to_taste_closes_the_block() -> None:
    found = read(f"{FLAT}1 c  Rice\nSalt & pepper to taste\n\n{STEP}")
    assert lines(found) == ["1 c Rice", "Salt & pepper to taste"]
    assert found.steps == [STEP]


def test_continuations_in_running_text_lose_their_dash() -> None:
    text = "1 lb leeks (white and -green parts) 2 c rice 3 eggs (large) Stir all in a wide bowl."
    assert lines(read(FLAT.rstrip() + f" serving  {text}")) == [
        "1 lb leeks (white and green parts)",
        "2 c rice",
        "3 eggs (large)",
    ]


def test_a_smiley_breaks_no_line() -> None:
    found = read(f"{FLAT}1 c  Rice\n2    Eggs\n\n{STEP} Tell me about it\n:-) or stir on.")
    assert found.steps == [f"{STEP} Tell me about it :-) or stir on."]


def test_numbers_of_steps_within_a_sentence_begin_it() -> None:
    recipe = read(
        FLAT + "1 c  Rice\n2    Eggs\n1)\nBoil the rice in the water until it is soft, and drain\n2)\nit well..."
    )
    assert names_of(recipe) == ["Rice", "Eggs"]
    assert clean_steps(recipe.steps) == ["2) Boil the rice in the water until it is soft, and drain it well..."]


def test_a_number_that_closes_a_bracket_is_no_steps() -> None:
    recipe = read(
        FLAT + "1 c  Rice\n2    Eggs\n\nBoil the rice in the water until it is done. (For about\n12) Serve it."
    )
    assert recipe.steps == ["Boil the rice in the water until it is done. (For about 12) Serve it."]
