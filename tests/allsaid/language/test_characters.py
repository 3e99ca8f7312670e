"""Texts that look equal are compared as equal."""

from __future__ import annotations

import pytest

from allsaid.language.characters import comparable
from allsaid.language.text import normalize
from allsaid.language.word_table import AS_WRITTEN, normalise


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("Cafe\u0301", "Café"),
        ("l\u200binen", "linen"),
        ("la\u00admp", "lamp"),
        ("T\u2011shirt", "T-shirt"),
        ("\ufeffsku", "sku"),
        ("\u212bngstr\u00f6m", "Ångström"),
        ("lamp\u200d", "lamp"),
        ("plain", "plain"),
        ("\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645", "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"),
    ],
)
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
