"""What directions say about the yield belongs to the recipe's yield, and cleaned directions are free of it."""

from __future__ import annotations

import pytest

from pipelines.recipes.steps import clean_steps
from pipelines.recipes.yields import with_notes

STEP = "Melt the butter in a deep pot."


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Makes 3 dozen leek rolls.", "8 servings; makes 3 dozen leek rolls"),
        ("Yield: 8 appetizer servings", "8 servings; 8 appetizer servings"),
        ("(Makes about 3 1/2 quarts)", "8 servings; makes about 3 1/2 quarts"),
        ("Ca. 100 Stueck", "8 servings; ca. 100 Stueck"),
        ("Serves 4 to 6. MAKES 2 CUPS OF SAUCE.", "8 servings; serves 4 to 6; MAKES 2 CUPS OF SAUCE"),
        ("Makes 2 loaves. Makes 2 loaves.", "8 servings; makes 2 loaves"),
        ("Serves 8.", "8 servings"),
        ("About 6 dozen cookies; 55 calories per cookie.", "8 servings; about 6 dozen cookies"),
        ("Approx. 425 kcals per serving", "8 servings"),
        ("Servings: cal 120; protein 2 g; fat 4 g", "8 servings"),
        ("Yield: 8 servings Source: Leeks and Beans", "8 servings"),
        ("Makes 10 rolls.From the Leek News, 4/25/92.", "8 servings; makes 10 rolls"),
        ("Makes 2 loaves Slice the leeks.", "8 servings; makes 2 loaves"),
        ("Makes about eight servings.", "8 servings"),
        ("Makes 8 serving - each serving = 107 calories, 3 g fat.", "8 servings"),
        ("Makes 9 cups 5 mg sodium per cup", "8 servings; makes 9 cups"),
        ("Number of Servings: 8 Fat grams per serving: 20", "8 servings"),
        ("Makes 9 rolls. per serving: 106 Kcal 1.1g fat (0.2g sat fat) 9% CFF 249mg Na", "8 servings; makes 9 rolls"),
        ("Makes 9 rolls 10/5/96 show", "8 servings; makes 9 rolls"),
        ("10 (3/4-cup) servings.", "8 servings; 10 (3/4-cup) servings"),
        ("Makes 9 rolls (C) 1992 Leek News", "8 servings; makes 9 rolls"),
        ("Makes 9 rolls Typed in MM format by Ada Example", "8 servings; makes 9 rolls"),
        (
            "Makes 24 rolls, each 56 calories 10 carbohydrates, 1 protein, 2 fat, 47 sodium, 49 potassium, 1/2 fruit",
            "8 servings; makes 24 rolls",
        ),
        ("Makes 6 Nutrient Information per Serving: 95 calories, 4 g fat", "8 servings; makes 6"),
        ("Makes leeks for everyone in the house, at 56 calories each.", "8 servings"),
        ("Make 2 dozen.", "8 servings; make 2 dozen"),
        ("Make 8 servings.", "8 servings"),
        ("Makes 2 loaves. (Or one loaf of 9 inches.)", "8 servings; makes 2 loaves. (Or one loaf of 9 inches.)"),
        ("Makes 2 loaves. (30 slices)", "8 servings; makes 2 loaves. (30 slices)"),
        ("Makes 2 loaves. (2 1/2 quarts)", "8 servings; makes 2 loaves. (2 1/2 quarts)"),
        ("Serves 9.  (more on the next page)", "8 servings; serves 9"),
        ("Make 2 balls of the dough.", "8 servings"),
        ("Yield: One plump 9x5 inch loaf Nancy Example", "8 servings; one plump 9x5 inch loaf"),
        ("Makes 9 cups of Old Nancy Punch", "8 servings; makes 9 cups of Old Nancy Punch"),
    ],
)
def test_notes_are_added_to_the_yield(text: str, expected: str) -> None:
    assert with_notes("8 servings", [STEP, f"{STEP} {text}"]) == expected
    assert "akes" not in " ".join(clean_steps([STEP, f"{STEP} {text}"]))


@pytest.mark.parametrize(
    "text",
    [
        "Portion 36 spoonfuls onto the paper.",
        "Serve 4 leeks to each.",
        "Add 8 servings.",
        "Serve 2 - 3 warm pancakes",
        "Serve 4 dozen with toothpicks",
        "Serve 1 to 2 hot slices",
    ],
)
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


@pytest.mark.parametrize(
    "texts",
    [
        ["Leek sauce: Melt the butter. Makes 2 cups."],
        ["LEEK SAUCE:", STEP, "Makes 2 cups."],
        ["LEEK SAUCE", "Makes one cup."],
    ],
)
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


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("12 to 16 roll-ups", "8 servings; 12 to 16 roll-ups"),
        ("3 dozen", "8 servings; 3 dozen"),
        ("1 1/2 cups", "8 servings; 1 1/2 cups"),
        ("8 servings for $13.26", "8 servings"),
        ("Serve 6", "8 servings; Serve 6"),
        ("SERVE 8.", "8 servings"),
        ("Serve 4 to 6 persons", "8 servings; Serve 4 to 6 persons"),
    ],
)
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


@pytest.mark.parametrize(
    "remark",
    [
        "(If the batter is too thick, thin it with 2 cups.)",
        "(Use 200 g chocolate for a darker glaze.)",
        "(Then Bake it for 10 minutes.)",
        "(Cover and chill for 2 hours before serving.)",
        "(Or freeze 6.)",
        "(About 2 cups of water thin it.)",
        "(Or 6 can be frozen.)",
    ],
)
def test_a_remark_on_work_behind_a_yield_stays(remark: str) -> None:
    text = f"{STEP} Makes 12. {remark}"
    assert with_notes("8 servings", [text]) == "8 servings; makes 12"
    assert clean_steps([text]) == [f"{STEP} {remark}"]
