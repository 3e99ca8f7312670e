"""Curves over small tables: how a training part is cut, and what is measured of texts."""

from __future__ import annotations

import argparse
import csv
import json
from pathlib import Path
from typing import Any

import in_process
import pytest

from benchmarks.corpora import laptop_acts
from benchmarks.quality import certified_texts
from benchmarks.quality.tables import small_tables

ROOT = Path(__file__).resolve().parents[2]
TEXT = {"error": None, "missing": [], "extra_count": 0, "text": "a text", "text_number": 0}


def ids_of(path: Path, delimiter: str) -> set[str]:
    with path.open(encoding="utf-8", newline="") as file:
        return {row["artikel"] for row in csv.DictReader(file, delimiter=delimiter)}


def test_smaller_training_parts_are_nested(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(small_tables, "allsaid", lambda *words: in_process.allsaid(*map(str, words)))
    table = small_tables.prepare("moebel", argparse.Namespace(work=tmp_path))
    parts = {size: ids_of(small_tables.cut(table, size, tmp_path / f"{size}.csv"), ";") for size in (25, 100)}
    other = {example.id for split in ("dev", "test") for example in table.examples(split)}
    assert other < parts[25] < parts[100]
    assert {size: len(ids - other) for size, ids in parts.items()} == {25: 25, 100: 100}
    data = small_tables.ingest(tmp_path / "25.csv", table.mapping_path, tmp_path / "cut")
    cut = small_tables.Table("cut", tmp_path / "25.csv", table.mapping_path, data)
    assert {example.id for example in cut.examples("test")} == {example.id for example in table.examples("test")}
    with pytest.raises(ValueError, match="fewer than 9999"):
        small_tables.cut(table, 9999, tmp_path / "none.csv")
    whole = sum(1 for _ in table.examples("train"))
    assert small_tables.sizes_of(table, None) == [25, 50, 100, whole]
    assert small_tables.sizes_of(table, [50, 5000]) == [50]
    people = [{**TEXT, "id": example.id, "text": example.text, "certified": True} for example in table.examples("test")]
    found = small_tables.measure(table, people)
    assert (found["certified_percent"], found["bleu"], found["has_certificates"]) == (100, 100, True)
    assert found["distinct_per_100"] == found["people"]["distinct_per_100"] > 90


def test_texts_differ_by_more_than_their_values() -> None:
    mapping = small_tables.load_mapping(str(ROOT / "samples" / "products.yaml"))
    plain = [
        small_tables.without_values(
            f"The {name} is {colour}.", {"category": "mug", "name": name, "colour": colour}, mapping
        )
        for name, colour in (("Ochre", "red"), ("Tarn", "blue"))
    ]
    assert small_tables.variety([*plain, "another"]) == {"distinct_per_100": 66.67, "equal_percent": 66.67}


def test_of_two_systems_the_first_certified_text_is_taken() -> None:
    one = [{**TEXT, "id": number, "certified": number == 1, "of": "one"} for number in (1, 2, 3)]
    other = [{**TEXT, "id": number, "certified": number == 2, "of": "other"} for number in (1, 2, 3)]
    assert [text["of"] for text in small_tables.together([one, other])] == ["one", "other", "one"]


@pytest.mark.parametrize(
    ("fault", "expected"),
    [({}, True), ({"missing": ["a=b"]}, False), ({"extra_count": 1}, False), ({"error": "why"}, False)],
)
def test_without_certificates_the_proof_decides(fault: dict[str, Any], expected: bool) -> None:
    assert certified_texts.is_certified({**TEXT, **fault}) is expected
    assert certified_texts.is_certified({**TEXT, **fault, "certified": True})


def test_acts_of_laptops_become_a_table(tmp_path: Path) -> None:
    acts = [
        [
            "inform(name=tecra ares 5;type=laptop;drive=1 tb;isforbusinesscomputing=true)",
            "tecra ares 5 has 1 tb , ok",
            "",
        ],
        ["recommend(name=tecra pan 6;type=laptop;dimension=15.6 inch)", "get the tecra pan 6 , 15.6 inch -s", ""],
        ["inform_count(count=2;type=laptop)", "there are 2", ""],
    ]
    (tmp_path / "laptop").mkdir()
    for part in laptop_acts.PARTS:
        (tmp_path / "laptop" / f"{part}.json").write_text("# banner\n" + json.dumps(acts if part == "train" else []))
    (row,) = laptop_acts.rows(tmp_path)
    assert row == {
        "id": "L-00001",
        "kind": "laptop",
        "name": "Tecra Ares 5",
        "drive": "1 TB",
        "isforbusinesscomputing": "true",
        "text": "Tecra Ares 5 has 1 TB, ok.",
    }
    table, mapping = laptop_acts.write_table(tmp_path / "table", tmp_path, ["inform", "recommend"])
    assert table.read_text().splitlines()[2].endswith('"Get the Tecra Pan 6, 15.6 inches."')
    assert "isforbusinesscomputing" in mapping.read_text()
