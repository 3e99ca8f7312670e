"""The proof by `allsaid prove` of texts that `allsaid generate` wrote, for recipes and boxes: the same as its own."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from batch_tables import read, write_lines
from in_process import allsaid

SAMPLES = Path(__file__).parents[4] / "samples"
HERE = "--direct_running_mode=in_memory"
# Columns that only the one who wrote a text knows.
OF_WRITER = {
    "origin", "log_probability", "is_assembled", "ref_items", "prototype", "prototype_text", "prototype_source",
    "copied_percent", "confidence", "swapped", "inserted", "deleted", "tokens",
}  # fmt: skip
ROWS = {
    "recipe": [
        {
            "id": "a",
            "goal": "blueberry pancakes",
            "agenda": ["2 cups flour", "1 egg", "1 cup milk", "1 cup blueberries"],
        },
        {"id": "b", "goal": "raspberry smoothie", "agenda": ["2 cups raspberries", "1 banana", "1 cup plain yogurt"]},
    ],
    "box": [json.loads(line) for line in (SAMPLES / "people.jsonl").read_text(encoding="utf-8").splitlines()],
}


def assert_same(proof: list[dict[str, Any]], texts: list[dict[str, Any]]) -> None:
    """Assert that each text has the same proof; a model of boxes copies the letter case of the row's words."""
    assert all(text["text"] for text in texts)
    for proven, generated in zip(proof, texts, strict=True):
        assert {name for name in generated if proven[name] != generated[name]} <= OF_WRITER
        assert [*map(str.lower, proven["tokens"])] == [*map(str.lower, generated["tokens"])]


def edited(folder: Path) -> Path:
    dumps = str(SAMPLES / "*.mmf*")
    assert allsaid("ingest", "mealmaster", "--input", dumps, "--output", str(folder / "data"), HERE) == 0
    return trained("edit-sample", folder)


def biographies(folder: Path) -> Path:
    given = ("--input", str(SAMPLES / "biographies"), "--output", str(folder / "data"), HERE)
    assert allsaid("ingest", "wikibio", *given) == 0
    return trained("table-nlm", folder, "--set", "epochs=2")


def trained(config: str, folder: Path, *more: str) -> Path:
    place = ("--data", str(folder / "data"), "--run-dir", str(folder / "run"), "--tracking", "offline")
    assert allsaid("train", config, *place, *more) == 0
    return folder / "run" / "model"


@pytest.mark.parametrize(("kind", "made"), [("recipe", edited), ("box", biographies)])
def test_the_proof_is_that_of_generate(kind: str, made: Callable[[Path], Path], tmp_path: Path) -> None:
    given = ("--model", str(made(tmp_path)), "--input", str(write_lines(tmp_path / "rows.jsonl", ROWS[kind])), HERE)
    assert allsaid("generate", *given, "--output", str(tmp_path / "texts")) == 0
    texts = str(tmp_path / "texts" / "texts" / "*.parquet")
    assert allsaid("prove", texts, *given, "--output", str(tmp_path / "proof")) == 0
    assert_same(read(tmp_path / "proof"), read(tmp_path / "texts"))
