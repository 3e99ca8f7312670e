"""Texts assembled from known sentences: which are taken, in which order, and what is left out."""

from __future__ import annotations

import pytest
from small_forms import IRIS, SHOP, book_of, form_of, row_of, text_of, written_of

from allsaid.proof.forms.assembly.assemble import Assembled, Assembler
from allsaid.proof.forms.certificate.attest import Attester
from allsaid.proof.forms.certificate.certify import Certifier
from allsaid.proof.forms.phrasebook import Phrasebook
from schemas.example import Example

BOOK = book_of(SHOP)
ROW = row_of(*IRIS)


def assembled(book: Phrasebook, row: Example, count: int = 1, seed: str = "", **options: object) -> list[Assembled]:
    return Assembler(Attester(book), **options).write(row, count, seed)  # type: ignore[arg-type]


def texts(book: Phrasebook, row: Example, count: int = 1, seed: str = "", **options: object) -> list[str]:
    return [written_of(one.tokens) for one in assembled(book, row, count, seed, **options)]


def test_a_text_has_all_values_of_its_row_once_and_is_certified() -> None:
    (found,) = assembled(BOOK, ROW)
    assert found.missing == 0
    for token in ("SLOT_NAME", "SLOT_COLOUR", "SLOT_WEIGHT", "SLOT_LAND", "dishwasher"):
        assert found.tokens.count(token) == 1
    assert Certifier(BOOK, asks_goal=True).certify(found.tokens, ROW).is_certified


@pytest.mark.parametrize("count", [1, 5])
def test_all_texts_of_all_rows_are_certified(count: int) -> None:
    for row in SHOP:
        found = assembled(BOOK, row, count)
        assert found and len({tuple(one.tokens) for one in found}) == len(found) <= count
        for one in found:
            certificate = Certifier(BOOK, asks_goal=True).certify(one.tokens, row)
            assert not certificate.findings and not certificate.repeated
            assert certificate.is_certified is (one.missing == 0)


def test_the_no_of_a_row_is_said() -> None:
    assert texts(BOOK, row_of("name=A", "safe=no")) == ["the NAME is a mug . it is not dishwasher safe ."]


def test_a_value_that_no_sentence_expresses_is_left_out() -> None:
    (found,) = assembled(BOOK, row_of("name=A", "colour=red", "price=3 EUR"))
    assert "SLOT_PRICE" not in found.tokens and found.missing == 1
    assert {"SLOT_NAME", "SLOT_COLOUR"} <= set(found.tokens)


def test_a_row_without_a_subject_has_no_text() -> None:
    assert texts(BOOK, row_of("colour=red")) == []


LISTS = [
    text_of("it is of MADE_OF .", "made of=oak"),
    text_of("it is of MADE_OF and MADE_OF_2 .", "made of=oak", "made of=steel"),
    text_of("it is of MADE_OF , MADE_OF_2 and MADE_OF_3 .", "made of=oak", "made of=steel", "made of=glass"),
]


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (1, "it is of MADE_OF ."),
        (2, "it is of MADE_OF and MADE_OF_2 ."),
        (3, "it is of MADE_OF , MADE_OF_2 and MADE_OF_3 ."),
        (4, "it is of MADE_OF , MADE_OF_2 , MADE_OF_3 and MADE_OF_4 ."),
    ],
)
def test_a_list_is_enumerated_as_training_texts_do(values: int, expected: str) -> None:
    row = row_of(*(f"made of={value}" for value in ("oak", "steel", "glass", "wool")[:values]))
    assert texts(book_of(LISTS, subject=""), row) == [expected]


def test_the_most_frequent_equal_sentence_is_taken() -> None:
    rare, often = text_of("NAME is a good mug .", "name=A"), text_of("NAME is a nice mug .", "name=A")
    assert texts(book_of([rare, often, often]), row_of("name=B")) == ["NAME is a nice mug ."]
    assert texts(book_of([rare, rare, often]), row_of("name=B")) == ["NAME is a good mug ."]


def test_a_seed_varies_the_wording_and_the_same_seed_does_not() -> None:
    ways = [text_of(f"NAME is a {word} mug .", "name=A") for word in ("good", "nice", "fine", "neat")]
    book, row = book_of([*ways, *ways]), row_of("name=B")
    found = {seed: texts(book, row, seed=seed) for seed in map(str, range(20))}
    assert found == {seed: texts(book, row, seed=seed) for seed in found}
    assert len({text for (text,) in found.values()}) > 2
    assert texts(book, row) == texts(book, row)


def test_a_number_that_the_row_lacks_is_not_written() -> None:
    of_two = [text_of("NAME is a mug with 2 handles .", "name=A")] * 3
    book = book_of([*of_two, text_of("NAME is a mug .", "name=A")])
    assert texts(book, row_of("name=B")) == ["NAME is a mug ."]
    assert texts(book, row_of("name=B", "handles=2"))[0] == "NAME is a mug with 2 handles ."


def test_words_out_of_the_vocabulary_are_not_written() -> None:
    words = set(form_of("the SLOT_NAME is a mug . it comes in SLOT_COLOUR safe"))
    assert texts(BOOK, row_of("name=A", "colour=red"), words=words) == ["the NAME is a mug . it comes in COLOUR ."]
    assert texts(BOOK, row_of("name=A", "safe=yes"), words=words) == ["the NAME is a mug ."]


def test_a_whole_clause_of_a_sentence_may_stand_alone() -> None:
    both = text_of("it is red , and it weighs WEIGHT .", "weight=2 kg")
    known = [text_of("NAME is a mug . it shines .", "name=A"), both, text_of("it weighs much .")]
    row = row_of("name=B", "weight=3 kg")
    (found,) = assembled(book_of(known), row)
    assert found.missing == 0 and Certifier(book_of(known), False).certify(found.tokens, row).is_certified


def test_a_struck_form_is_never_written() -> None:
    book = BOOK.without([form_of("the SLOT_NAME is a GOAL")])
    row = row_of("name=A", "safe=yes")
    assert texts(BOOK, row) == ["the NAME is a mug . it is dishwasher safe ."]
    assert texts(book, row) == ["the NAME is a mug for coffee . it is dishwasher safe ."]


def test_of_an_act_only_its_own_sentences_are_written() -> None:
    known = [text_of("how about NAME ?", "name=A", goal="suggest"), text_of("NAME it is .", "name=A", goal="say")]
    book = book_of(known, subject="", is_strict=True)
    assert texts(book, row_of("name=B", goal="say"), 3) == ["NAME it is ."]
    assert texts(book, row_of("name=B", goal="suggest"), 3) == ["how about NAME ?"]
