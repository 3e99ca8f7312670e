"""Texts that look equal are compared as equal."""

from __future__ import annotations

from cases import cases

from allsaid.language.characters import comparable
from allsaid.language.text import normalize
from allsaid.language.word_table import AS_WRITTEN, normalise


@cases
def test_the_form_in_which_texts_are_compared(text: str, form: str) -> None:
    assert comparable(text) == form


def test_words_of_texts_and_of_recipes_have_one_form() -> None:
    assert normalise("Zoe\u0308's T\u2011shirt of l\u200binen", AS_WRITTEN)[0] == [
        "zoë",
        "'s",
        "t-shirt",
        "of",
        "linen",
    ]
    assert normalize("Pure\u0301e the sa\u00adlt") == "Purée the salt"
