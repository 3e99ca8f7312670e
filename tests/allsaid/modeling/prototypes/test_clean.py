"""Cleaning of training recipes before they are edited."""

from __future__ import annotations

from cases import cases

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


@cases
def test_only_steps_are_kept(text: str, kept: str | None) -> None:
    assert cleaned(text) == kept
