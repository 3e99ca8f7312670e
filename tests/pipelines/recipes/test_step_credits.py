"""Credits, names and forms around the steps go, and the steps beside them stay."""

from __future__ import annotations

import pytest
from cases import cases

from pipelines.recipes.captions import TITLED
from pipelines.recipes.steps import clean_steps

STEP = "Melt the butter in a deep pot."


def test_directions_after_a_credit_stay() -> None:
    assert clean_steps([f"Recipe by: Ada Example, Leek Council {STEP} Stir well."]) == [f"{STEP} Stir well."]
    assert clean_steps(["Preparation Time: 0:30 In blender, mix milk and corn."]) == ["In blender, mix milk and corn."]
    assert clean_steps(["Recipe by: Leek Journal Peel, core and cut 2 apples."]) == ["Peel, core and cut 2 apples."]
    assert clean_steps(["PER SERVING: 187 cal., 3g Pro. In a small bowl, mix."]) == ["In a small bowl, mix."]
    for work in ("Place 1/4 cup of leeks in a pot.", "Boil chicken, onion and salt.", "Add flour; mix."):
        assert clean_steps([f"Contributed to the echo by: Ada Example LEEK BAKE {work}"]) == [work]
    assert clean_steps(["Typed by Ada Example. Cook, stirring often."]) == ["Cook, stirring often."]


def test_people_who_sign_with_their_town_are_no_step() -> None:
    assert clean_steps([STEP, "~ Nancy Example, Springfield, California."]) == [STEP]
    assert clean_steps([STEP, "Serve with bread. Source: Nancy Example."]) == [STEP, "Serve with bread."]


def test_a_name_without_a_full_stop_at_the_end_is_no_step() -> None:
    assert clean_steps([f"{STEP} Skim. The Leek Household"]) == [f"{STEP} Skim."]
    assert clean_steps([f"{STEP} TO SERVE: Leeks, Onions"]) == [f"{STEP} TO SERVE: Leeks, Onions"]
    assert clean_steps([f"{STEP} The Leek And Bean Book"]) == [STEP]
    assert clean_steps([f"{STEP} Proceed as told in Leek Dough"]) == [f"{STEP} Proceed as told in Leek Dough"]
    assert clean_steps(["SLICE IT THIN. SALT IT WELL"]) == ["SLICE IT THIN. SALT IT WELL"]


def test_a_credit_ends_where_work_begins() -> None:
    assert clean_steps(["Serves:4 Serve it cold."]) == ["Serve it cold."]
    work = "Leeks go into the oven for 5 minutes."
    assert clean_steps([f"Source: Ada Example. Springfield. {work}"]) == [work]
    assert clean_steps(["Cook Time: 100 Wash the Fat grams per serving: leeks well."]) == ["Wash the leeks well."]


@pytest.mark.parametrize(
    "credit",
    [
        "Gary W. DNN79C",
        "Gary W. (DNN79C)",
        "Ada E. XBRG76A:",
        "Here's one I found in Leek Magazine:",
        "I found this in the Leek and Bean Magazine:",
        "Here is a recipe from the Leek Digest -",
        "From the kitchen of Ada Example:",
    ],
)
@pytest.mark.parametrize(
    "step",
    [
        STEP,
        "Leeks go into the pot with butter.",
        "Soften leeks until golden.",
        "Wash and dry them.",
        "Oil a pan. Fry it.",
        "Cut bread into cubes.",
        "Brown meat in oil.",
    ],
)
def test_the_step_behind_a_credit_stays(credit: str, step: str) -> None:
    assert clean_steps([f"{credit} {step}"]) == [step]
    assert clean_steps([credit, step]) == [step]
    assert clean_steps([f"Stir it well. {credit} {step}"]) == [f"Stir it well. {step}"]


def test_what_a_credit_or_a_form_brings_along_stays() -> None:
    for work in ("Into a wide bowl sift the flour and salt.", "You may substitute rice for the leeks. It dries well."):
        assert clean_steps([f"{STEP} Typed by: Ada Example. {work}"]) == [f"{STEP} {work}"]
    assert clean_steps(["Look here: Per serving (two cups): 1 Bread, 1 Fruit. " + STEP]) == [STEP]
    for form in (
        "Cooking time: 45 minutes Oven temperature: 180 C",
        "Oven temperature: 180 C Cooking time: 45 minutes",
        "Comment: It is a good dish. It can be made ahead.",
    ):
        assert clean_steps([form, STEP]) == [form.partition("dish. ")[2] or form, STEP]
    assert clean_steps([STEP, "Leek Rolls Serving Size :"]) == [STEP]
    footnote = "** the old one was a No 2 can, in 1952 18 ounces"
    assert clean_steps([f"{STEP} {footnote}"]) == [f"{STEP} {footnote}"]
    assert clean_steps([STEP, "Example and Example (1990), Leek Dishes of the Coast."]) == [STEP]


@pytest.mark.parametrize("credit", ["Posted by: Ada Example. Leek Filling", "Prep time: 1 hour The leeks are. LAYER:"])
def test_work_behind_a_credit_stays(credit: str) -> None:
    (step,) = clean_steps([f"{credit} Peel and slice the leeks with care. {STEP}"])
    assert step.removeprefix("LAYER: ") == f"Peel and slice the leeks with care. {STEP}"


@pytest.mark.parametrize(
    "credit",
    ["per Ada Example, Leek Sig", "Ada in NJ", "from: _Leeks_", "10 % Fat", '"Leeks" from the Springfield News 1986'],
)
def test_credits_behind_a_step_go(credit: str) -> None:
    assert clean_steps([f"{STEP} {credit}"]) == [STEP]


def test_initials_end_no_sentence() -> None:
    assert clean_steps([f"{STEP} Nancy D. Example, Springfield, MN."]) == [STEP]
    assert clean_steps([f"{STEP} Bake at 350 F. Stir."]) == [f"{STEP} Bake at 350 F. Stir."]


@cases
def test_credits_and_forms_are_no_steps(form: str) -> None:
    assert clean_steps([STEP, form]) == [STEP]


def test_a_stray_name_in_capitals_goes() -> None:
    assert clean_steps(["ADA EXAMPLE", STEP]) == [STEP]
    assert clean_steps(["BUTTER LEEKS", STEP]) == ["BUTTER LEEKS", STEP]
    assert clean_steps([STEP, "From one of the cooks of the Leek Inn"]) == [STEP]


def test_a_short_command_behind_a_credit_stays() -> None:
    assert clean_steps([f"Contributed by: Ada Example, LEEK BAKE #1 Wash leeks. {STEP}"]) == [f"Wash leeks. {STEP}"]


def test_a_credit_ends_at_the_first_number_of_the_steps() -> None:
    steps = ["Recipe by: Ada Example, Leek Institute, U 1. With a fork, crush the leeks", "2. Melt the butter."]
    assert clean_steps(steps) == ["With a fork, crush the leeks", "Melt the butter."]


def test_a_useful_sentence_may_name_its_sender() -> None:
    text = f"{STEP} Another way, submitted by Ada Example, calls for 2 eggs and a cup of leeks."
    assert clean_steps([text]) == [text]


def test_the_card_of_a_news_group_may_advise() -> None:
    advice = "Measure the ingredients, except for the sugar, which you can adjust to taste."
    assert clean_steps([f"{STEP} Precision: {advice}"]) == [f"{STEP} {advice}"]


def test_a_name_in_brackets_before_a_step_goes() -> None:
    assert clean_steps(["(By Leek Food Cooks) Mix the leeks in a bowl."]) == ["Mix the leeks in a bowl."]


def test_advice_among_nutrients_stays() -> None:
    assert clean_steps([STEP, "Nutrients: calories 334, fat 12 grams. (To lower sodium, use fewer leeks.)"]) == [
        STEP,
        "(To lower sodium, use fewer leeks.)",
    ]


@cases
def test_steps_like_credits_and_numbers_stay(step: str) -> None:
    assert clean_steps([STEP, step]) == [STEP, step]


@cases
def test_files_and_magazines_are_credits(tail: str) -> None:
    assert clean_steps([f"{STEP} {tail}"]) == [STEP]


@cases
def test_a_brand_behind_a_measure_is_no_person(step: str) -> None:
    assert clean_steps([STEP, step]) == [STEP, step]


def test_a_name_in_capitals_within_a_story_takes_no_time() -> None:
    assert TITLED.match(f"Mrs. {'A' * 99}, SPRINGFIELD won a prize.") is None


def test_a_food_that_a_verb_may_describe_is_cooked_before() -> None:
    work = "Brown meat; add onion and saute well. Add the tomato sauce."
    assert clean_steps([f"Recipe by: Wayne Preston Allen {work}"]) == [work]
