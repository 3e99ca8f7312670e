"""What tells nobody what to do goes; the written form of the rest stays."""

from __future__ import annotations

from cases import cases

from pipelines.recipes.steps import clean_steps

STEP = "Melt the butter in a deep pot."


@cases
def test_what_is_no_step_goes(tail: str) -> None:
    assert clean_steps([STEP, tail]) == [STEP]
    assert clean_steps([f"{STEP} {tail}"]) == [STEP]


@cases
def test_steps_keep_their_written_form(step: str) -> None:
    assert clean_steps([f"  {step.replace(' ', '  ')} "]) == [step]


def test_what_a_cook_does_herself_is_a_step() -> None:
    assert clean_steps([STEP, "I usually add leeks to it. I got them from my aunt."]) == [
        STEP,
        "I usually add leeks to it.",
    ]


def test_titles_with_a_colon_go_whole() -> None:
    assert clean_steps([STEP, "From The Great Leek Cookbook: Recipes of Three Valleys"]) == [STEP]


def test_a_yield_glued_to_a_sentence_goes() -> None:
    assert clean_steps(["Stir it well.Makes 4 pots."]) == ["Stir it well."]


def test_label_before_the_first_step_goes() -> None:
    assert clean_steps(["Directions: " + STEP]) == [STEP]
    assert clean_steps(["DIRECTIONS ---------- " + STEP]) == [STEP]
    assert clean_steps([STEP, "Variations.", "Use beans."]) == [STEP, "Use beans."]


def test_headings_of_parts_are_above_their_step() -> None:
    assert clean_steps([STEP, "*** LEEK SAUCE ***", "Stir well."]) == [STEP, "LEEK SAUCE: Stir well."]
    assert clean_steps([STEP, "Leek Sauce", "Leek Sauce: Stir well."]) == [STEP, "Leek Sauce: Stir well."]
    assert clean_steps([STEP, "LEEK SAUCE"]) == [STEP, "LEEK SAUCE"]
    assert clean_steps([STEP, "Freezer Version", STEP]) == [STEP, f"Freezer Version: {STEP}"]
    for caption in ("Nancy Example", "PROCEDURE"):
        assert clean_steps([STEP, caption, STEP]) == clean_steps([STEP, STEP])
    assert clean_steps(["4. form into balls."]) == ["form into balls."]


def test_nothing_left() -> None:
    assert clean_steps([]) == clean_steps(["", "***", "Serves 4."]) == []


@cases
def test_a_yield_of_two_things_is_one_note(note: str) -> None:
    assert clean_steps([STEP, note]) == clean_steps([f"{STEP} {note}"]) == [STEP]


def test_headings_stand_above_what_they_head() -> None:
    assert clean_steps([f"{STEP} Filling:", "Chop the leeks."]) == [STEP, "Filling: Chop the leeks."]
    assert clean_steps([f"{STEP} Directions:", "Chop the leeks."]) == [STEP, "Chop the leeks."]
    assert clean_steps([f"{STEP} Source:", "Chop the leeks."]) == [STEP, "Chop the leeks."]


@cases
def test_step_numbers_in_running_text_go(numbered: str, plain: str) -> None:
    assert clean_steps([numbered]) == [plain]


def test_a_heading_alone_stands_before_what_it_heads() -> None:
    assert clean_steps(["CRUST:", STEP, "Filling:", STEP]) == [f"CRUST: {STEP}", f"Filling: {STEP}"]
    assert clean_steps([STEP, "Ada's notes:", STEP]) == [STEP, "Ada's notes", STEP]


def test_a_quoted_title_below_the_last_step_goes() -> None:
    assert clean_steps([STEP, '"Feasts with Leeks"']) == [STEP]


def test_a_dated_favorite_is_no_step() -> None:
    for credit in ("a 1968 Leek Mag. favorite.", "a Leek Mag 1968 favorite."):
        assert clean_steps([f"{STEP} {credit}"]) == [STEP]
    assert clean_steps(["Serve with a 1968 wine."]) == ["Serve with a 1968 wine."]
    credit = "From the Leek Book by A. Example. Taking The Heat off Leeks by B. Example, June 4, 1997, Food section."
    assert clean_steps([STEP, credit]) == [STEP]


def test_a_third_note_keeps_its_stars() -> None:
    notes = "* Leeks should be cut. ** Rice should be cooked. *** Beans should be soaked."
    assert clean_steps([notes]) == [notes]
    assert clean_steps([f"{STEP} *** Stir."]) == [f"{STEP} Stir."]


def test_capitals_that_allow_are_no_caption() -> None:
    assert clean_steps([STEP, "RECIPE CAN BE DOUBLED"]) == [STEP, "RECIPE CAN BE DOUBLED"]


@cases
def test_advice_that_begins_like_a_remark_stays(sentence: str) -> None:
    assert clean_steps([f"{STEP} {sentence}"]) == [f"{STEP} {sentence}"]


def test_a_heading_with_a_rule_stands_before_what_it_heads() -> None:
    assert clean_steps(["Filling: ======", STEP]) == [f"Filling: {STEP}"]


def test_a_note_is_kept_whole() -> None:
    note = "NOTE: Be careful with the oil. It is very hot in the north."
    assert clean_steps([STEP, note]) == [STEP, note]


def test_a_subtitle_goes() -> None:
    assert clean_steps(["Fried Leek Rolls From Springfield With Cheese", STEP]) == [STEP]
    assert clean_steps(["Leek Cream", STEP]) == ["Leek Cream", STEP]


def test_steps_may_have_numbers_with_dashes() -> None:
    steps = ["1- Mix the oil and the leeks 2- Pour it into a 1-quart pan. 3- Bake it 1- inch deep."]
    assert clean_steps(steps) == ["Mix the oil and the leeks. Pour it into a 1-quart pan. Bake it 1- inch deep."]


def test_equipment_stays() -> None:
    assert clean_steps(["Equipment: One small pan, oiled", STEP]) == ["Equipment: One small pan, oiled", STEP]


def test_the_first_step_behind_a_label_stays() -> None:
    assert clean_steps(["Preparation: 1- Mix Leeks, Mint 2- Stir well."])[0].endswith("Mix Leeks, Mint. Stir well.")


def test_advice_among_nutrients_stays() -> None:
    assert clean_steps([STEP, "Nutrients: calories 334, fat 12 grams. (To lower sodium, use fewer leeks.)"]) == [
        STEP,
        "(To lower sodium, use fewer leeks.)",
    ]


def test_a_title_before_a_name_ends_no_sentence() -> None:
    assert clean_steps(['This recipe is written for the "Mr. Leek" pot and it works well.', STEP]) == [STEP]


def test_a_heading_with_a_number_stands_before_what_it_heads() -> None:
    assert clean_steps(["To make about 100 1-inch squares:", STEP]) == [f"To make about 100 1-inch squares: {STEP}"]


def test_a_sentence_that_only_names_a_magazine_stays() -> None:
    text = 'Pop them in the toaster for a quick breakfast." -- Ada Example, Leek magazine.'
    assert clean_steps([STEP, text])[1].startswith("Pop them in the toaster")
