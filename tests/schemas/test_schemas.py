"""Each border: dataclass, Arrow schema and rules name the same columns; Parquet gives back what was written."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pipelines.validation.rules import check, columns_of, derive, words
from schemas import example, phrase, recipe
from schemas.checks.table import Int8, Int16, Int32, SchemaMismatch, check_schema, from_table, to_table, versioned
from schemas.errors import UserError
from schemas.runs import rejected
from schemas.runs.manifest import Manifest
from schemas.texts import generated

BORDERS = {
    "recipe": (recipe.Recipe, recipe.RECIPE, recipe.RULES),
    "example": (example.Example, example.EXAMPLE, example.RULES),
    "rejected": (rejected.Rejected, rejected.REJECTED, rejected.RULES),
    "phrase": (phrase.Phrase, phrase.PHRASE, phrase.RULES),
    "generated": (generated.Generated, generated.GENERATED, generated.RULES),
}

ROWS: dict[str, Any] = {
    "recipe": recipe.Recipe(
        "a" * 16,
        "Crème à l'orange",
        [],
        "",
        [recipe.Ingredient("1 1/2", "T", "cream", ""), recipe.Ingredient("", "", "zest", "TOPPING")],
        ["Whip.", "Chill at 4 °C."],
        "a.mmf",
        7,
        "cp437",
    ),
    "example": example.Example(
        "b" * 16, "c" * 16, "", [], [], [["sour", "cream"], []], "", ["stir"], ["Stir"], [0], [-1], "a.mmf", 2**40
    ),
    "rejected": rejected.Rejected("read", "no_title", "", "", "a.mmf", 0, b"\x00\xf8\xff"),
    "phrase": phrase.Phrase(2, "extra_virgin", "olive_oil", 3, 5, 7, 11, 0.25),
    "generated": generated.Generated(
        *("1", "soup", ["peas"], "", [], [], [], ["peas"], []),
        *(None, None, None, None, None, "recipes", "3", "no items"),
        unfamiliar=["goal=soup"],
        origin=None,
    ),
}


@pytest.mark.parametrize("border", BORDERS)
def test_dataclasses_and_schemas_have_equal_columns(border: str) -> None:
    row_type, schema, _ = BORDERS[border]
    assert [field.name for field in dataclasses.fields(row_type)] == schema.names


@pytest.mark.parametrize("border", BORDERS)
def test_rules_are_distinct_and_name_schema_columns(border: str) -> None:
    _, schema, rules = BORDERS[border]
    assert columns_of(rules) <= set(schema.names)
    assert len({words(rule) for rule in rules}) == len(rules)


@pytest.mark.parametrize("border", BORDERS)
def test_a_row_survives_parquet_and_its_file_fits_the_schema(border: str, tmp_path: Path) -> None:
    row_type, schema, _ = BORDERS[border]
    pq.write_table(to_table([ROWS[border]], schema), tmp_path / "a.parquet")
    table = pq.read_table(tmp_path / "a.parquet")
    check_schema(table.schema, schema, "a.parquet")
    assert from_table(table, row_type) == [ROWS[border]]


@dataclasses.dataclass(frozen=True)
class Part:
    name: str
    place: Int32


@dataclasses.dataclass(frozen=True)
class Whole:
    id: str
    places: list[list[Int8]]
    share: float | None
    size: Int16 | None
    flags: list[bool]
    parts: list[Part]
    head: bytes
    offset: int


def test_the_schema_is_that_of_the_dataclass() -> None:
    part = pa.struct([pa.field("name", pa.string(), nullable=False), pa.field("place", pa.int32(), nullable=False)])
    columns = [
        pa.field("id", pa.string(), nullable=False),
        pa.field("places", pa.list_(pa.list_(pa.int8())), nullable=False),
        pa.field("share", pa.float64()),
        pa.field("size", pa.int16()),
        pa.field("flags", pa.list_(pa.bool_()), nullable=False),
        pa.field("parts", pa.list_(part), nullable=False),
        pa.field("head", pa.binary(), nullable=False),
        pa.field("offset", pa.int64(), nullable=False),
    ]
    found = versioned("whole", 3, Whole)
    assert found.equals(pa.schema(columns, metadata={"allsaid.schema": "whole/3"}), check_metadata=True)
    rows = [Whole("a", [[1], []], None, 3, [True], [Part("b", 7), Part("c", 5)], b"\xff", 1 << 40)]
    assert from_table(to_table(rows, found), Whole) == rows


def carrying(version: str, *columns: tuple[str, pa.DataType]) -> pa.Schema:
    return pa.schema(columns, metadata={"allsaid.schema": version})


def test_the_name_of_a_lists_child_is_not_part_of_the_type() -> None:
    wanted = carrying("x/1", ("a", pa.list_(pa.list_(pa.field("item", pa.int8())))))
    found = carrying("x/1", ("a", pa.list_(pa.field("element", pa.list_(pa.field("element", pa.int8()))))))
    check_schema(found, wanted, "a.parquet")


@pytest.mark.parametrize(
    ("found", "sentence"),
    [
        (carrying("x/2", ("a", pa.int8())), "a.parquet says it is 'x/2', .* reads 'x/1'"),
        (pa.schema([pa.field("a", pa.int8())]), "a.parquet says it is 'of no Allsaid schema'"),
        (carrying("x/1", ("b", pa.int8())), "a.parquet has no column 'a'"),
        (carrying("x/1", ("a", pa.int16())), "column 'a' is int16, expected int8"),
        (carrying("x/1", ("a", pa.list_(pa.int8()))), "column 'a' is list<.*>, expected int8"),
    ],
)
def test_a_file_that_does_not_fit_is_told_in_a_sentence(found: pa.Schema, sentence: str) -> None:
    with pytest.raises(SchemaMismatch, match=sentence):
        check_schema(found, carrying("x/1", ("a", pa.int8())), "a.parquet")


def test_a_column_more_does_no_harm() -> None:
    wanted = carrying("x/1", ("a", pa.int8()))
    check_schema(carrying("x/1", ("b", pa.string()), ("a", pa.int8())), wanted, "a.parquet")


def test_rules_pass_error_rows_and_name_bad_ones() -> None:
    good = dataclasses.replace(
        ROWS["generated"],
        tokens=["mash", "peas", "."],
        ref_items=[-1, 0, -1],
        percent_given=100.0,
        extra_count=0,
        log_probability=-2.5,
        origin=generated.BY_MODEL,
        error=None,
    )
    rows = [ROWS["generated"], good]
    rows += [dataclasses.replace(good, id="3", percent_given=100.5), dataclasses.replace(good, id="4", extra_count=-1)]
    rows += [
        dataclasses.replace(good, id="5", log_probability=0.5),
        dataclasses.replace(good, id="6", ref_items=[1] * 3),
    ]
    batch = to_table(rows, generated.GENERATED).to_batches()[0]
    table = pa.table(derive(batch, generated.RULES) | {"id": batch["id"]})
    outcomes = check("generated", table, generated.RULES, "{id}")
    assert {outcome.rule: outcome.places for outcome in outcomes if not outcome.passed} == {
        "percent_given is from 0 to 100": ("3",),
        "extra_count is at least 0": ("4",),
        "log_probability is at most 0": ("5",),
        "ref_items holds -1 or positions in agenda": ("6",),
    }


MANIFEST = Manifest(
    "r1", "mealmaster", "2026-11-21T10:00:00Z", {"passes": 2}, "examples",
    [{"file": "é.mmf", "more": 0, "read": 12}], [], {}, 12, 7,
    {"read": {"no_title": 1}, "clean": {"no_items": 3, "too_long": 1}}, {"train": 5, "dev": 2}, {}, [], "f" * 16,
)  # fmt: skip


def test_a_manifest_survives_json_and_sums_its_rejected_rows() -> None:
    assert Manifest.from_json(MANIFEST.to_json(), "manifest.json") == MANIFEST
    assert MANIFEST.rejected_total == 5


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("not json", "d/manifest.json is not an Allsaid manifest"),
        ("[]", "d/manifest.json is not an Allsaid manifest"),
        ('{"version": "1.0.0"}', r"d/manifest.json is not an Allsaid manifest \(its version is '1.0.0'\)"),
        (json.dumps({"version": 2, "unit": "examples"}), "Another version of Allsaid wrote d/manifest.json"),
        (json.dumps({"version": 99}), "Another version of Allsaid wrote d/manifest.json"),
    ],
)
def test_what_is_no_manifest_is_told_in_a_sentence(text: str, sentence: str) -> None:
    with pytest.raises(UserError, match=sentence):
        Manifest.from_json(text, "d/manifest.json")
