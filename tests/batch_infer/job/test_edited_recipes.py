"""Recipes edited from the samples: every text names its prototype, its changes, and how much of it was copied."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from in_process import allsaid

from batch_infer.writer import Writer

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


@pytest.mark.parametrize("bound", [{"min_confidence": 1.0}, {"max_copied": 0.1}])
def test_a_row_without_a_near_prototype_is_reported(model: str, bound: dict[str, float]) -> None:
    writer = Writer.load(model)
    settings = replace(writer.settings, search=replace(writer.settings.search, **bound))  # type: ignore[arg-type]
    ((text,),) = Writer(writer.bundle, settings).write([PANCAKES])
    assert text.text == "" and text.error is not None and "prototype" in text.error
