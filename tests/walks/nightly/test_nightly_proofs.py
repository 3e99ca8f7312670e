"""Nights that prove texts by others: published, mended by a model, or in an object store."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
import yaml
from as_process import json_lines
from in_process import allsaid
from night_shop import SAID, seen, summary, told, write_table, write_texts

from allsaid.storage import files


def test_texts_by_others_are_proven_and_published(shop: None, capsys: pytest.CaptureFixture[str]) -> None:
    asked = {"texts": "agency.csv", "mapping": "chairs.yaml", "input": "shop.csv", "output": "texts"}
    Path("shop.yaml").write_text(yaml.safe_dump({"prove": asked | {"gate": ["given=90", "errors=1"]}}))
    write_texts(c9="A chair that the shop lacks.")
    code, (figures,), _ = json_lines("--log-format", "json", "nightly", "shop.yaml")
    assert (code, figures["status"]) == (0, "published")
    counts = [figures["texts"][name] for name in ("submitted_texts", "rejected_texts", "errors")]
    assert counts == [3, 1, 4]  # four rows of six have no text
    first = seen()
    assert allsaid("nightly", "shop.yaml") == 0 and "Nothing to do" in told(capsys)
    write_texts(c1="The grey chair is 99 cm wide.")
    assert allsaid("nightly", "shop.yaml") == 2
    assert "readers see the texts they saw before" in told(capsys) and seen() == first
    write_texts(c2=SAID.format("oak", "Cedar", 63))
    assert allsaid("nightly", "shop.yaml") == 0 and seen() != first
    assert summary()["errors"] == 3


def test_texts_by_others_are_mended_by_a_model(shop: None) -> None:
    asked = {"texts": "agency.csv", "model": "chairs", "input": "shop.csv", "output": "texts", "mend": True}
    Path("shop.yaml").write_text(yaml.safe_dump({"prove": asked}))
    write_texts(c1="The grey chair is 99 cm wide.")
    assert allsaid("nightly", "shop.yaml") == 0
    rows = {row["id"]: row for row in pq.ParquetDataset("texts/current/texts").read().to_pylist()}
    assert {name: row["origin"] for name, row in rows.items()} == {
        "c0": "submitted",
        **dict.fromkeys(["c1", "c2", "c3", "c4", "n1"], "model"),
    }
    assert rows["c1"]["replaced"] == ["The grey chair is 99 cm wide."]
    first = seen()
    assert allsaid("nightly", "shop.yaml") == 0 and seen() == first
    write_texts(c0="The blue chair is 99 cm wide.", c1="The grey chair is 99 cm wide.")
    assert allsaid("nightly", "shop.yaml") == 0 and seen() != first
    assert (summary()["taken_over"], summary()["mended_rows"], summary()["replaced_texts"]) == (5, 6, 2)
    write_texts(c0="The blue chair is 98 cm wide.", c1="The grey chair is 99 cm wide.")
    code, (figures,), _ = json_lines("--log-format", "json", "nightly", "shop.yaml", "--plan")
    assert (code, figures["plan"]["reused"], figures["plan"]["searched"]) == (0, 5, 1)


def test_texts_by_others_in_an_object_store(shop: None, kitchen: Any, capsys: pytest.CaptureFixture[str]) -> None:
    """Texts with doubled, unknown and missing ids, and an empty one; readers find those of the published run."""
    place = "s3://kitchen/"
    asked = {"texts": f"{place}agency/*.csv", "model": "chairs", "input": f"{place}shop.csv", "output": f"{place}texts"}
    Path("shop.yaml").write_text(yaml.safe_dump({"prove": asked | {"mend": True, "gate": ["errors=0.1"]}}))
    kitchen.upload_file("shop.csv", "kitchen", "shop.csv")
    write_texts()
    with Path("agency.csv").open("a") as file:
        file.write("c1,The grey chair is 52 cm wide.\nc9,A chair.\n,A chair.\nc2,\n")
    kitchen.upload_file("agency.csv", "kitchen", "agency/one.csv")

    code, (figures,), _ = json_lines("--log-format", "json", "nightly", "shop.yaml")
    assert (code, figures["status"]) == (0, "published")
    found = figures["texts"]
    assert (found["submitted_texts"], found["rejected_texts"], found["errors"]) == (6, 3, 0)
    kept = found["texts"] - found["mended_rows"]
    assert kept + found["replaced_texts"] + found["rejected_texts"] == found["submitted_texts"]

    def published() -> tuple[str, dict[str, str]]:
        run = json.loads(files.read_text(f"{place}texts/published.json"))["run"]
        (path,) = (f"{place}texts/runs/{run}/texts/{name}" for name in files.below(f"{place}texts/runs/{run}/texts"))
        with files.open_read(path) as stream:
            return run, {row["id"]: row["origin"] for row in pq.read_table(stream).to_pylist()}

    first, origins = published()
    assert set(origins) == {"c0", "c1", "c2", "c3", "c4", "n1"} and origins["c2"] == "model"
    capsys.readouterr()
    assert allsaid("nightly", "shop.yaml") == 0 and "Nothing to do" in told(capsys)
    write_table(*(f"b{number},,Elm,oak,5{number},no,1," for number in range(2)))
    kitchen.upload_file("shop.csv", "kitchen", "shop.csv")
    assert allsaid("nightly", "shop.yaml") == 2 and published() == (first, origins)
