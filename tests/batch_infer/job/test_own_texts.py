"""The proof by `allsaid prove` of texts that `allsaid generate` wrote, for recipes and boxes: the same as its own."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from batch_tables import read, write_lines
from in_process import allsaid

SAMPLES = Path(__file__).parents[3] / "samples"
HERE = "--direct_running_mode=in_memory"
# Columns that only the one who wrote a text knows.
OF_WRITER = {
    "origin", "log_probability", "is_assembled", "ref_items", "prototype", "prototype_text", "prototype_source",
    "copied_percent", "confidence", "swapped", "inserted", "deleted",
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
    "tiny": [
        {"id": "a", "goal": "salsa", "agenda": ["2 tomatoes, chopped", "1 tb Olive oil"]},
        {"id": "b", "goal": "salt soup", "agenda": ["salt", "tomatoes"]},
        {"id": "c", "goal": "garlic oil", "agenda": ["1 clove garlic"]},
    ],
    "box": [json.loads(line) for line in (SAMPLES / "people.jsonl").read_text(encoding="utf-8").splitlines()],
}


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


@pytest.mark.parametrize(("kind", "made"), [("recipe", edited), ("tiny", None), ("box", biographies)])
def test_the_proof_is_that_of_generate(kind: str, made: Callable[[Path], Path] | None, model: Path, tmp_path: Path):
    saved = made(tmp_path) if made else model
    given = ("--model", str(saved), "--input", str(write_lines(tmp_path / "rows.jsonl", ROWS[kind])), HERE)
    assert allsaid("generate", *given, "--output", str(tmp_path / "texts"), "--gate", "errors=1") == 0
    texts = str(tmp_path / "texts" / "texts" / "*.parquet")
    assert allsaid("prove", texts, *given, "--output", str(tmp_path / "proof"), "--gate", "errors=1") == 0
    pairs = [*zip(read(tmp_path / "proof"), read(tmp_path / "texts"), strict=True)]
    pairs = [(proven, generated) for proven, generated in pairs if generated["text"]]  # an empty one is rejected
    assert pairs
    for proven, generated in pairs:
        print({name: (proven[name], generated[name]) for name in generated if proven[name] != generated[name]})
        assert {name for name in generated if proven[name] != generated[name]} <= OF_WRITER
