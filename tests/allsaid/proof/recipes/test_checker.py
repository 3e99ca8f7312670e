"""Findings in recipes: each rule on a text that has the fault, and on one that has not."""

from __future__ import annotations

import pytest
from cases import cases

from allsaid.proof.coverage import Lexicon
from allsaid.proof.foods.hierarchy import load_foods
from allsaid.proof.recipes.checker.check import check
from schemas.texts import finding

FOODS = load_foods()
LEXICON = Lexicon(dict.fromkeys(FOODS.names.values(), 1), foods=FOODS)
LINES = {
    "flour": "2 c Flour",
    "sugar": "1 c Sugar",
    "butter": "1/2 c Butter",
    "eggs": "2 Eggs",
    "baking_powder": "2 ts Baking powder",
    "chicken": "1 lb Chicken, cut up",
    "onion": "1 Onion",
    "cream": "1 c Cream",
    "rotini": "1 lb Rotini",
    "barley": "1 c Pearl barley",
    "potatoes": "2 lb Potatoes",
    "yeast": "1 pk Yeast",
    "black_beans": "1 c Dried black beans",
    "beef": "1 lb Canadian beef",
    "oysters": "12 Oysters",
    "white_bread": "4 sl White bread",
    "cockles": "1 lb Cockles or clams",
}


def found(text: str, *items: str, sources: list[list[str]] | None = None) -> list[tuple[str, str]]:
    lines = [LINES[item] for item in items]
    findings = check(text.split(), ["dish"], lines, [[item] for item in items], LEXICON, sources)
    return [(one.kind, one.passage) for one in findings]


@cases
def test_faults_are_found(text: str, items: str, kind: str, passage: str) -> None:
    assert found(text, *items.split()) == [(kind, passage)]


@cases
def test_sound_texts_have_no_findings(text: str, items: str) -> None:
    assert found(text, *items.split()) == []


@cases
def test_commands_fit_their_foods(goal: str, text: str, kinds: list[str]) -> None:
    names = [[item] for item in LINES]
    assert [one.kind for one in check(text.split(), [goal], [*LINES.values()], names, LEXICON)] == kinds


@pytest.mark.parametrize(("last", "kinds"), [("bake 1 hour", [finding.OTHER_DISH]), ("freeze", []), ("churn", [])])
def test_ice_cream_is_frozen(last: str, kinds: list[str]) -> None:
    text = f"mix sugar and cream . {last} ."
    lines = [LINES[item] for item in ("sugar", "cream")]
    findings = check(text.split(), ["peach", "ice", "cream"], lines, [["sugar"], ["cream"]], LEXICON)
    assert [one.kind for one in findings] == kinds


def test_times_need_a_source() -> None:
    text = "fry the onion for 20 minutes ."
    assert found(text, "onion", sources=[["cook", "20", "minutes"]]) == [] == found(text, "onion")
    assert found(text, "onion", sources=[["1", "onion"]]) == [(finding.UNSOURCED, "20 minutes")]


def test_a_clause_has_one_finding_of_a_kind() -> None:
    passage = "add chicken to the onion"
    assert found(f"{passage} . chill .", "chicken", "chicken", "onion") == [(finding.RAW, passage)]


def test_spans_count_tokens() -> None:
    (one,) = check(
        ["mix", "flour", "and", "baking_powder", ".", "chill", "."],
        ["dish"],
        ["2 c Flour", "1 ts Baking powder"],
        [["flour"], ["baking_powder"]],
        LEXICON,
    )
    assert (one.start, one.end) == (0, 4)
