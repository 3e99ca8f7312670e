"""Other words for values in a mapping: what is read, what is refused, and what linking makes of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from small_table import MAPPING, as_csv, ingest, kept

from batch_infer.rows import facts
from pipelines.linking.delex import relexicalise
from pipelines.sources.records.mapping import parse_mapping
from schemas.act import Slot
from schemas.errors import UserError


def mapping_with(column: str, **keys: Any) -> dict[str, Any]:
    given = MAPPING["columns"][column]
    options = dict(given) if isinstance(given, dict) else {"kind": given}
    return MAPPING | {"columns": MAPPING["columns"] | {column: options | keys}}


@pytest.mark.parametrize(
    ("column", "keys", "message"),
    [
        ("name", {"said": ["cheap"]}, "should hold lines of value: phrases"),
        ("name", {"said": {"cheap": []}}, "has no phrase for 'cheap'"),
        ("name", {"said": {"cheap": ["!"]}}, "which has no word"),
        ("name", {"said": {"cheap": ["Cheap"]}}, "which is the value itself"),
        ("name", {"said": {"cheap": ["low"], "Cheap": ["dear"]}}, "has the value 'Cheap' twice"),
        ("is_waterproof", {"said": {"maybe": ["damp"]}}, "a yes/no column has phrases for yes and no"),
        ("is_waterproof", {"said": {True: ["dry"], False: ["dry"]}}, "for both yes and no"),
        ("price", {"within": "a lot"}, "'within' should be a percentage"),
        ("price", {"within": "80%"}, "'within' should be a percentage"),
        ("name", {"within": "5%"}, "has 'within'; the valid keys are"),
    ],
)
def test_bad_entries_get_a_sentence(column: str, keys: dict[str, Any], message: str) -> None:
    with pytest.raises(UserError, match=message):
        parse_mapping(mapping_with(column, **keys), "m")


def test_other_words_become_the_placeholder_and_come_back(tmp_path: Path) -> None:
    mapping = mapping_with("name", said={"Heron": ["the great grey bird"]})
    row = {"nr": "1", "kind": "Tent", "name": "Heron", "about": "The great grey bird is a tent."}
    ((example, act, _),) = kept(ingest(tmp_path, as_csv([row]), mapping))
    assert " ".join(example.tokens) == "SLOT_NAME is a tent ."
    assert relexicalise(act.tokens, act.slots, act.exceptions) == act.normalised


def test_a_phrase_for_yes_or_no_mentions_its_column(tmp_path: Path) -> None:
    mapping = mapping_with("is_waterproof", said={False: ["keep it indoors"]})
    row = {"nr": "1", "kind": "Tent", "name": "Heron", "is_waterproof": "no", "about": "Heron: keep it indoors."}
    ((example, _, _),) = kept(ingest(tmp_path, as_csv([row]), mapping))
    item = example.agenda.index("is_waterproof=no")
    assert [token for token, ref in zip(example.tokens, example.ref_items, strict=True) if ref == item] == ["indoors"]


def test_a_value_is_as_familiar_as_its_other_words() -> None:
    mapping = parse_mapping(mapping_with("name", said={"Heron": ["great grey bird"]}), "m")
    assert facts.same_values(Slot("name", "heron"), mapping) == ["heron", "great grey bird"]
    assert facts.same_values(Slot("name", "great grey bird"), mapping) == ["great grey bird", "heron"]
    assert facts.same_values(Slot("name", "wren"), mapping) == ["wren"]
    assert facts.same_values(Slot("colour", "red"), None) == ["red"]
