"""Words in lower case that equal a known value: an invented value is extra, a common word that equals a name is not."""

from __future__ import annotations

from itertools import chain

import pytest

from allsaid.proof.usage.names import common_in, mentions_of, with_names
from allsaid.proof.values.facts import Inventory
from allsaid.proof.values.matching import measure_values, read_values
from batch_infer.rows import facts
from pipelines.sources.records.mapping import parse_mapping

MAPPING = parse_mapping(
    {
        "goal": "kind",
        "text": "text",
        "language": "en",
        "columns": {"name": "value", "made_of": {"kind": "list", "separator": ";"}, "colour": "value"},
    },
    "mapping",
)
# The table writes herbs in lower case, but Rose and colours with capitals; texts write only the colours in lower case.
ROWS = [
    (["name=Free", "made_of=Assam", "made_of=mint", "colour=Blue"], "Get Free, of Assam and mint, in a blue tin."),
    (["name=May", "made_of=Assam", "colour=Red"], "In its red tin, May is pure Assam."),
    (
        ["name=Dawn", "made_of=Ceylon", "made_of=Rose", "colour=Green"],
        "Our Dawn mixes Ceylon and Rose. Its tin is green.",
    ),
    (["name=Harbour", "made_of=Ceylon", "colour=White"], "This is Harbour: Ceylon in a white tin."),
]


@pytest.fixture(scope="module")
def known() -> Inventory:
    values: dict[str, list[str]] = {}
    for slot in facts.agenda_slots([line for row, _ in ROWS for line in row], MAPPING):
        values.setdefault(slot.slot, []).append(slot.value)
    first = facts.inventory_of(values, MAPPING)
    readings = (read_values(facts.text_of(text, MAPPING), facts.facts_of(row, MAPPING), first) for row, text in ROWS)
    mentions = chain.from_iterable(map(mentions_of, readings))
    return facts.inventory_of(with_names(values, common_in(line for row, _ in ROWS for line in row), mentions), MAPPING)


@pytest.mark.parametrize(
    ("text", "extra"),
    [
        ("Try Harbour: Ceylon with mint, in a white tin.", ["made_of=mint"]),  # a cell has it in lower case
        ("Try Harbour: Ceylon with Assam, in a white tin.", ["made_of=assam"]),
        ("Try Harbour: Ceylon in a white and blue tin.", ["colour=blue"]),  # texts have it in lower case
        ("Try Harbour: Ceylon in a white tin, for two free days.", []),
        ("Try Harbour at dawn: Ceylon in a white tin. You may like it as prices rose.", []),
    ],
)
def test_lower_case_is_judged_by_cells_and_texts(known: Inventory, text: str, extra: list[str]) -> None:
    found = measure_values(facts.text_of(text, MAPPING), facts.facts_of(ROWS[3][0], MAPPING), known)
    assert found.extra == extra
    assert all(found.given)


def test_a_value_that_no_text_states_is_like_its_column() -> None:
    values = {"name": ["free", "solo"], "colour": ["red", "blue"], "size": ["small"]}
    mentions = [("name", "solo", False), *([("colour", "red", False), ("colour", "red", True)] * 2)]
    assert with_names(values, set(), mentions) == {
        "name": ["Free", "Solo"],
        "colour": ["red", "blue"],
        "size": ["Small"],
    }
    assert with_names(values, {("name", "free")}, mentions)["name"] == ["free", "Solo"]
