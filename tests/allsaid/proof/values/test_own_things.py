"""What readers bring, pay for or may do says nothing about other things of the same sentence."""

from __future__ import annotations

import pytest

from allsaid.proof.values.matching import measure_values
from batch_infer.rows import facts
from pipelines.sources.records.mapping import parse_mapping
from schemas.texts.finding import WRONG


@pytest.mark.parametrize(
    ("line", "text", "is_wrong"),
    [
        ("pool=yes", "Bring your own towel for the pool.", False),
        ("wifi=yes", "Bring your own laptop to work over our fast wifi.", False),
        ("electric=yes", "You can fit your own pedals to this electric bike.", False),
        ("dogs_allowed=yes", "You are welcome to bring your own dog.", False),
        ("dogs_allowed=no", "You are welcome to bring your own dog.", True),
        ("lights=no", "You will have to bring your own lights.", False),
        ("lights=yes", "You will have to bring your own lights.", True),
        ("low_maintenance=yes", "It does not need much maintenance.", False),
        ("low_odour=no", "The odour is not strong.", True),
        ("breakfast=yes", "The breakfast leaves nothing to be desired.", False),
        ("batteries_included=yes", "It needs two batteries, which come in the box.", False),
        ("batteries_included=yes", "It needs two batteries.", True),
        ("padded_case=yes", "The padded case rules out scratches.", False),
        ("lid=yes", "Raccoons are unable to open the lid.", False),
        ("gift_wrapping=yes", "We are unable to gift-wrap it.", True),
        ("pool=yes", "It is no place for a dull day: the pool is open.", False),
        ("children=yes", "It is no place for children.", True),
        ("parking_free=no", "Parking costs five euros a day.", False),
        ("parking_free=yes", "Parking costs five euros a day.", True),
        ("free_parking=no", "Parking costs five euros a day.", False),
        ("breakfast_included=yes", "Breakfast costs nothing.", False),
        ("coffee_free=yes", "This blend is coffee-free.", False),
    ],
)
def test_only_the_thing_itself_is_denied(line: str, text: str, is_wrong: bool) -> None:
    name = line.partition("=")[0]
    mapping = parse_mapping({"goal": "kind", "language": "en", "columns": {name: "yes/no"}}, "mapping")
    known = facts.inventory_of({name: ["yes", "no"]}, mapping)
    found = measure_values(facts.text_of(text, mapping), facts.facts_of([line], mapping), known)
    assert any(finding.grade == WRONG and finding.column == name for finding in found.findings) is is_wrong
