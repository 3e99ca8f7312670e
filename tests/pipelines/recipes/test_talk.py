"""Talk about a dish goes; what advises, commands or says what goes with it stays."""

from __future__ import annotations

import pytest

from pipelines.recipes.steps import clean_steps
from pipelines.recipes.talk import is_talk

STEP = "Melt the butter in a deep pot."


@pytest.mark.parametrize(
    "sentence",
    [
        "This bread is really delicious!",
        "Very good and simple.",
        "A nice cold winter evening recipe.",
        "It is a favorite of my husband.",
        "My grandmother was famous for her leek pies.",
        "The pie was invented by a chef in Springfield in 1924.",
        'Very loosely based on Ada Example, "Leeks".',
        "The recipe comes from an old newspaper.",
        "I have never tried it.",
        "The author describes this soup as an outstanding one.",
        "Even children who hate leeks love it.",
        "This rich leek soup is an old classic.",
        "This pie is often made during Lent.",
    ],
)
def test_praise_and_stories_are_talk(sentence: str) -> None:
    assert is_talk(sentence, after_talk=False)
    assert clean_steps([f"{STEP} {sentence}"]) == clean_steps([STEP, sentence]) == [STEP]


@pytest.mark.parametrize(
    "sentence",
    [
        "Excellent with beef and beans.",
        "Serve with your favorite bread.",
        "Frost the cake with the classic leek cream.",
        "The leeks are done when they are easy to cut.",
        "I used oil instead of butter and it was good.",
        "I dip the leeks into it.",
        "We eat them buttered, either hot or cold.",
        "Tips: the best leeks are thin and green.",
        "The traditional way is to add wine.",
        "Other kinds of noodles won't work.",
        "It keeps for a week and tastes great.",
        "Leeks are hard to clean.",
        "This sauce is the one to serve with fish.",
    ],
)
def test_work_advice_and_facts_are_none(sentence: str) -> None:
    assert not is_talk(sentence, after_talk=False)
    assert clean_steps([f"{STEP} {sentence}"]) == [f"{STEP} {sentence}"]


def test_after_talk_less_evidence_will_do() -> None:
    story = "My aunt won a prize for this pie. She lived in a small town. They had no oven there. "
    assert clean_steps([story + STEP]) == [STEP]
    assert clean_steps([f"{STEP} She lived in a small town."]) == [f"{STEP} She lived in a small town."]
    assert clean_steps(["It was my aunt's recipe. It can be frozen for a month."]) == ["It can be frozen for a month."]
