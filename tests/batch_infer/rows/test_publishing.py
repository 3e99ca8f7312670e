"""Placeholders of a generated text become the values of the agenda."""

from __future__ import annotations

from batch_infer.rows.inputs import Row
from batch_infer.rows.wording import publish
from training.tasks.restore import Casing

CASING = Casing({"usa": "USA"}, frozenset())


def row(*agenda: tuple[str, str]) -> Row:
    return Row("inform", [line for line, _ in agenda], ["inform"], [[token] for _, token in agenda])


def test_a_placeholder_is_written_as_the_agenda_writes_its_value() -> None:
    given = row(("name=the Red Door", "SLOT_NAME"), ("kidsallowed=no", "SLOT_KIDSALLOWED_NO"), ("near", "SLOT_NEAR_?"))
    tokens = ["the", "SLOT_NAME", "does", "not", "allow", "child", "-s", "in", "usa", ",", "SLOT_AREA", "."]
    assert publish(tokens, given, CASING) == "The Red Door does not allow children in USA, SLOT AREA."


def test_texts_without_placeholders_are_restored_as_ever() -> None:
    given = Row("soup", ["2 leeks"], ["soup"], [["leeks"]])
    assert publish(["wash", "leeks", ".", "<br>", "eat", "."], given, CASING) == "Wash leeks.\nEat."


def test_a_value_that_looks_like_a_placeholder_or_a_mark_is_written_as_it_is() -> None:
    given = row(("name=SLOT_PRICE <unk> <br> USB_C", "SLOT_NAME"), ("price=5 EUR", "SLOT_PRICE"))
    said = publish(["the", "SLOT_NAME", "costs", "SLOT_PRICE", "."], given, CASING)
    assert said == "The SLOT_PRICE <unk> <br> USB_C costs 5 EUR."
