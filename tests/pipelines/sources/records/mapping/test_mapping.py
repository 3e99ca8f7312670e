"""Mappings: what each key may hold, and the sentences for what it may not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from small_table import MAPPING

from allsaid.proof.forms import mapped
from pipelines.sources.records.mapping import parse_mapping
from pipelines.sources.records.source import Records, Settings
from schemas.errors import UserError


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"goal": None}, "does not say which column is the goal"),
        ({"columns": {}}, "names no columns"),
        ({"columns": {"name": "ignored"}}, "ignores all columns"),
        ({"columns": {"name": "word"}}, "kind 'word'; the valid ones are value, list, yes/no, number, ignored"),
        ({"columns": {"name": {"kind": "value", "unit": "m"}}}, "has 'unit'; the valid keys are kind"),
        ({"columns": {"a b": "value", "A-b": "value"}}, "share the placeholder SLOT_A_B"),
        ({"kolumns": {}}, "has 'kolumns'; the valid keys are id, goal"),
        ({"columns": {"about": "value"}}, "has the text's column 'about' under 'columns:' as well"),
        ({"delimiter": ";;"}, "should be one character"),
        ({"rewrite": {"st": ""}}, "'rewrite' should hold"),
        (
            {"rewrite": {"no more than": "only"}},
            "'rewrite' has 'no more than', but its left side must be a single word",
        ),
        ({"columns": {"name": {"kind": "value", "optional": "maybe"}}}, "'optional' should be true or false"),
        (
            {"columns": {"name": {"kind": "value", "was": ["kind"]}}},
            "'kind' is under 'was:' of 'name', but is a co",
        ),
        (
            {"goal": {"name": "kind", "was": "title"}, "columns": {"name": {"kind": "value", "was": "title"}}},
            "but also under 'was:' of 'kind'",
        ),
        ({"goal": {"column": "kind"}}, "'goal' has 'column'; the valid keys are name, was"),
        ({"claims": ["easy"]}, "'claims' should hold lines of key: value with the keys allowed, forbidden"),
        ({"claims": {"maybe": ["easy"]}}, "'claims' has 'maybe'; the valid keys are allowed, forbidden"),
        ({"claims": {"allowed": [12]}}, "has '12', which has no word"),
        ({"claims": {"allowed": ["Very  easy"], "forbidden": ["very easy"]}}, "under both 'allowed' and 'forbidden'"),
        ({"columns": {"a": {"kind": "value", "say": "It is blue."}}}, "'a': 'say' should have one {} for the value"),
        ({"columns": {"a": {"kind": "list", "say": "It is {} and {}."}}}, "'say' should have one {} for the value"),
        ({"columns": {"a": {"kind": "number", "say": "It is {a}."}}}, "'say' should have one {} for the value"),
        (
            {"columns": {"a": {"kind": "value", "say": "It is {}"}}},
            "'say' should be one sentence that ends with a full",
        ),
        ({"columns": {"a": {"kind": "value", "say": "Yes. It is {}."}}}, "'say' should be one sentence"),
        ({"columns": {"a": {"kind": "yes/no", "say": "It is."}}}, "'say' should hold a sentence for yes, for no"),
        (
            {"columns": {"a": {"kind": "yes/no", "say": {"maybe": "It is."}}}},
            "'say' has 'maybe'; the valid keys are yes",
        ),
        ({"columns": {"a": {"kind": "yes/no", "say": {True: "It is {}."}}}}, "'say' should have no {}"),
        ({"goal": {"was": "kind"}}, "does not say which column is the goal"),
    ],
)
def test_a_bad_mapping(change: dict[str, Any], said: str) -> None:
    with pytest.raises(UserError, match=said):
        parse_mapping({**MAPPING, **change}, "m.yaml")


def test_a_mapping_that_cant_be_read(tmp_path: Path) -> None:
    (tmp_path / "m.yaml").write_text("a: [")
    for path, said in (("", "--mapping"), (str(tmp_path / "m.yaml"), "can't be read"), ("/no/m.yaml", "can't be read")):
        with pytest.raises(UserError, match=said):
            Records().plan([], Settings(mapping=path))


def test_yaml_may_read_yes_and_no_otherwise() -> None:
    mapping = parse_mapping(yaml.safe_load("goal: a\ntext: b\ncolumns: {c: yes/no, d: {kind: yes}}"), "m.yaml")
    assert [column.kind for column in mapping.columns] == ["yes/no", "yes/no"]


def test_claims() -> None:
    mapping = parse_mapping({**MAPPING, "claims": {"allowed": ["a small workshop"], "forbidden": "easy to carry"}}, "")
    assert mapping.allowed == ("a small workshop",)


def test_sentences_for_values() -> None:
    """Ingest checks them, and the phrasebook reads them."""
    columns = yaml.safe_load(
        'a: {kind: value, say: "This {goal} is {}."}\nb: {kind: yes/no, say: {yes: "It is, dear.", no: "It isn\'t!"}}'
    )
    written = {**MAPPING, "columns": columns}
    assert [column.name for column in parse_mapping(written, "m.yaml").columns] == ["a", "b"]
    said = [say.text for say in mapped.read(yaml.safe_dump(written)).says]
    assert said == ["This {goal} is {}.", "It isn't!", "It is, dear."]
