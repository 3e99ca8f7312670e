"""Words before a value that French texts elide."""

from __future__ import annotations

from cases import cases

from allsaid.language import elision


@cases
def test_a_word_is_elided_before_a_vowel_only(word: str, value: str, written: str) -> None:
    assert elision.elide(word, value) == written


def test_an_elision_before_a_consonant_is_a_fault() -> None:
    assert [elision.is_misplaced("l'", after) for after in ("bois", "acier", "huile", "8", "")] == [True, *[False] * 4]
    assert not elision.is_misplaced("la", "bois")
