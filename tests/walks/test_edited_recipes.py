"""Recipes edited from the samples, through each command and MLflow: texts name their prototype and their changes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow.parquet as pq
import pytest
import yaml
from in_process import allsaid

from allsaid.decoding.hypothesis import Hypothesis
from allsaid.decoding.measured import Measured
from allsaid.decoding.search import Searcher
from allsaid.modeling.data.dataset import DataSet
from allsaid.modeling.saved.model_folder import load
from batch_infer.options.texts import TextOptions
from batch_infer.proof.judges import judge_of
from batch_infer.trial.trial import open_trial, write
from batch_infer.writer import Writer
from schemas.errors import UserError
from schemas.example import NO_ITEM
from training.tracking import connection
from training.tracking.registry import resolve

ROOT = Path(__file__).resolve().parents[2]
PANCAKES = {
    "goal": "blueberry pancakes",
    "agenda": ["1 1/2 cups flour", "1 egg", "1 1/4 cups milk", "2 tablespoons butter, melted", "1 cup blueberries"],
}
SMOOTHIE = {"goal": "raspberry smoothie", "agenda": ["2 cups raspberries", "1 banana", "1 cup plain yogurt"]}


DUMPS = str(ROOT / "samples" / "*.mmf*")
NIGHTLY = {
    "ingest": {"source": "mealmaster", "input": DUMPS, "output": "data"},
    "generate": {"model": "models:/cook@champion", "input": "rows.jsonl", "output": "nights", "gate": ["given=100"]},
}
TABLE = {
    "title": "The nearest recipe, edited or not",
    "task": "recipes",
    "split": "test",
    "figures": ["percent_given", "extra_items"],
    "systems": {"nn": {"label": "NN", "texts": "nn"}, "edit": {"label": "Edited", "config": "edit-sample"}},
}


@pytest.fixture(scope="module")
def kitchen(tmp_path_factory: pytest.TempPathFactory, empty_database: Path) -> Iterator[Path]:
    """A folder with a registered model, whose texts a nightly run has published."""
    folder = tmp_path_factory.mktemp("kitchen")
    (folder / "mlflow.db").write_bytes(empty_database.read_bytes())
    (folder / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in (PANCAKES, SMOOTHIE)))
    (folder / "nightly.yaml").write_text(yaml.safe_dump(NIGHTLY))
    (folder / "table.yaml").write_text(yaml.safe_dump(TABLE))
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setenv("MLFLOW_TRACKING_URI", f"sqlite:///{folder / 'mlflow.db'}")
        patch.setenv("PATH", "")  # METEOR needs Java
        assert allsaid("ingest", "mealmaster", "--input", DUMPS, "--output", "data") == 0
        assert allsaid("train", "edit-sample", "--data", "data", "--name", "cook", "--run-dir", "run") == 0
        assert allsaid("promote", "cook", "1") == 0
        assert allsaid("nightly", "nightly.yaml") == 0
        yield folder


@pytest.fixture(scope="module")
def model(kitchen: Path) -> str:
    return str(resolve("models:/cook@champion").folder)


def test_a_nightly_run_publishes_once(kitchen: Path, capsys: pytest.CaptureFixture[str]) -> None:
    texts = pq.read_table(kitchen / "nights" / "current" / "texts").to_pylist()
    assert [text["percent_given"] for text in texts] == [100, 100]
    assert all(text["prototype"] and text["model_version"] == "1" for text in texts)
    assert "The recipe that was edited" in (kitchen / "nights" / "current" / "report.html").read_text()
    assert allsaid("nightly", "nightly.yaml") == 0 and "Nothing to do: nights" in capsys.readouterr().err


def test_a_comparison_takes_the_registered_model(kitchen: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert allsaid("compare", "table.yaml", "--data", "data") == 0
    printed = capsys.readouterr()
    assert "Edited, seed 1: trained before, models:/cook/1." in printed.err
    nearest, edited = (
        next(line.split("│") for line in printed.out.splitlines() if f"│ {name} " in line) for name in ("NN", "Edited")
    )
    assert float(nearest[2].split()[0]) < float(edited[2].split()[0]) == 100
    assert float(nearest[3].split()[0]) > float(edited[3].split()[0])


def test_the_page_offers_what_an_edit_uses(kitchen: Path) -> None:
    trial = open_trial("models:/cook@champion", "", "cpu")
    wanted = {"texts", "min_coverage", "width", "max_copied", "min_confidence", "sentence_case", "ban"}
    assert {option.key for option in trial.options} == wanted
    row = {"row.goal": PANCAKES["goal"], "row.agenda": "\n".join(PANCAKES["agenda"])}
    (card,) = write(trial, trial.at_first | row).cards
    assert "blueberries" in card.row.text and any(change.mark == "inserted" for change in card.changes)
    assert "min_confidence" in write(trial, trial.at_first | row | {"search.min_confidence": "1"}).fault


def test_mlflow_serves_edits_with_their_prototypes(kitchen: Path) -> None:
    served = connection.connected(f"sqlite:///{kitchen / 'mlflow.db'}").pyfunc.load_model("models:/cook@champion")
    texts = served.predict(pd.DataFrame([PANCAKES, SMOOTHIE]))
    assert texts["text"].tolist() == pq.read_table(kitchen / "nights" / "current" / "texts")["text"].to_pylist()
    assert all(texts["prototype"]) and all(texts["copied_percent"] < 100) and all(texts["confidence"] > 0)
    (limited,) = served.predict(pd.DataFrame([PANCAKES]), params={"max_copied": 0.1})["error"]
    assert "max_copied" in limited


def test_a_setting_of_other_models_is_refused(model: str) -> None:
    with pytest.raises(UserError, match="'variety' is for models that generate texts word by word"):
        Writer.load(model, TextOptions(variety=True))


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
    [({"min_confidence": 1.0}, "min_confidence is 1,"), ({"max_copied": 0.1}, "max_copied")],
)
def test_a_row_says_which_limit_it_missed(model: str, limit: dict[str, Any], sentence: str) -> None:
    ((text,),) = Writer.load(model, TextOptions(**limit)).write([PANCAKES])
    assert text.text == "" and text.error is not None and sentence in text.error


def test_generate_keeps_within_the_limit_of_copied_words(kitchen: Path, model: str, tmp_path: Path) -> None:
    output = tmp_path / "texts"
    wanted = ("--max-copied", "0.75", "--gate", "errors=1")
    assert (
        allsaid("generate", "--model", model, "--input", str(kitchen / "rows.jsonl"), "--output", str(output), *wanted)
        == 0
    )
    texts = pq.read_table(output / "texts").to_pylist()
    assert len(texts) == 2
    assert all(text["error"] or text["copied_percent"] <= 75 for text in texts)


def test_a_search_prefers_texts_without_a_finding(kitchen: Path, model: str) -> None:
    bundle = load(Path(model))
    search = Searcher(bundle, bundle.config.search, (), Measured(judge_of(bundle).measure), with_goal=False)
    row = next(DataSet(str(kitchen / "data")).examples("train"))
    fragment = ["in", "a", "large", "bowl", "."]
    intact, damaged = (
        search.quality(Hypothesis(ids, [NO_ITEM] * len(ids), 0.0, [], finished=True, penalised=False), row)
        for ids in map(bundle.vocabularies.text.encode, (row.tokens, [*row.tokens, *fragment]))
    )
    assert intact < damaged
