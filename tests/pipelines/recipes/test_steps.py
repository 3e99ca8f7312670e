"""What tells nobody what to do goes; the written form of the rest stays."""

from __future__ import annotations

import pytest

from pipelines.recipes.steps import clean_steps

STEP = "Melt the butter in a deep pot."


@pytest.mark.parametrize(
    "tail",
    [
        "From: Ada Example Date: 07 Jan 94",
        "MM by Ada Example",
        "Posted by Ada Example; July 8 1992.",
        "Submitted By ADA EXAMPLE On 06-26-94",
        "Typed for you by Ada Example",
        "Source: Leeks and Beans, a cookbook",
        "SOURCE: Leeks and Beans. Second edition. With drawings.",
        "Per Serving: 130 calories, 1 g protein, 35 g carbohydrates.",
        "Calories per serving: 168 Fat: 3 g",
        'From "Leeks and Beans" by Ada Example.',
        "Recipe By : Ada Example",
        "ISBN 0-000-00000-0",
        "Yield: 4 servings",
        "Makes 4 servings.",
        "Serves 6 to 8.",
        "Preparation time: 15 minutes.",
        "Enjoy!",
        "Enjoy a weekend with the kids!",
        "Enjoy your dinner with friends and family.",
        "Quick and good from: The Leek News, typed by ada :)",
        "The Leek Book formatted by Ada Example for M-M.",
        "S: Leek News, Vol 3",
        "Typos by Ada Example, ada@example.com, creator of Cook leekmachine mixes",
        "Prep: 30 minutes. Bake: 20 minutes. Total cost: $3.95.",
        "Precision: Measure the ingredients.",
        "Difficulty : moderate.",
        "Author's Notes",
        "I got this from my aunt.",
        "-----------------------------",
        "~ - - - - - - - - - - -",
        ":",
        "EXAMPLE COOKING SHOW #CL8954",
        "Ada Example XBRG76A",
        "Nancy Example",
        "Mrs. A. Example, Springfield, Ohio",
        "Presented by: Ada Example, Kitchen Director",
        "Individual recipes copyrighted by originator.",
        "++++++++++++++++++++++",
        "From Leeks And Beans by Ada and Nancy Example",
        "Typing errors courtesy of: Ada Example",
        "Notes: From Ada Example's file; a clipping.",
        "Posted to the Leek Digest by Ada Example",
        "D/L from Leekboard 12-14-94.",
        "All recipes courtesy of Ada Example",
        "From Ada's recipe files",
        "Another Ada creation (5/23/94).",
        "Ada Example writing in the Springfield Chronicle.",
        "In 1963 Ada printed it with drawings.",
        "LEEKBASE brings you this recipe with permission of its growers.",
        "Leeks is a registered trademark of Leek Foods.",
        "Used with permission.",
        "221 calories per serving.",
        "(About 353 calories per serving)",
        "1 serving = 244 cal; 2 meats, 1 bread",
        "10 servings; 40 calories per serving.",
        "(Fat 1.4, Chol. 3.)",
        "Six to eight servings.",
        "(Yield: 3-4 servings)",
        "Makes approx. 5 cups.",
        "From my kitchen to yours: Ada",
        "Recipe",
        "NOTES",
        "Cholesterol per serving: 30",
        "Author: Ada Example",
        "Compliments of Ada Example.",
        "Shared on a leek board",
        "Continued from part 2",
        "Regards, Ada Example.",
        "Courtesy Leek Pioneers",
        "Nancy Example, Springfield, OH.",
        "from Ada Example's Leek School Cookbook",
        "-- from Ada Example's GUIDE TO LEEK COOKERY",
        "from the Leek Tribune seventh annual Food Guide",
        "MC formatting and posted by Ada Example",
        "As written by the author, Ada Example.",
        "(By Times Leek Cooks)",
        "Leek Home Page, 30 minute Recipes.",
        "Serving Size: 1 leek",
        "(Fat O.1. Chol. 0.)",
        "Called ABC Leeks for (A) apples, (B) beans and (C) cider.",
        "Well, there you go.",
        "-- Mrs. Example",
        "About 6 cups",
        "Makes about seven 6oz servings",
        "Created by: Ada's Inn, Springfield.",
        "Leek Cat BBS - over 23 recipes online!",
        'Notes from Ada Example: "it always sets."',
        "Makes about 6 pints of leek jam and about 6 pints of leek jelly, each in tall jars.",
        "Yeilds 4 pots of jam.",
        "Gary W. DNN79C",
        "nancy example, xbrg76a",
        "MM Format Ada Example",
        "Page C6.",
        "Here's one I found in Leek and Garden Magazine:",
        "Ada May Example, Springfield, OR.",
        "- Mrs. Example's 4th Grade class, Springfield 1988",
        "Ada Example, author of Leeks & Onions, Springfield.",
        "Springfield,Or leekvax!garden!ada",
        "Both recipes from the Leek Sentinel.",
        "Each Tablespoon Contains",
        "1 tbsp whipped cream contains 45 cal and is equal to 1 choice.",
    ],
)
def test_what_is_no_step_goes(tail: str) -> None:
    assert clean_steps([STEP, tail]) == [STEP]
    assert clean_steps([f"{STEP} {tail}"]) == [STEP]


@pytest.mark.parametrize(
    "step",
    [
        "Roll out the dough (it should be thin). Cut it into 7 squares.",
        "BAKE AT 350 F. FOR 20 MINUTES, THEN COOL.",
        "NOTE: To make sour milk, add lemon juice to it.",
        "Serve the soup in 4 warm bowls.",
        "Remove from the heat -- it must not boil.",
        "Bake for 1 1/2 hours at 350° F.",
        "The following day, rinse the beans.",
        "Someone else meanwhile makes the sauce.",
        "I large pot boil the leeks.",
        "I dip about 10 leeks into it.",
        "* Use canned leeks.",
    ],
)
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


@pytest.mark.parametrize(
    "note",
    [
        "Makes about 6 pints of Leek Mix and 6 pints of Leek Broth.",
        "Makes 2 cups of Pie Filling Mix or enough for two pies.",
        "Yield: 6 pints of Leek Steam and six pints of broth.",
    ],
)
def test_a_yield_of_two_things_is_one_note(note: str) -> None:
    assert clean_steps([STEP, note]) == clean_steps([f"{STEP} {note}"]) == [STEP]


def test_headings_stand_above_what_they_head() -> None:
    assert clean_steps([f"{STEP} Filling:", "Chop the leeks."]) == [STEP, "Filling: Chop the leeks."]
    assert clean_steps([f"{STEP} Directions:", "Chop the leeks."]) == [STEP, "Chop the leeks."]
    assert clean_steps([f"{STEP} Source:", "Chop the leeks."]) == [STEP, "Chop the leeks."]


@pytest.mark.parametrize(
    ("numbered", "plain"),
    [
        (
            "Season with salt 1) and stir. 2) Fry it in oil 3) Serve.",
            "Season with salt and stir. Fry it in oil. Serve.",
        ),
        ("(1) Chop the leeks. (2) Fry them.", "Chop the leeks. Fry them."),
        ("1.Chop the leeks. 2.Fry them.", "Chop the leeks. Fry them."),
        ("Add salt, then 1] stir... 2] Fry it.", "Add salt, then stir... Fry it."),
        ("HALF AN HOUR BEFORE: 1. CHOP THE LEEKS. 2. FRY THEM.", "HALF AN HOUR BEFORE: CHOP THE LEEKS. FRY THEM."),
        ("Divide by 2) and fry it.", "Divide by 2) and fry it."),
    ],
)
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


@pytest.mark.parametrize(
    "sentence",
    [
        "This is an important step, so cool it for 45 minutes.",
        "This recipe should be made a day before.",
        "This dish may be frozen.",
        "This is a wet dough; don't add more flour.",
    ],
)
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
