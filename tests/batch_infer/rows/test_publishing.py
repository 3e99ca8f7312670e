"""Placeholders of a generated text become the values of the agenda."""

from __future__ import annotations

from dataclasses import replace

import pytest

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


@pytest.mark.parametrize(
    ("value", "english", "other"),
    [
        ("1 years", "1 year", "1 years"),
        ("11 years", "11 years", "11 years"),
        ("8 GB", "an 8 GB", "a 8 GB"),
        ("11.6 inch", "an 11.6 inch screen", "a 11.6 inch screen"),
        ('"8"', 'an "8"', 'a "8"'),
        ("USB hub", "a USB hub", "a USB hub"),
        ("1 meses", "1 mese", "1 meses"),
    ],
)
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


@pytest.mark.parametrize(
    ("value", "behind", "expected"),
    [
        ("4 hour", ["."], "4 hours."),
        ("4 hour", [",", "and", "more"], "4 hours, and more"),
        ("4 hour", ["of", "music"], "4 hours of music"),
        ("1.5 hour", [], "1.5 hours"),
        ("4 hour", ["battery"], "4 hour battery"),  # a noun that it belongs to
        ("4 hours", ["."], "4 hours."),
        ("1 hour", ["."], "1 hour."),
        ("2 kg", ["."], "2 kg."),  # what is not written out
        ("4 people or more", ["."], "4 people or more."),
    ],
)
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
