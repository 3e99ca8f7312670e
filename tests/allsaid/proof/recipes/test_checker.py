"""Findings in recipes: each rule on a text that has the fault, and on one that has not."""

from __future__ import annotations

import pytest

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


@pytest.mark.parametrize(
    ("text", "items", "kind", "passage"),
    [
        ("roll out the dough . bake .", "flour butter", finding.BEFORE_MADE, "the dough"),
        (
            "mix flour and butter . stir in the egg mixture . bake .",
            "flour butter eggs",
            finding.BEFORE_MADE,
            "the egg mixture",
        ),
        ("chop the onion ; set aside . fry the chicken . serve .", "onion chicken", finding.NEVER_USED, "set aside"),
        ("mix flour and sugar . add sugar . bake .", "flour sugar", finding.USED_UP, "add sugar"),
        ("mix 2 to 3 cups sugar and eggs . bake .", "sugar eggs", finding.AMOUNT, "2 to 3 cups sugar"),
        ("top the baked eggs with .", "eggs", finding.FRAGMENT, "with ."),
        (
            "shake flour in a bag ; set aside . put chicken in a bag . fry .",
            "flour chicken",
            finding.NEVER_USED,
            "set aside",
        ),
        ("add chicken to the onion . chill .", "chicken onion", finding.RAW, "add chicken to the onion"),
        (
            "mix flour and baking_powder . chill .",
            "flour baking_powder",
            finding.UNBAKED,
            "mix flour and baking powder",
        ),
        ("fry the onion . add chicken . chill .", "onion chicken", finding.RAW, "add chicken"),
        ("mix barley and cream . serve warm .", "barley cream", finding.RAW, "mix barley and cream"),
        ("chop the onion . add potatoes . chill .", "onion potatoes", finding.RAW, "add potatoes"),
        ("add rotini to a hot skillet . saute .", "rotini", finding.RAW, "add rotini to a hot skillet"),
        (
            "boil cream . mix flour and baking_powder .",
            "flour baking_powder cream",
            finding.UNBAKED,
            "mix flour and baking powder",
        ),
        ("beat butter . fry . add the remaining butter .", "butter", finding.USED_UP, "the remaining butter"),
        ("beat 3 cups sugar . bake .", "sugar", finding.AMOUNT, "3 cups sugar"),
        ("in a large bowl . add eggs . fry .", "eggs", finding.FRAGMENT, "in a large bowl ."),
        ("mix onion and cream . add the onion . bake .", "onion cream", finding.USED_UP, "add the onion"),
        ("fry the , and serve .", "eggs", finding.FRAGMENT, "the ,"),
        ("chop the of the onion . bake .", "onion", finding.FRAGMENT, "the of"),
        ("cook in water . add the eggs .", "eggs", finding.FRAGMENT, "cook in water"),
        ("add the eggs . fry .", "eggs", finding.FRAGMENT, "add the eggs"),
        ("beat the eggs . add all at once to .", "eggs", finding.FRAGMENT, "to ."),
        ("beat half of . fry the eggs .", "eggs", finding.FRAGMENT, "of ."),
        ("mix flour and yeast . knead . bake .", "flour yeast", finding.UNBAKED, "mix flour and yeast"),
        ("bake the eggs with it . bake it with a cup of .", "eggs", finding.FRAGMENT, "of ."),
        (
            "cook in water until tender . add onion and white bread .",
            "onion white_bread",
            finding.FRAGMENT,
            "cook in water until tender",
        ),
        ("mix beef and cream . chill .", "beef cream", finding.RAW, "mix beef and cream"),
        ("mix oysters and cream . chill .", "oysters cream", finding.RAW, "mix oysters and cream"),
        (
            "boil the onion . mix flour , baking_powder and sugar . drop by spoonfuls onto a sheet . cool .",
            "onion flour baking_powder sugar",
            finding.UNBAKED,
            "mix flour , baking powder and sugar",
        ),
        ("mix black beans and cream . chill .", "black_beans cream", finding.RAW, "mix black beans and cream"),
    ],
)
def test_faults_are_found(text: str, items: str, kind: str, passage: str) -> None:
    assert found(text, *items.split()) == [(kind, passage)]


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("mix flour and butter . roll out the dough . bake .", "flour butter"),
        ("beat half the butter with eggs . add remaining butter . fry .", "eggs butter"),
        ("chop the onion ; set aside . fry the chicken . add the onion .", "onion chicken"),
        ("mix flour and half the sugar . add remaining sugar . bake .", "flour sugar"),
        ("add rotini to the soup . simmer .", "rotini"),
        ("mix flour and yeast . let rise . bake .", "flour yeast"),
        ("soak the black beans . simmer .", "black_beans"),
        ("preheat oven . add chicken to the onion and bake .", "chicken onion"),
        ("beat 1/2 cup sugar . bake .", "sugar"),
        ("beat up to 3 cups sugar . bake .", "sugar"),
        ("beat the sugar . bake . variation : beat 3 cups sugar .", "sugar"),
        ("mix flour and sugar . bake . to microwave : mix flour and sugar .", "flour sugar"),
        ("heat a pan . add the eggs . fry .", "eggs"),
        ("topping : <br> mix flour and sugar . bake .", "flour sugar"),
        ("mix 1 to 2 cups sugar and eggs . bake .", "sugar eggs"),
        ("mix 3 cups icing sugar and eggs . bake .", "sugar eggs"),
        ("beat the sugar . bake . i also make one with 3 cups sugar .", "sugar"),
        ("beat the eggs . add flour and sugar . mix the flour , sugar and eggs . bake .", "flour sugar eggs"),
        ("shake flour in a bag ; set aside . put the chicken in the bag . fry .", "flour chicken"),
        ("clean the cockles ; set aside . heat the cream . add clams .", "cockles cream"),
        ("mix in a bowl the flour and eggs . bake .", "flour eggs"),
        ("bake the flour . it is the flour that it is served with .", "flour"),
        ("grind chicken . fill into casings .", "chicken"),
        ("mix onion and cream . chill . add the onion to the sauce .", "onion cream"),
        ("mix flour and sugar . for each cup of juice , beat 3 cups sugar . bake .", "flour sugar"),
        ("mix eggs . syrup : boil 3 cups sugar .", "sugar eggs"),
        ("add the onion ingredients . fry .", "onion"),
        ("add flour and yeast to the machine . select white bread .", "flour yeast"),
        ("mix sugar into the eggs . beat the batter . fry .", "eggs sugar"),
        ("serve over chicken .", "chicken"),
        ("cut into , but not through , the onion . bake .", "onion"),
        ("mix chicken and cream . nuke 4 minutes .", "chicken cream"),
        ("bake the onion with all that you can think of .", "onion"),
        ("roll the onion into rounds 7 in in diameter . bake .", "onion"),
        ("mix first four . fry . add to the sugar mixture . bake .", "sugar onion"),
        ("add a mixture of flour and one half cup of sugar . bake .", "flour sugar"),
        ("mix flour and 3 cups sugar syrup . bake .", "flour sugar"),
        ("drain eggs , reserving 3 cups sugar . bake .", "eggs sugar"),
        ("stir one-fourth of the eggs into cream . fold remaining eggs into the cream . bake .", "eggs cream"),
        ("beat the eggs and reserve some . stir remaining eggs into cream . bake .", "eggs cream"),
        ("mix all except some of the cream . fry . add the remaining cream .", "cream onion"),
        ("mix sugar and eggs . boil cream . beat the sugar and eggs until light . bake .", "sugar eggs cream"),
        ("mix flour and sugar . it can also be made in a pan . add sugar . bake .", "flour sugar"),
        ("mix flour and baking_powder . shape ; drop into the water . simmer .", "flour baking_powder"),
        ("boil the cream . drop flour and baking_powder into it . serve .", "cream flour baking_powder"),
        ("bake the eggs with all that it goes with .", "eggs"),
        ("mix flour and yeast . press start .", "flour yeast"),
        ("cook the onion . rinse chicken . store in a jar .", "onion chicken"),
        ("bake the potatoes . variation : add chicken .", "potatoes"),
        ("heat the water . stir in the eggs .", "eggs"),
        ("pour into a glass over ice . stir .", "cream"),
        ("bake the cream . chop the onion and set aside . store in a jar .", "onion cream"),
        (
            "rinse rotini with the salt . cook noodles in water . drain ; set aside . fry eggs . add noodles .",
            "rotini eggs",
        ),
    ],
)
def test_sound_texts_have_no_findings(text: str, items: str) -> None:
    assert found(text, *items.split()) == []


@pytest.mark.parametrize(
    ("goal", "text", "kinds"),
    [
        ("pie", "slice the cream . bake .", [finding.IMPOSSIBLE]),
        ("pie", "rinse flour and sugar . bake .", [finding.IMPOSSIBLE]),
        ("pie", "slice the onion in the cream . bake .", []),
        ("pie", "rinse the sugar from the onion . bake .", []),
        ("pie", "beat the potatoes until smooth . bake .", []),
        ("frittata", "in a bowl , stir together the eggs . bake .", []),
        ("frittata", "cook eggs in boiling water . drain .", [finding.IMPOSSIBLE]),
        ("frittata", "cook the onion . add the eggs . drain .", [finding.IMPOSSIBLE]),
        ("frittata", "cook the onion . add the beaten eggs .", []),
        ("dressing", "mix flour and cream . knead . bake .", [finding.OTHER_DISH]),
        ("sauce", "mix flour and cream . knead the dough . bake .", [finding.OTHER_DISH]),
        ("turnovers", "mix flour and cream . bake .", [finding.OTHER_DISH]),
        ("turnovers", "mix flour and cream . fold and bake .", []),
        ("meatballs", "mix chicken and eggs . bake .", [finding.OTHER_DISH]),
        ("salad", "cook eggs in boiling water . drain .", []),
    ],
)
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
