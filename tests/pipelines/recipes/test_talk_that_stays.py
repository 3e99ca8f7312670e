"""Tips, tools and remarks among talk."""

from __future__ import annotations

import pytest

from pipelines.recipes.steps import clean_steps

STEP = "Melt the butter in a deep pot."


@pytest.mark.parametrize(
    "advice",
    [
        "Enjoy your rolls still slightly warm with some soft cheese.",
        "This is a great recipe to double, depending on how many leeks you have.",
    ],
)
def test_praise_that_advises_stays(advice: str) -> None:
    assert clean_steps([f"{STEP} {advice}"]) == [f"{STEP} {advice}"]


def test_a_story_within_a_tip_stays() -> None:
    tip = "Hint: use only the white part. My mom taught me that you hold both ends and pull until it breaks."
    assert clean_steps([STEP, tip]) == [STEP, tip]
    assert clean_steps([STEP, tip.removeprefix("Hint: use only the white part. ")]) == [STEP]


def test_a_tool_tells_of_work() -> None:
    text = "With the side of a chef's knife, mash the leeks."
    assert clean_steps([text, STEP]) == [text, STEP]
    assert clean_steps(["What can I say but mush it with a fork.", "Serve 1"]) == [
        "What can I say but mush it with a fork."
    ]


def test_a_remark_makes_no_story_of_a_sentence() -> None:
    text = "Pluck duck from beak to tail (his feathers are small, but they are there). Scald it in a pot."
    assert clean_steps([text]) == [text]
    text = "Other traditional fillings for it are leeks (with some potato flour on top) and figs."
    assert clean_steps([STEP, f"It can be varied. {text}"]) == [STEP, f"It can be varied. {text}"]


def test_who_serves_a_dish_is_no_advice() -> None:
    story = "Many small inns care about the food they serve. This velvety soup is a warm welcome to guests."
    assert clean_steps([story, STEP]) == [STEP]
