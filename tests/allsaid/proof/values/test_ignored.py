"""A value of a column that the mapping ignores is true: it is not extra, unless it is in the place of another."""

from __future__ import annotations

import pytest
import yaml
from cases import cases

from allsaid.proof.values.matching import measure_values
from batch_infer.rows import facts
from batch_infer.rows.kinds import tables
from batch_infer.rows.known import ignored_in
from pipelines.sources.records.mapping import parse_mapping
from pipelines.sources.records.tables.layout import Row

MAPPING = parse_mapping(
    {
        "goal": "kind",
        "text": "text",
        "language": "en",
        "columns": {
            "name": "value",
            "colour": "value",
            "price": {"kind": "number", "unit": "EUR", "also": ["€"]},
            "weight": {"kind": "number", "unit": "kg"},
        },
    },
    "mapping",
)
ROW = ["name=Alder", "colour=blue", "price=24.90 EUR", "weight=2 kg"]
IGNORED = [
    "In stock since=04.05.2026",
    "Old price (EUR)=29.90",
    "Parcel (kg)=3,5",
    "Stock=12",
    "Rating=4.5",
    "Supplier=Oak & Co",
    "Accent=red",
    "Depth=30-40 cm",
    "Sold out=x",
    "EAN=4006381333931",
]
RIGHT = "The Alder is a blue bag of 2 kg for 24.90 EUR."
KNOWN = facts.inventory_of({"colour": ["blue", "red", "dark red", "green"], "name": ["Alder", "Birch"]}, MAPPING)


def extra(text: str) -> list[str]:
    own = facts.facts_of(ROW, MAPPING)
    return measure_values(facts.text_of(text, MAPPING), own, KNOWN, (), facts.ignored_of(IGNORED, MAPPING)).extra


@pytest.mark.parametrize(
    "more",
    [
        "In stock since 4 May 2026.", "New on 2026-05-04.", "It was 29.90 EUR.", "The parcel weighs 3.5 kg.",
        "As a parcel, it is 3,500 g.", "We have 12 in stock.", "Rated 4.5.", "By Oak & Co.", "With red seams.",
        "It is 30 to 40 cm deep.", "EAN 4006381333931.",
    ],
)  # fmt: skip
def test_what_ignored_columns_hold_is_not_extra(more: str) -> None:
    assert extra(f"{RIGHT} {more}") == []


@cases
def test_another_value_than_an_ignored_one_is_extra(more: str, found: list[str]) -> None:
    assert extra(f"{RIGHT} {more}") == found


@cases
def test_a_value_in_the_place_of_another_is_extra(text: str, found: list[str]) -> None:
    """A text has the old price in place of the price; where it names its column, it is right."""
    assert extra(text) == found


OMITTING = {
    "id": "nr",
    "goal": "kind",
    "columns": {"name": {"kind": "value", "may_omit": True}, "size": "value", "Stock": "ignored"},
}


def test_an_id_is_parsed_only_if_the_text_has_it() -> None:
    mapping, lines = parse_mapping(OMITTING, "m"), ["nr=r17", "Stock=12"]
    assert [*ignored_in("A blue bag.", lines, mapping)] == ["Stock=12"]
    assert [*ignored_in("A blue bag (R17).", lines, mapping)] == lines


def test_values_that_may_be_left_out_are_not_ignored() -> None:
    cells = {"nr": "r17", "kind": "bag", "name": "Alder", "size": "L", "Stock": "12"}
    record = tables.record(Row(0, b"", cells), yaml.safe_dump(OMITTING))
    assert (record.agenda, record.omissible, record.ignored) == (("size=L",), ("name=Alder",), ("nr=r17", "Stock=12"))
