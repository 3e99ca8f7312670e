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


def test_directions_after_a_credit_stay() -> None:
    assert clean_steps([f"Recipe by: Ada Example, Leek Council {STEP} Stir well."]) == [f"{STEP} Stir well."]
    assert clean_steps(["Preparation Time: 0:30 In blender, mix milk and corn."]) == ["In blender, mix milk and corn."]
    assert clean_steps(["Recipe by: Leek Journal Peel, core and cut 2 apples."]) == ["Peel, core and cut 2 apples."]
    assert clean_steps(["PER SERVING: 187 cal., 3g Pro. In a small bowl, mix."]) == ["In a small bowl, mix."]
    for work in ("Place 1/4 cup of leeks in a pot.", "Boil chicken, onion and salt.", "Add flour; mix."):
        assert clean_steps([f"Contributed to the echo by: Ada Example LEEK BAKE {work}"]) == [work]
    assert clean_steps(["Typed by Ada Example. Cook, stirring often."]) == ["Cook, stirring often."]


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


def test_people_who_sign_with_their_town_are_no_step() -> None:
    assert clean_steps([STEP, "~ Nancy Example, Springfield, California."]) == [STEP]
    assert clean_steps([STEP, "Serve with bread. Source: Nancy Example."]) == [STEP, "Serve with bread."]


def test_a_name_without_a_full_stop_at_the_end_is_no_step() -> None:
    assert clean_steps([f"{STEP} Skim. The Leek Household"]) == [f"{STEP} Skim."]
    assert clean_steps([f"{STEP} TO SERVE: Leeks, Onions"]) == [f"{STEP} TO SERVE: Leeks, Onions"]
    assert clean_steps([f"{STEP} The Leek And Bean Book"]) == [STEP]
    assert clean_steps([f"{STEP} Proceed as told in Leek Dough"]) == [f"{STEP} Proceed as told in Leek Dough"]
    assert clean_steps(["SLICE IT THIN. SALT IT WELL"]) == ["SLICE IT THIN. SALT IT WELL"]


def test_what_a_cook_does_herself_is_a_step() -> None:
    assert clean_steps([STEP, "I usually add leeks to it. I got them from my aunt."]) == [
        STEP,
        "I usually add leeks to it.",
    ]


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


@pytest.mark.parametrize("credit", ["Posted by: Ada Example. Leek Filling", "Prep time: 1 hour The leeks are. LAYER:"])
def test_work_behind_a_credit_stays(credit: str) -> None:
    (step,) = clean_steps([f"{credit} Peel and slice the leeks with care. {STEP}"])
    assert step.removeprefix("LAYER: ") == f"Peel and slice the leeks with care. {STEP}"


@pytest.mark.parametrize(
    "credit", ["Author unknown.", "<source unknown>", "U/L to Leeks by Ada Example 2/97.", "Leek Industries, Inc."]
)
def test_further_credits(credit: str) -> None:
    assert clean_steps([STEP, credit]) == [STEP]


@pytest.mark.parametrize(
    "credit",
    ["per Ada Example, Leek Sig", "Ada in NJ", "from: _Leeks_", "10 % Fat", '"Leeks" from the Springfield News 1986'],
)
def test_credits_behind_a_step_go(credit: str) -> None:
    assert clean_steps([f"{STEP} {credit}"]) == [STEP]


def test_a_quoted_title_below_the_last_step_goes() -> None:
    assert clean_steps([STEP, '"Feasts with Leeks"']) == [STEP]


def test_initials_end_no_sentence() -> None:
    assert clean_steps([f"{STEP} Nancy D. Example, Springfield, MN."]) == [STEP]
    assert clean_steps([f"{STEP} Bake at 350 F. Stir."]) == [f"{STEP} Bake at 350 F. Stir."]


@pytest.mark.parametrize(
    "form",
    [
        "~Mrs. A. B. Example (Ada), Leek Parish (Springfield)",
        "Total fat per serving (using milk) is approx. 2 grams",
        "Cal: 53, Fat: 1/5g.",
        "All about leeks, homepage http://leeks.example/ada",
        "** For the directions, please see part #2 **",
        "Leek Mag., Jan 91.",
        "from the Leek Inn, Springfield.",
        "from the rec.leeks archives",
        "* Aus leeks & soup 8 / 86",
        "193cal, 4gm fat.",
        "Assorted recipes from the Leek News, entered by Ada Example",
        "From the booklet Leek Teas :: Typed in for you by Ada Example",
        "Source(including the story): The Leek Book by Ada Example",
        "Erfasser: Ada Datum: 13.01.1993 Stichworte: Lauch",
        "Ada Example - Springfield, Ohio - ada@example.com - AB1CD.",
        "a recipe from my childhood",
        "created 3-19-1998",
    ],
)
def test_credits_and_forms_are_no_steps(form: str) -> None:
    assert clean_steps([STEP, form]) == [STEP]


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


def test_a_stray_name_in_capitals_goes() -> None:
    assert clean_steps(["ADA EXAMPLE", STEP]) == [STEP]
    assert clean_steps(["BUTTER LEEKS", STEP]) == ["BUTTER LEEKS", STEP]
    assert clean_steps([STEP, "From one of the cooks of the Leek Inn"]) == [STEP]


def test_a_heading_with_a_rule_stands_before_what_it_heads() -> None:
    assert clean_steps(["Filling: ======", STEP]) == [f"Filling: {STEP}"]


def test_a_short_command_behind_a_credit_stays() -> None:
    assert clean_steps([f"Contributed by: Ada Example, LEEK BAKE #1 Wash leeks. {STEP}"]) == [f"Wash leeks. {STEP}"]


def test_a_note_is_kept_whole() -> None:
    note = "NOTE: Be careful with the oil. It is very hot in the north."
    assert clean_steps([STEP, note]) == [STEP, note]


def test_a_subtitle_goes() -> None:
    assert clean_steps(["Fried Leek Rolls From Springfield With Cheese", STEP]) == [STEP]
    assert clean_steps(["Leek Cream", STEP]) == ["Leek Cream", STEP]


def test_a_credit_ends_at_the_first_number_of_the_steps() -> None:
    steps = ["Recipe by: Ada Example, Leek Institute, U 1. With a fork, crush the leeks", "2. Melt the butter."]
    assert clean_steps(steps) == ["With a fork, crush the leeks", "Melt the butter."]


def test_steps_may_have_numbers_with_dashes() -> None:
    steps = ["1- Mix the oil and the leeks 2- Pour it into a 1-quart pan. 3- Bake it 1- inch deep."]
    assert clean_steps(steps) == ["Mix the oil and the leeks. Pour it into a 1-quart pan. Bake it 1- inch deep."]


def test_equipment_stays() -> None:
    assert clean_steps(["Equipment: One small pan, oiled", STEP]) == ["Equipment: One small pan, oiled", STEP]


def test_a_useful_sentence_may_name_its_sender() -> None:
    text = f"{STEP} Another way, submitted by Ada Example, calls for 2 eggs and a cup of leeks."
    assert clean_steps([text]) == [text]


def test_the_card_of_a_news_group_may_advise() -> None:
    advice = "Measure the ingredients, except for the sugar, which you can adjust to taste."
    assert clean_steps([f"{STEP} Precision: {advice}"]) == [f"{STEP} {advice}"]


@pytest.mark.parametrize(
    "step",
    [
        "From one half, pour 1/3 cup into a jar.",
        "Mix the leeks in Bowl # 1. Mix the mint in Bowl # 2.",
        "This recipe freezes well.",
    ],
)
def test_steps_like_credits_and_numbers_stay(step: str) -> None:
    assert clean_steps([STEP, step]) == [STEP, step]


def test_the_first_step_behind_a_label_stays() -> None:
    assert clean_steps(["Preparation: 1- Mix Leeks, Mint 2- Stir well."])[0].endswith("Mix Leeks, Mint. Stir well.")


def test_advice_among_nutrients_stays() -> None:
    assert clean_steps([STEP, "Nutrients: calories 334, fat 12 grams. (To lower sodium, use fewer leeks.)"]) == [
        STEP,
        "(To lower sodium, use fewer leeks.)",
    ]


def test_a_name_in_brackets_before_a_step_goes() -> None:
    assert clean_steps(["(By Leek Food Cooks) Mix the leeks in a bowl."]) == ["Mix the leeks in a bowl."]
