"""How values end in German, French and Spanish."""

from __future__ import annotations

from cases import cases

from allsaid.language.endings import endings, with_ending


@cases
def test_the_last_word_of_a_value_ends_as_its_language_has_it(language: str, value: str, forms: str) -> None:
    assert [with_ending(value, one, language) for one in endings(language)] == forms.split()


def test_what_is_no_word_of_a_known_language_stays() -> None:
    assert endings("en") == endings("") == ()
    assert with_ending("hell grün", "es", "de") == "hell grünes"
    assert with_ending("RAL 7016", "e", "de") == "RAL 7016"
