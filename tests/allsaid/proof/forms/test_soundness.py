"""What people's errors may not become: one test for each rule of the module's docstring."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from small_forms import book_of, text_of

from allsaid.proof.forms import soundness
from schemas.example import Example


def known(texts: Sequence[Example], **options: Any) -> set[str]:
    return {" ".join(one.words) for one in book_of(texts, **options).sentences}


def test_rare_beginnings_begin_no_sentence() -> None:
    often = [text_of("it is WEIGHT .", "weight=2 kg")] * 24
    once = text_of("is WEIGHT .", "weight=3 kg")
    assert known([*often, once]) == {"it is SLOT_WEIGHT ."}  # 1 of 25 places of "is"
    assert "is SLOT_WEIGHT ." in known([*often[:18], once])  # too few places to know
    assert "is SLOT_WEIGHT ." in known([*often[:18], once, once])  # a tenth of them


def test_two_words_that_often_begin_sentences_may_begin_one() -> None:
    often = [text_of("it is WEIGHT and in COLOUR now .", "weight=2 kg", "colour=red")] * 60
    twice = [text_of("in LAND .", "land=Peru")] * 2
    assert "in SLOT_LAND ." in known([*often, *twice])
    assert "in SLOT_LAND ." not in known([*often, twice[0]])


def test_a_word_twice_in_a_row_is_an_error() -> None:
    assert known([text_of("it is is red .")]) == known([text_of("it is red , red red .")]) == set()
    assert known([text_of("no ! no !")]) == {"no !"}


def test_a_value_s_own_word_beside_it_is_an_error() -> None:
    others = [text_of("it has COLOUR .", "colour=red")] * 11
    again = text_of("it has SIZE inch .", "size=15 inch")
    assert known([*others, again]) == {"it has SLOT_COLOUR ."}
    # A word that a tenth of the texts have is no value's own.
    assert "it has SLOT_SIZE inch ." in known([*others[:8], again])
    assert "it has SLOT_SIZE cm ." in known([*others, text_of("it has SIZE cm .", "size=15 inch")])


def test_a_known_value_that_the_row_lacks_is_an_error() -> None:
    texts = [text_of("it is red .", "colour=blue"), text_of("it is COLOUR .", "colour=red")]
    assert known(texts, values=["red"]) == {"it is SLOT_COLOUR ."}
    assert known(texts) == {"it is SLOT_COLOUR .", "it is red ."}


def test_a_placeholder_that_the_row_lacks_is_an_error() -> None:
    assert known([text_of("it is COLOUR .", "land=Peru")]) == set()


def test_a_yes_of_a_row_that_says_no_is_an_error() -> None:
    wrong = text_of("it is dishwasher safe .", "safe=no")
    assert known([wrong]) == set()
    assert known([text_of("it is not dishwasher safe .", "safe=yes")]) == set()
    assert known([text_of("it is dishwasher safe .", "safe=yes")]) == {"it is dishwasher|SLOT_SAFE_YES safe ."}
    assert known([text_of("it is not dishwasher safe .", "safe=no")]) == {"it is not dishwasher|SLOT_SAFE_NO safe ."}


def test_no_needs_no_negation_if_several_rows_agree() -> None:
    once = text_of("keep it off the dishwasher .", "safe=no")
    assert known([once]) == set()
    assert known([once, once]) == {"keep it off the dishwasher|SLOT_SAFE_NO ."}


def test_verbless_sentences_need_several_equal_beginnings() -> None:
    """ "It" is a subject, since "weighs" and "shines" follow it and also go on without it."""
    texts = [text_of("it weighs much and shines ."), text_of("it shines and weighs much .")]
    part = text_of("part of a line .")
    assert "part of a line ." not in known([*texts, part])
    assert "part of a line ." in known([*texts, part, text_of("part of all .")])
    assert "the part shines ." in known([*texts, text_of("the part shines .")])
    assert "part of a line ." in known([part])  # no verb is known


@pytest.mark.parametrize(("yes", "kept"), [(3, False), (4, True)])
def test_contradictory_words_state_neither_yes_nor_no(yes: int, kept: bool) -> None:
    texts = [text_of("the dishwasher ? fine .", "safe=yes")] * yes + [text_of("the dishwasher ? fine .", "safe=no")]
    assert ("the dishwasher|SLOT_SAFE_YES ?" in known(texts)) is kept
    assert "the dishwasher|SLOT_SAFE_NO ?" not in known(texts)


@pytest.mark.parametrize("word", ["prduct", "prroduct", "produkt", "porduct"])
def test_a_misspelt_word_is_an_error(word: str) -> None:
    often = [text_of("a product .")] * 5
    wrong = text_of(f"a {word} .")
    assert known([*often, wrong]) == {"a product ."}
    assert known([*often, wrong, wrong]) == {"a product .", f"a {word} ."}  # two texts don't err alike
    assert f"a {word} ." in known([*often[:4], wrong])  # "product" itself is rare


@pytest.mark.parametrize("word", ["products", "pradukt", "production"])
def test_another_word_is_no_misspelt_one(word: str) -> None:
    assert f"a {word} ." in known([*[text_of("a product .")] * 5, text_of(f"a {word} .")])


def test_of_many_clauses_those_of_one_text_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [text_of("one ."), text_of("two ."), text_of("two .")]
    assert known(texts) == {"one .", "two ."}
    monkeypatch.setattr(soundness, "MAX_DIFFERENT", 1)
    assert known(texts) == {"two ."}


def test_varied_wording_needs_confirmation(monkeypatch: pytest.MonkeyPatch) -> None:
    """By others with the same three symbols in a row, wherever they are."""
    texts = [text_of(f"{one} .") for one in ("a red one", "now a red one", "a red one too", "it shines", "we like it")]
    assert len(known(texts)) == 5  # too few clauses to tell
    monkeypatch.setattr(soundness, "CROWD_CLAUSES", 5)
    assert known(texts) == {"a red one ."}
    assert known([*texts, *texts]) == known(texts * 3)  # two texts have each


def test_at_most_so_many_clauses_are_kept_the_frequent_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(soundness, "MAX_FORMS", 1)
    assert known([text_of("one ."), text_of("two ."), text_of("two .")]) == {"two ."}
