"""What directions say about the yield belongs to the recipe's yield, and cleaned directions are free of it."""

from __future__ import annotations

import pytest
from cases import cases

from pipelines.recipes.steps import clean_steps
from pipelines.recipes.yields import with_notes

STEP = "Melt the butter in a deep pot."


@cases
def test_notes_are_added_to_the_yield(text: str, expected: str) -> None:
    assert with_notes("8 servings", [STEP, f"{STEP} {text}"]) == expected
    assert "akes" not in " ".join(clean_steps([STEP, f"{STEP} {text}"]))


@cases
def test_work_is_no_yield(text: str) -> None:
    assert with_notes("8 servings", [text]) == "8 servings"
    assert clean_steps([STEP, text]) == [STEP, text]


def test_a_yield_that_only_the_directions_have() -> None:
    assert with_notes("", [f"{STEP} Makes 2 cups."]) == "makes 2 cups"


@pytest.mark.parametrize(
    ("stated", "note"),
    [("16 Cups", "Makes about 16 cups."), ("6 rolls", "Makes: 6 big rolls."), ("3 dozen", "MAKES THREE DOZEN.")],
)
def test_a_note_that_repeats_the_yield_is_left_out(stated: str, note: str) -> None:
    assert with_notes(stated, [f"{STEP} {note}"]) == stated


@cases
def test_a_volume_of_a_part_is_not_the_yield(texts: list[str]) -> None:
    assert with_notes("8 servings", [STEP, *texts]) == "8 servings"


def test_a_volume_below_a_garnish_is_the_yield() -> None:
    assert with_notes("8 servings", ["GARNISH", STEP, "Makes 2 cups."]) == "8 servings; makes 2 cups"


def test_a_volume_of_a_part_stays_with_the_part() -> None:
    part = f"Leek sauce: {STEP} Makes 2 cups."
    assert clean_steps([STEP, part]) == [STEP, part]


def test_a_note_behind_a_yield_without_a_full_stop() -> None:
    text = f"{STEP} Makes 3 1/2 Quarts Of Stock NOTE: It can be used in place of leek stock."
    assert with_notes("12", [text]) == "12; makes 3 1/2 Quarts Of Stock"


@pytest.mark.parametrize("label", ["Note: ", "From: ", "Microwave directions: ", "Prep time: "])
def test_a_volume_after_another_label_is_the_yield(label: str) -> None:
    assert with_notes("8 servings", [f"{label}{STEP} Makes 2 cups."]) == "8 servings; makes 2 cups"


@cases
def test_a_count_alone_in_the_last_paragraph_is_a_yield(text: str, expected: str) -> None:
    assert with_notes("8 servings", [STEP, text]) == expected
    assert clean_steps([STEP, text]) == [STEP]


def test_a_time_alone_is_none() -> None:
    assert with_notes("8 servings", [STEP, "1-2 hours"]) == "8 servings"


def test_a_volume_measures_no_counted_things() -> None:
    text = f"{STEP} Makes about 2 cups."
    assert with_notes("12 pancakes", [text]) == "12 pancakes"
    assert with_notes("1 Gallon", [text]) == "1 Gallon; makes about 2 cups"


def test_a_yield_glued_to_a_sentence_counts() -> None:
    assert (
        with_notes("8 servings", ["Turn once when bubbles appear.Makes 9 pancakes."]) == "8 servings; makes 9 pancakes"
    )


@pytest.mark.parametrize("label", ["Container: Wide quart jar", "Note: It can be doubled."])
def test_a_label_behind_a_yield_stays(label: str) -> None:
    assert clean_steps([f"{STEP} Yield: 1 pint {label}"]) == [f"{STEP} {label}"]


def test_a_part_keeps_its_heading_above_its_yield() -> None:
    texts = [STEP, "Leek Glaze:", "Makes 1/2 cup", "Melt the sugar."]
    assert clean_steps(texts) == [STEP, "Leek Glaze: Makes 1/2 cup", "Melt the sugar."]


@cases
def test_a_remark_on_work_behind_a_yield_stays(remark: str) -> None:
    text = f"{STEP} Makes 12. {remark}"
    assert with_notes("8 servings", [text]) == "8 servings; makes 12"
    assert clean_steps([text]) == [f"{STEP} {remark}"]
