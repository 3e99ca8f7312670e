"""Recipes edited from the samples: every text names its prototype, its changes, and how much of it was copied."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from in_process import allsaid

from allsaid.decoding.hypothesis import Hypothesis
from allsaid.decoding.measured import Measured
from allsaid.decoding.search import Searcher
from allsaid.modeling.data.dataset import DataSet
from allsaid.modeling.saved.model_folder import load
from batch_infer.options.texts import TextOptions
from batch_infer.proof.judges import judge_of
from batch_infer.writer import Writer
from schemas.example import NO_ITEM

ROOT = Path(__file__).resolve().parents[3]
PANCAKES = {
    "goal": "blueberry pancakes",
    "agenda": ["1 1/2 cups flour", "1 egg", "1 1/4 cups milk", "2 tablespoons butter, melted", "1 cup blueberries"],
}
SMOOTHIE = {"goal": "raspberry smoothie", "agenda": ["2 cups raspberries", "1 banana", "1 cup plain yogurt"]}


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> str:
    place = tmp_path_factory.mktemp("edit")
    data, run = str(place / "data"), str(place / "run")
    assert allsaid("ingest", "mealmaster", "--input", str(ROOT / "samples" / "*.mmf*"), "--output", data) == 0
    assert allsaid("train", "edit-sample", "--data", data, "--run-dir", run, "--tracking", "offline") == 0
    return str(place / "run" / "model")


def test_texts_name_their_prototype_and_changes(model: str) -> None:
    texts = [text for (text,) in Writer.load(model).write([PANCAKES, SMOOTHIE])]
    for text in texts:
        assert not text.missing and not text.extra, text.text
        assert text.prototype and text.prototype_text and "mealmaster: " in text.prototype_source
        assert text.copied_percent is not None and 50 < text.copied_percent < 100
    assert "blueberries" in texts[0].text and "raspberries" in texts[1].text
    assert any(change.endswith("-> raspberries") for change in texts[1].swapped)


@pytest.mark.parametrize(
    ("limit", "sentence"),
    [({"min_confidence": 1.0}, "with a confidence of min_confidence, 1, or more"), ({"max_copied": 0.1}, "max_copied")],
)
def test_a_row_says_which_limit_it_missed(model: str, limit: dict[str, Any], sentence: str) -> None:
    ((text,),) = Writer.load(model, TextOptions(**limit)).write([PANCAKES])
    assert text.text == "" and text.error is not None and sentence in text.error


def test_generate_keeps_within_the_limit_of_copied_words(model: str, tmp_path: Path) -> None:
    rows = tmp_path / "rows.jsonl"
    rows.write_text("".join(json.dumps(row) + "\n" for row in (PANCAKES, SMOOTHIE)))
    output = tmp_path / "texts"
    wanted = ("--max-copied", "0.75", "--gate", "errors=1")
    assert allsaid("generate", "--model", model, "--input", str(rows), "--output", str(output), *wanted) == 0
    texts = pq.read_table(output / "texts").to_pylist()
    assert len(texts) == 2
    assert all(text["error"] or text["copied_percent"] <= 75 for text in texts)


def test_a_search_prefers_texts_without_a_finding(model: str) -> None:
    bundle = load(Path(model))
    search = Searcher(bundle, bundle.config.search, (), Measured(judge_of(bundle).measure), with_goal=False)
    row = next(DataSet(str(Path(model).parents[1] / "data")).examples("train"))
    fragment = ["in", "a", "large", "bowl", "."]
    intact, damaged = (
        search.quality(Hypothesis(ids, [NO_ITEM] * len(ids), 0.0, [], finished=True, penalised=False), row)
        for ids in map(bundle.vocabularies.text.encode, (row.tokens, [*row.tokens, *fragment]))
    )
    assert intact < damaged
