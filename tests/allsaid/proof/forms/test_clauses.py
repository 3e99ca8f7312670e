"""Sentences and clauses, and what joins them."""

from __future__ import annotations

import pytest
from small_forms import row_of

from allsaid.proof.forms.clauses import cut
from allsaid.proof.forms.symbols import Reader


def clauses(text: str, abbreviations: frozenset[str] = frozenset()) -> list[list[tuple[str, str]]]:
    """The joint and the form of each clause, sentence by sentence."""
    found = cut(Reader().read(text.split(), row_of()), abbreviations)
    return [[(" ".join(one.joint), " ".join(one.form)) for one in sentence.clauses] for sentence in found]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("it is red .", [[("", "it is red")]]),
        ("it is red and weighs much .", [[("", "it is red"), ("and", "weighs much")]]),
        ("it is red , and it shines .", [[("", "it is red"), (", and", "it shines")]]),
        ("it is red ; it shines", [[("", "it is red"), (";", "it shines")]]),
        ("it has one thing : light .", [[("", "it has one thing"), (":", "light")]]),
        ("one . two !", [[("", "one")], [("", "two")]]),
        ("it works without light .", [[("", "it works without light")]]),
    ],
)
def test_clauses_end_at_joints(text: str, expected: list[list[tuple[str, str]]]) -> None:
    assert clauses(text) == expected


def test_leading_conjunctions_stay_and_marks_join_nothing() -> None:
    assert clauses("if you ask , it shines .") == [[("", "if you ask"), (",", "it shines")]]
    assert clauses(", it shines .") == [[(",", "it shines")]]


def test_a_joint_at_the_end_has_an_empty_clause() -> None:
    assert clauses("it is red and .") == [[("", "it is red"), ("and", "")]]


def test_an_abbreviation_ends_no_sentence() -> None:
    assert clauses("it is ca . big .") == [[("", "it is ca")], [("", "big")]]
    assert clauses("it is ca . big .", frozenset(("ca",))) == [[("", "it is ca . big")]]


def test_a_sentence_is_written_with_its_joints_and_its_mark() -> None:
    for text in ("it is red , and it shines !", "it is red"):
        (sentence,) = cut(Reader().read(text.split(), row_of()))
        assert sentence.written == tuple(text.split())
        assert sentence.mark == ("!" if "!" in text else "")
