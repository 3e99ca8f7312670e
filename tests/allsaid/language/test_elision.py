"""Words before a value that French texts elide."""

from __future__ import annotations

import pytest

from allsaid.language import elision


@pytest.mark.parametrize(
    ("word", "value", "written"),
    [
        ("d'", "acier", "d'"),
        ("d'", "bois", "de"),
        ("D'", "bois", "De"),
        ("qu'", "Orion", "qu'"),
        ("jusqu'", "Paris", "jusque"),
        ("de", "acier", "d'"),
        ("La", "Épure", "L'"),
        ("du", "étain", "de l'"),
        ("au", "cuivre", "au"),
        ("de", "bois", "de"),
        ("de", "huile", "de"),  # h may be a vowel or not
        ("d'", "8 kg", "d'"),
        ("l'", "bois", "l'"),  # le or la: unknown
        ("en", "acier", "en"),
        ("table", "acier", "table"),
    ],
)
def test_a_word_is_elided_before_a_vowel_only(word: str, value: str, written: str) -> None:
    assert elision.elide(word, value) == written


def test_an_elision_before_a_consonant_is_a_fault() -> None:
    assert [elision.is_misplaced("l'", after) for after in ("bois", "acier", "huile", "8", "")] == [True, *[False] * 4]
    assert not elision.is_misplaced("la", "bois")
