"""Talk about a dish goes; what advises, commands or says what goes with it stays."""

from __future__ import annotations

import pytest
from cases import cases

from pipelines.recipes.steps import clean_steps
from pipelines.recipes.talk import is_introduction, is_talk

STEP = "Melt the butter in a deep pot."


@cases
def test_praise_and_stories_are_talk(sentence: str) -> None:
    assert is_talk(sentence, after_talk=False)
    assert clean_steps([f"{STEP} {sentence}"]) == clean_steps([STEP, sentence]) == [STEP]


@cases
def test_work_advice_and_facts_are_none(sentence: str) -> None:
    assert not is_talk(sentence, after_talk=False)
    assert clean_steps([f"{STEP} {sentence}"]) == [f"{STEP} {sentence}"]


def test_after_talk_less_evidence_will_do() -> None:
    story = "My aunt won a prize for this pie. She lived in a small town. They had no oven there. "
    assert clean_steps([story + STEP]) == [STEP]
    assert clean_steps([f"{STEP} She lived in a small town."]) == [f"{STEP} She lived in a small town."]
    assert clean_steps(["It was my aunt's recipe. It can be frozen for a month."]) == ["It can be frozen for a month."]


@cases
def test_a_story_above_the_first_command_goes(story: str) -> None:
    assert is_introduction([story])
    assert clean_steps([story, STEP]) == clean_steps([f"{story} {STEP}"]) == [STEP]
    assert clean_steps([STEP, "Stir.", story])[:2] == [STEP, "Stir."]


def test_what_the_first_command_points_at_stays() -> None:
    begin = ["There is a membrane at the north of each leek.", "Remove this membrane with a fork."]
    assert clean_steps([" ".join(begin)]) == [" ".join(begin)]


def test_a_quotation_above_the_first_command_goes() -> None:
    story = '"Recipes for this pie appear in countless books. But where it is from is a hot topic."'
    tip = '"It goes exceptionally well with leek bread."'
    assert clean_steps([story, STEP]) == [STEP]
    assert clean_steps([tip, STEP]) == [tip, STEP]


@cases
def test_what_helps_above_the_first_command_stays(useful: str) -> None:
    assert clean_steps([useful, STEP]) == [useful, STEP]


def test_without_a_command_nothing_is_an_introduction() -> None:
    story = "Der Lauch is in den Topf."
    assert clean_steps([story]) == [story]


def test_what_a_dish_is_good_for_stays() -> None:
    assert clean_steps([f"{STEP} Good for leeks, beans and other favorites."]) == [
        f"{STEP} Good for leeks, beans and other favorites."
    ]


@cases
def test_a_story_below_the_last_command_goes(story: str) -> None:
    assert clean_steps([STEP, story]) == [STEP]
    assert clean_steps([STEP, story, STEP]) == [STEP, story, STEP]


@pytest.mark.parametrize("ending", ["The leek is a symbol of the north.", "They have no thorns.", "Why is it green?"])
def test_stories_beside_tips_go(ending: str) -> None:
    tip = "It can be frozen for a month."
    assert clean_steps([STEP, f"{ending} {tip}"]) == clean_steps([STEP, ending, tip]) == [STEP, tip]
    assert clean_steps([f"{ending} {tip}", STEP]) == [tip, STEP]


@pytest.mark.parametrize(
    "name", ["Ada Example.", "Springfield, OR", "The Old Leek Inn, Springfield.", "Also from Leeks Forever."]
)
def test_a_name_below_the_last_command_goes(name: str) -> None:
    assert clean_steps([STEP, name]) == [STEP]


@cases
def test_a_tip_below_the_last_command_stays(tip: str) -> None:
    assert clean_steps([STEP, tip]) == [STEP, tip]


def test_a_story_above_work_without_a_command_goes() -> None:
    work = "In dry pan over medium heat, stir fry leeks."
    assert clean_steps([f"Alecha is a curry-like meal. {work} {STEP}"]) == [f"{work} {STEP}"]


def test_a_direction_behind_talk_without_a_full_stop_stays() -> None:
    work = "In deep frying pan saute the leeks."
    assert clean_steps([f"Recipes from chef Ada Example, a famous chef {work} {STEP}"]) == [f"{work} {STEP}"]


STORY = "My grandmother won a prize with this famous leek soup in 1924."


@cases
def test_advice_stays_beside_a_story(advice: str) -> None:
    assert not is_talk(advice, after_talk=True)
    assert clean_steps([f"{STORY} {advice}", STEP]) == [advice, STEP]
    assert clean_steps([STEP, f"{STORY} {advice}"]) == [STEP, advice]


@cases
def test_advice_in_other_words_stays_beside_a_story(useful: str) -> None:
    assert clean_steps([f"This is a famous old soup. {useful}", STEP]) == [useful, STEP]
    assert clean_steps([STEP, f"This is a famous old soup. {useful} My mother was famous for it."]) == [STEP, useful]


@cases
def test_stories_in_words_of_advice_still_go(story: str) -> None:
    assert clean_steps([story, STEP]) == clean_steps([STEP, story]) == [STEP]


def test_advice_stays_with_the_food_that_it_is_about() -> None:
    steps = [STEP, "Leek Sweet is made of leeks and syrup. It is available from Example Orchards in Springfield."]
    assert clean_steps(steps) == steps
    above = "Leek salt contains a leek unknown here. I'd substitute plain salt."
    assert clean_steps([f"This is a famous old soup. {above}", STEP]) == [above, STEP]
    use = "There is a small leaf, known as the heart, in each of them. Use a knife to remove this leaf."
    assert clean_steps([use, STEP]) == [use, STEP]


def test_a_quoted_story_keeps_its_advice() -> None:
    advice = "Red leeks are the hottest ones. Or substitute a milder leek, such as the white one."
    assert clean_steps([f'"{STORY} The leeks lend it an accent. {advice}"', STEP]) == [advice, STEP]


def test_what_only_tells_between_descriptions_goes() -> None:
    story = "The leek people lived in Springfield. The men hunted, and the women gathered leeks. They were many."
    assert clean_steps([STEP, story]) == [STEP]


@pytest.mark.parametrize("useful", ["Butter one side of each leek.", "* Pure leek oil contains no salt."])
def test_work_and_notes_between_descriptions_stay(useful: str) -> None:
    assert clean_steps([STEP, f"Leeks are a lovely food. {useful} They were always popular."])[1:] == [useful]


@pytest.mark.parametrize(
    "text",
    [
        "Slices of leek are braised in a dark stock seasoned with mint.",
        "The light rolls have a leek glaze that's spread over them while they are still warm.",
    ],
)
def test_a_paragraph_above_the_first_command_may_go(text: str) -> None:
    assert clean_steps([text, STEP]) == [STEP]
