"""Cleaning of training recipes before they are edited."""

from __future__ import annotations

import pytest

from allsaid.modeling.prototypes.clean import clean
from allsaid.proof.coverage import Lexicon
from allsaid.proof.foods.hierarchy import load_foods
from schemas.example import NO_ITEM, NONE, Example

LEXICON = Lexicon(dict.fromkeys(load_foods().names.values(), 1), foods=load_foods())


def cleaned(text: str) -> str | None:
    words = text.split()
    references = [NONE] * len(words), [NO_ITEM] * len(words)
    lines, names = ["1 onion", "2 leeks"], [["onion"], ["leeks"]]
    found = clean(Example("a", "", "soup", ["soup"], lines, names, text, words, words, *references, "", 0), LEXICON)
    return None if found is None else " ".join(found.words)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("chop the onion ( my favorite ) . add leeks .", "chop the onion . add leeks ."),
        ("chop the onion . <br> - - cmt ] . <br> add leeks .", "chop the onion . <br> add leeks ."),
        ("chop and fry all ingredients .", "chop and fry onion and leeks ."),
        ("( chop the onion )", None),
        (
            "chop the onion . ) . fry the leeks ( or the onion . ) <br> serve .",
            "chop the onion . fry the leeks . <br> serve .",
        ),
        ("chop the onion ) . ( fry the leeks . . add [ my ] salt .", "chop the onion . fry the leeks . add salt ."),
        ("fry the leeks ( 10 minutes ) .", "fry the leeks ( 10 minutes ) ."),
        ("fry the leeks ( 10 minutes . my favorite ) . add the onion .", "fry the leeks 10 minutes . add the onion ."),
        ("add ( see note [ 2 cups ] below ) salt . chop the onion .", "add salt . chop the onion ."),
        ("chop and fry the filling ingredients .", "chop and fry onion and leeks ."),
        ("fry the onion and the leeks . add the topping ingredients .", None),
    ],
)
def test_only_steps_are_kept(text: str, kept: str | None) -> None:
    assert cleaned(text) == kept
