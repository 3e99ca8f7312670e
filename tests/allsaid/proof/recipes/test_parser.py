"""Recipes as sentences, clauses and lists of foods."""

from __future__ import annotations

import pytest

from allsaid.proof.coverage import Lexicon
from allsaid.proof.foods.hierarchy import load_foods
from allsaid.proof.recipes import amounts
from allsaid.proof.recipes.frames import Steps
from allsaid.proof.recipes.mentions import Namer
from allsaid.proof.recipes.parser import parse

FOODS = load_foods()
LEXICON = Lexicon(dict.fromkeys(FOODS.names.values(), 1), foods=FOODS)


def parsed(text: str, *agenda: str) -> Steps:
    words = text.split()
    return parse(words, Namer([item.split() for item in agenda], LEXICON).find(words))


def shown(steps: Steps) -> list[tuple[str, list[list[str]]]]:
    """The command of each clause with its lists."""
    return [
        (
            steps.verb(clause),
            [[" ".join(steps.words[one.start : one.end]) for one in group.members] for group in clause.groups],
        )
        for clause in steps.clauses
    ]


def test_commands_and_lists() -> None:
    text = "in a large bowl , beat the butter and sugar ; stir in 2 cups of the flour , salt and nuts . bake ."
    found = shown(parsed(text, "butter", "sugar", "flour", "salt", "walnuts"))
    assert found == [
        ("beat", [["the butter", "sugar"]]),
        ("stir", [["2 cups of the flour", "salt", "nuts"]]),
        ("bake", []),
    ]


def test_a_food_in_a_list_is_no_command() -> None:
    assert shown(parsed("combine flour , salt and pepper .", "flour", "salt", "pepper")) == [
        ("combine", [["flour", "salt", "pepper"]])
    ]
    assert [verb for verb, _ in shown(parsed("boil the fish , and salt the water .", "fish"))] == ["boil", "salt"]


def test_mentions_mean_items() -> None:
    namer = Namer([["ground", "beef"], ["red", "onion"], ["olive", "oil"]], LEXICON)
    found = namer.find(["brown", "the", "meat", "in", "oil", "with", "onions", "and", "rice", "."])
    assert [one.items for one in found] == [(0,), (2,), (1,), ()]


@pytest.mark.parametrize(
    ("line", "written"),
    [
        ("1 1/2 c Flour", "1 1/2 cups"),
        ("2-3 lb Beef", "3 pounds"),
        ("1/4 ts Salt", "1/4 teaspoon"),
        ("4 lg eggs", "4"),
        ("½ tb oil", "1/2 tablespoon"),
    ],
)
def test_amounts_of_lines(line: str, written: str) -> None:
    found = amounts.of_line(line)
    assert found is not None and " ".join(found.written()) == written


def test_a_line_without_an_amount() -> None:
    assert amounts.of_line("Salt to taste") is None


def test_shares_of_amounts() -> None:
    cup, spoon, pound = (amounts.of_line(line) for line in ("1 c milk", "8 tb milk", "1 lb milk"))
    assert cup and spoon and pound
    assert spoon.share_of(cup) == 0.5 and cup.share_of(pound) is None
