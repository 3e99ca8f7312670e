"""The certificate of a text: complete, attested, and each value once."""

from __future__ import annotations

from dataclasses import replace

import pytest
from small_forms import IRIS, SHOP, book_of, row_of, text_of, tokens_of

from allsaid.proof.forms.certificate.certify import Certifier

BOOK = book_of(SHOP)
ROW = row_of(*IRIS)
WHOLE = "the NAME is a COLOUR mug . it weighs WEIGHT and is made in LAND . it is dishwasher safe ."


def test_a_text_of_all_its_row_in_known_forms_is_certified() -> None:
    found = Certifier(BOOK, asks_goal=True).certify(tokens_of(WHOLE), ROW)
    assert found.is_certified and found.is_complete and found.states_goal
    assert (found.stated, found.findings, found.repeated) == ([True] * 5, [], 0)


@pytest.mark.parametrize(
    ("written", "stated"),
    [
        ("the NAME is a COLOUR mug . it weighs WEIGHT and is made in LAND .", [True, True, True, True, False]),
        ("the NAME is a mug . it is dishwasher safe .", [True, False, False, False, True]),
        ("the NAME is a mug of COLOUR . it is dishwasher safe .", [False, False, False, False, True]),  # unattested
        ("the NAME is a mug . it is not dishwasher safe .", [True, False, False, False, False]),
        ("", [False] * 5),
    ],
)
def test_a_text_that_lacks_a_value_is_not(written: str, stated: list[bool]) -> None:
    found = Certifier(BOOK, asks_goal=False).certify(tokens_of(written), ROW)
    assert found.stated == stated and not found.is_certified


def test_a_goal_is_asked_for_where_texts_say_theirs() -> None:
    texts = [text_of("the NAME is here .", "name=Iris"), text_of("a mug .")]
    tokens, row = tokens_of("the NAME is here ."), row_of("name=Oak")
    assert Certifier(book_of(texts), asks_goal=False).certify(tokens, row).is_certified
    found = Certifier(book_of(texts), asks_goal=True).certify(tokens, row)
    assert (found.is_certified, found.states_goal, found.stated) == (False, False, [True])


def test_repeated_values_count_unless_training_repeats_them() -> None:
    row = row_of("name=Iris", "colour=red")
    again = tokens_of("the NAME is a COLOUR mug . it comes in COLOUR .")
    found = Certifier(BOOK, asks_goal=False).certify(again, row)
    assert (found.repeated, found.is_complete, found.is_certified) == (1, True, False)
    repeating = replace(BOOK, again=frozenset(("colour",)))
    assert Certifier(repeating, asks_goal=False).certify(again, row).is_certified


def test_the_subject_and_the_goal_may_be_said_again() -> None:
    again = tokens_of("the NAME is a mug . the NAME is a mug .")
    assert Certifier(BOOK, asks_goal=True).certify(again, row_of("name=Iris")).is_certified


def test_each_value_of_a_list_has_to_be_stated() -> None:
    lines = ("made of=oak", "made of=steel", "made of=glass")
    book = book_of([text_of("it is of MADE_OF , MADE_OF_2 and MADE_OF_3 .", *lines)], subject="")
    certifier = Certifier(book, asks_goal=False)
    assert certifier.certify(tokens_of("it is of MADE_OF_2 , MADE_OF and MADE_OF_3 ."), row_of(*lines)).is_certified
    found = certifier.certify(tokens_of("it is of MADE_OF and MADE_OF_3 ."), row_of(*lines))
    assert found.stated == [True, False, True]


def test_a_row_without_items_needs_no_values() -> None:
    book = book_of([text_of("goodbye .", goal="bye")], is_strict=True)
    assert Certifier(book, asks_goal=False).certify(["goodbye", "."], row_of(goal="bye")).is_certified
    for wrong in (["farewell", "."], []):
        assert not Certifier(book, asks_goal=False).certify(wrong, row_of(goal="bye")).is_certified


def test_a_value_beside_words_of_another_column_is_misplaced() -> None:
    """A "sky blue mug for Portugal" is not made in Portugal."""
    row = row_of("name=Iris", "colour=sky blue", "land=Portugal")
    certifier = Certifier(book_of(SHOP * 50), asks_goal=False)
    tokens = tokens_of("the NAME is a COLOUR mug for LAND as a gift .")
    assert certifier.misplaced(tokens, row) == {2}
    assert certifier.certify(tokens, row).stated == [False, False, False]
    assert certifier.misplaced(tokens_of("meet the NAME , a COLOUR mug from LAND with love ."), row) == set()
