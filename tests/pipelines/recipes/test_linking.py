"""The rules of string-match supervision, one by one.

A text is written with its expected references: ``flour|n1`` is the first mention (new) of item 1, ``|u1`` a
later one (used), ``|?`` unsupervised; a token without a mark refers to nothing.
"""

from __future__ import annotations

import pytest

from pipelines.recipes.linking import link
from schemas.example import NEW, NO_ITEM, NONE, UNSUPERVISED, USED

KINDS = {"n": NEW, "u": USED, "?": UNSUPERVISED}


def check(agenda: str, marked: str) -> None:
    tokens: list[str] = []
    types: list[int] = []
    items: list[int] = []
    for part in marked.split():
        token, _, mark = part.partition("|")
        tokens.append(token)
        types.append(KINDS[mark[0]] if mark else NONE)
        items.append(int(mark[1:]) if mark[1:] else NO_ITEM)
    found_types, found_items = link([name.split() for name in agenda.split("; ")], tokens)
    assert list(zip(tokens, found_types, found_items, strict=True)) == list(zip(tokens, types, items, strict=True))


@pytest.mark.parametrize(
    ("agenda", "marked"),
    [
        pytest.param("eggs; flour", "beat the egg|n0 with flour|n1 . add egg|u0", id="first new, later used, by stem"),
        pytest.param("bay leaves", "take a bay|n0 leaf|n0 out", id="irregular plural"),
        pytest.param("flour; butter", "turn onto a floured board ; grease with butter|n1", id="-ed is no name"),
        pytest.param("ranch dressing", "add the dressing|n0 and dressings|u0", id="a name in -ing"),
        pytest.param("oil; salt", "oil the pan . add salt|n1", id="first word of a sentence"),
        pytest.param("oil; salt", "( oil the pan ) and salt|n1", id="bracket is no first word"),
        pytest.param("cake mix; sugar", "in a bowl , mix sugar|n1", id="after a comma"),
        pytest.param("salt; oil; rice", "add salt|n0 , oil|n1 , and rice|n2 .", id="comma after a first reference"),
        pytest.param("salt; oil", "to this , salt , and oil|n1 are added", id="skipped ones are no first reference"),
        pytest.param("salt", "stir <br> salt it . then salt|n0", id="line break begins a sentence"),
        pytest.param("olive_oil; salt", "add oil|n0 or olive_oil|u0", id="phrase by its head"),
        pytest.param("olive_oil", "add some olive|n0 now", id="phrase by another word"),
        pytest.param("butter; bread", "spread peanut_butter on bread|n1", id="other phrase with the same head"),
        pytest.param("brown sugar; baking powder", "fry until brown in a baking dish", id="describing words"),
        pytest.param("lemon juice; lemon", "add lemon|n1 and lemon|n0 juice|n0", id="whole name before other word"),
        pytest.param("tomato sauce; tomatoes", "chop tomatoes|n1 ; warm sauce|n0", id="head before other word"),
        pytest.param("cream of mushroom soup", "pour the cream|n0 of|n0 mushroom|n0 soup|n0 in", id="long mention"),
        pytest.param("butter or margarine", "melt margarine|n0 , then butter|u0", id="alternatives"),
        pytest.param("sugar; salt; sugar", "add sugar|n0 , more sugar|n2 , and sugar|u2", id="one name twice"),
        pytest.param("cheddar cheese; goat cheese", "grate the cheese|? here", id="two kinds, none mentioned"),
        pytest.param(
            "cheddar cheese; goat cheese",
            "add cheddar|n0 . melt cheese|u0 . add goat|n1 cheese|n1 . the cheese|? melts",
            id="two kinds, one mentioned",
        ),
        pytest.param("salt; rice", "mix all|? the|? remaining|? ingredients|? with salt|n0", id="catch-all"),
        pytest.param("salt; rice", "cook everything|? with rice|n1", id="everything"),
        pytest.param("salt", "use 2 1/2 cups .", id="numbers and stops"),
    ],
)
def test_rules(agenda: str, marked: str) -> None:
    check(agenda, marked)


def test_empty() -> None:
    assert link([["salt"]], []) == ([], [])
    assert link([[], ["salt"]], ["use", "salt"]) == ([NONE, NEW], [NO_ITEM, 1])
