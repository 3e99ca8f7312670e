"""`allsaid compare` of models of pairs: how sharply each looks at its source stands beside the scores of its texts."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from in_process import allsaid
from small_data import as_pair, make_example, publish

TABLE = """
title: Questions
task: pairs
split: test
figures: [bleu, attention_entropy]
systems:
  copynet: {label: Copynet, config: scratchpad-table, settings: [system=copynet, SMALL], search: [width=2]}
  notes: {label: Notes, config: scratchpad-table, settings: [SMALL], search: [width=2]}
""".replace("SMALL", "epochs=1, hidden=8, max_tokens=9, score_texts=2, min_coverage=0")


def test_the_curve_of_each_systems_attention_is_drawn(
    tmp_path: Path, empty_database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pairs = [as_pair(make_example(number)) for number in range(8)]
    publish(tmp_path / "data", {}, pairs={"train": pairs, "dev": pairs[:2], "test": pairs[2:4]})
    shutil.copy(empty_database, tmp_path)
    (tmp_path / "questions.yaml").write_text(TABLE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("MLFLOW_TRACKING_URI", raising=False)
    monkeypatch.setenv("PATH", "")  # METEOR needs Java and has a test of its own
    assert allsaid("compare", "questions.yaml", "--data", "data", "--output", "out") == 0
    assert "entropy, nats" in (tmp_path / "out" / "compare.md").read_text()
    _, drawn = (tmp_path / "out" / "compare.html").read_text().split("How sharply the source is looked at")
    figure = drawn.split("</figure>")[0]
    assert figure.count("<polyline") == 2 and "Copynet" in figure and "Notes" in figure
