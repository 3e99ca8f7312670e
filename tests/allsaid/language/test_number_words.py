"""Numbers in words are read as digits, with the words that they are."""

from __future__ import annotations

from cases import cases

from allsaid.language.number_words import in_digits

UNITS = {(unit,) for unit in ("kilo", "kilos", "litre", "hour", "hours", "stunden", "heures")} | {("square", "metre")}


@cases
def test_numbers_in_words(language: str, text: str, expected: str) -> None:
    found = in_digits(text.split(), UNITS, language)
    assert found is not None
    assert " ".join(one.word for one in found) == expected


@cases
def test_words_that_are_no_numbers(text: str) -> None:
    assert " ".join(one.word for one in in_digits(text.split(), UNITS) or ()) in ("", text)


def test_a_number_has_the_span_of_its_words() -> None:
    found = in_digits(["it", "weighs", "two", "and", "a", "half", "kilos", "."], UNITS)
    assert found is not None
    assert [(one.word, one.start, one.end) for one in found][2:4] == [("2.5", 2, 6), ("kilos", 6, 7)]


def test_an_unknown_language_is_left_alone() -> None:
    assert in_digits(["two", "kilos"], UNITS, "pl") is None
