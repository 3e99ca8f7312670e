"""Placeholders of a generated text become the values of the agenda."""

from __future__ import annotations

from dataclasses import replace

import pytest
from cases import cases

from allsaid.modeling.text.marks import Marks
from allsaid.modeling.text.restore import Casing
from allsaid.modeling.text.spelling import Spelling
from batch_infer.rows.inputs import Row
from batch_infer.rows.wording import publish

CASING = Casing({"usa": "USA"}, frozenset())


def row(*agenda: tuple[str, str]) -> Row:
    return Row("inform", [line for line, _ in agenda], ["inform"], [[token] for _, token in agenda])


def test_placeholders_are_spelled_like_the_agenda() -> None:
    given = row(("name=the Red Door", "SLOT_NAME"), ("kidsallowed=no", "SLOT_KIDSALLOWED_NO"), ("near", "SLOT_NEAR_?"))
    tokens = ["the", "SLOT_NAME", "does", "not", "allow", "child", "-s", "in", "usa", ",", "SLOT_AREA", "."]
    assert publish(tokens, given, CASING) == "The Red Door does not allow children in USA, SLOT AREA."


def test_texts_without_placeholders_are_restored_as_ever() -> None:
    given = Row("soup", ["2 leeks"], ["soup"], [["leeks"]])
    assert publish(["wash", "leeks", ".", "<br>", "eat", "."], given, CASING) == "Wash leeks.\nEat."


def test_values_that_look_like_marks_stay_unchanged() -> None:
    given = row(("name=SLOT_PRICE <unk> <br> USB_C", "SLOT_NAME"), ("price=5 EUR", "SLOT_PRICE"))
    said = publish(["the", "SLOT_NAME", "costs", "SLOT_PRICE", "."], given, CASING)
    assert said == "The SLOT_PRICE <unk> <br> USB_C costs 5 EUR."


@cases
def test_articles_and_units_fit_in_english_only(value: str, english: str, other: str) -> None:
    given = row((f"size={value}", "SLOT_SIZE"))
    before = [] if value.startswith("1 ") or "years" in value else ["a"]
    tokens = ["it", "has", *before, "SLOT_SIZE", *(["screen"] if value.endswith("inch") else [])]
    assert publish(tokens, given, CASING, english=True) == f"It has {english}"
    assert publish(tokens, given, CASING) == f"It has {other}"


def test_an_article_fits_the_goal_after_it() -> None:
    given = replace(row(("name=Ara", "SLOT_NAME")), goal="black tea", goal_tokens=["black", "tea"])
    assert publish(["SLOT_NAME", "is", "an", "black", "tea"], given, CASING, english=True) == "Ara is a black tea"
    assert publish(["SLOT_NAME", "is", "an", "herb"], given, CASING, english=True) == "Ara is an herb"
    assert publish(["SLOT_NAME", "is", "an"], replace(given, goal=""), CASING, english=True) == "Ara is an"


@cases
def test_a_unit_agrees_with_its_number_where_no_noun_follows(value: str, behind: list[str], expected: str) -> None:
    given = row((f"time={value}", "SLOT_TIME"))
    assert publish(["it", "has", "SLOT_TIME", *behind], given, CASING, english=True) == f"It has {expected}"
    assert publish(["it", "has", "SLOT_TIME", "."], given, CASING) == f"It has {value}."


def test_values_are_spelled_like_training_texts() -> None:
    spelling = Spelling("de", {}, {"colour\t\t*\tein\t*": "es", "colour\t\t*\tin\t*": "^"})
    given = row(("colour=grün", "SLOT_COLOUR"))
    tokens = ["ein", "SLOT_COLOUR", "zelt", "in", "SLOT_COLOUR", "."]
    assert publish(tokens, given, replace(CASING, values=spelling)) == "Ein grünes zelt in Grün."


@pytest.mark.parametrize(
    ("material", "text"),
    [
        ("acier", "L’Orion est-elle d’acier ? Aujourd’hui, oui."),
        ("bois", "L’Orion est-elle de bois ? Aujourd’hui, oui."),
    ],
)
def test_french_is_elided_before_values(material: str, text: str) -> None:
    marks = Marks(before={"?": True}, apostrophe="’")
    casing = replace(CASING, forms={}, values=Spelling("fr"), blanks=marks)
    given = row(("name=Orion", "SLOT_NAME"), (f"material={material}", "SLOT_MATERIAL"))
    tokens = ["l'", "SLOT_NAME", "est", "-elle", "d'", "SLOT_MATERIAL", "?", "aujourd'hui", ",", "oui", "."]
    assert publish(tokens, given, casing) == text


def test_names_with_quotes_stay_whole() -> None:
    given = row(('name=Crown "7"', "SLOT_NAME"), ("maker=O'Neil", "SLOT_MAKER"), ('also=the 9" One', "SLOT_ALSO"))
    tokens = ["the", "SLOT_NAME", "by", "SLOT_MAKER", ",", "or", "the", "SLOT_ALSO", "."]
    assert publish(tokens, given, CASING, english=True) == 'The Crown "7" by O\'Neil, or the 9" One.'


@cases
def test_a_unit_is_not_written_twice(value: str, tokens: str, expected: str) -> None:
    given = row((f"size={value}", "SLOT_SIZE"))
    assert publish(tokens.split(), given, CASING) == expected
