"""Vocabulary use, catch-all phrases and items introduced twice, on texts small enough to check by eye."""

from __future__ import annotations

import pytest

from allsaid.proof.wording import doubled, has_catch_all, vocabulary_use


def test_vocabulary_use_counts_known_tokens_of_all_texts() -> None:
    texts = [["add", "the", "olive_oil", ".", "<br>", "stir", "the", "soup", "."], ["<unk>", "the", "leeks", "."]]
    known = {"<br>", "<unk>", ".", "add", "the", "olive_oil", "soup", "never"}
    assert vocabulary_use(texts, known) == [3, 3, 1, 1, 1]
    assert vocabulary_use([], known) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("combine all ingredients .", True),
        ("mix all of the ingredients", True),
        ("put the ingredients in a pan", True),
        ("combine all the remaining ingredients", False),
        ("sift dry ingredients", False),
        ("ingredients : all the best", False),
        ("", False),
    ],
)
def test_catch_all(text: str, found: bool) -> None:
    assert has_catch_all(text.split()) is found


@pytest.mark.parametrize(
    ("text", "agenda", "places"),
    [
        ("add milk . stir . add milk .", ["milk"], [[6]]),
        ("add milk . stir in the milk . combine milk and salt .", ["milk", "salt"], [[6, 9], []]),
        ("stir in olive_oil and salt ; fold in the oil .", ["salt", "olive_oil"], [[], [9]]),
        ("add brown sugar . add the brown sugar .", ["brown sugar"], [[6, 7]]),
        ("heat milk . add milk to the milk , over milk", ["milk"], [[]]),  # only one of these is an addition
        ("add milk . stir until milk boils . add salt until milk boils", ["milk"], [[]]),
        ("add milk . add remaining milk . add 1 cup milk . add half of the milk", ["milk"], [[]]),
        ("add milk . add the milk mixture", ["milk"], [[]]),
        ("add brown sugar . add white sugar .", ["brown sugar", "white sugar"], [[], []]),
        ("add sugar . add sugar . add sugar", ["sugar", "leek", "sugar"], [[7], [], []]),  # twice is what was asked for
        ("add salt .", [], []),
        ("", ["salt"], [[]]),
    ],
)
def test_items_introduced_twice(text: str, agenda: list[str], places: list[list[int]]) -> None:
    assert doubled(text.split(), [item.split() for item in agenda]) == places
