"""Numbers in words are read as digits, with the words that they are."""

from __future__ import annotations

import pytest

from allsaid.language.number_words import in_digits

UNITS = {(unit,) for unit in ("kilo", "kilos", "litre", "hour", "hours", "stunden", "heures")} | {("square", "metre")}


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("en", "five out of five", "5 out of 5"),
        ("en", "two and a half kilos", "2.5 kilos"),
        ("en", "two kilos and a half", "2.5 kilos"),
        ("en", "a kilo and a half", "1.5 kilo"),
        ("en", "half a litre", "0.5 litre"),
        ("en", "three quarters of an hour", "0.75 hour"),
        ("en", "one and three quarters hours", "1.75 hours"),
        ("en", "a dozen", "12"),
        ("en", "half a dozen", "6"),
        ("en", "1.5 million people", "1500000 people"),
        ("en", "nineteen ninety-nine", "1999"),
        ("en", "a two-person tent", "a 2 - person tent"),
        ("en", "one litre", "1 litre"),
        ("en", "one to four", "1 to 4"),
        ("en", "between one and 4 litre", "between 1 and 4 litre"),
        ("en", "from one , a litre", "from 1 , a litre"),
        ("en", "they are aged one", "they are aged 1"),
        ("en", "one square metre", "1 square metre"),
        ("de", "zweieinhalb stunden", "2.5 stunden"),
        ("de", "anderthalb stunden", "1.5 stunden"),
        ("de", "für fünfundzwanzig", "für 25"),
        ("fr", "deux heures et demi", "2.5 heures"),
    ],
)
def test_numbers_in_words(language: str, text: str, expected: str) -> None:
    found = in_digits(text.split(), UNITS, language)
    assert found is not None
    assert " ".join(one.word for one in found) == expected


@pytest.mark.parametrize(
    "text",
    [
        "one of the best",
        "this one",
        "the 2 litre one",
        "from one tree",
        "one to one",
        "no one",
        "the second floor",
        "10 100",
        "half-hour",
    ],
)
def test_words_that_are_no_numbers(text: str) -> None:
    assert " ".join(one.word for one in in_digits(text.split(), UNITS) or ()) in ("", text)


def test_a_number_has_the_span_of_its_words() -> None:
    found = in_digits(["it", "weighs", "two", "and", "a", "half", "kilos", "."], UNITS)
    assert found is not None
    assert [(one.word, one.start, one.end) for one in found][2:4] == [("2.5", 2, 6), ("kilos", 6, 7)]


def test_an_unknown_language_is_left_alone() -> None:
    assert in_digits(["two", "kilos"], UNITS, "pl") is None
