"""A table's training, generation and evaluation log one metric under one key, and in one experiment."""

from __future__ import annotations

import json
import re
import shutil
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from in_process import allsaid

from allsaid.modeling.data.dataset import DataSet
from allsaid.proof.figures import FIGURES, RECORD_FIGURES
from training.tracking import connection

KINDS = ("train", "generate", "evaluate")
MAPPING = {"id": "nr", "goal": "sort", "text": "said", "columns": {"name": "value", "colour": "value"}}
NAMES, COLOURS = ("alder", "birch", "cedar", "dogwood", "elm", "fir"), ("blue", "grey", "red")
SMALL = ("epochs=1", "hidden=8", "width=2", "max_tokens=9", "score_texts=5", "sample_texts=2")
SETTINGS = [word for setting in SMALL for word in ("--set", setting)]
PREFIX = re.compile(r"^(?:dev_|final_|true/|low/|high/)+")
# What a training logs beside figures of texts: its speed, and its losses (`training/fitting/loop.py`).
OF_STEPS = re.compile(r"train_.*|dev_nll|dev_\w+_(?:type|item)|learning_rate|tokens_per_second|gradient_norm")


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory, empty_database: Path) -> Iterator[Path]:
    """A folder in which a model was trained on a tiny table, wrote texts and was evaluated."""
    folder = tmp_path_factory.mktemp("shop")
    shutil.copy(empty_database, folder / "mlflow.db")
    rows = [f"{n},shelf,{NAMES[n % 6]},{COLOURS[n % 3]},the {COLOURS[n % 3]} {NAMES[n % 6]} ." for n in range(60)]
    (folder / "shelves.csv").write_text("\n".join(["nr,sort,name,colour,said", *rows]) + "\n")
    (folder / "shelves.yaml").write_text(yaml.safe_dump(MAPPING))
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setenv("PATH", "")  # no Java: METEOR takes half a minute to begin with
        patch.delenv("MLFLOW_TRACKING_URI", raising=False)
        ingested = ("--input", "shelves.csv", "--mapping", "shelves.yaml", "--output", "data")
        assert allsaid("ingest", "records", *ingested, "--set", "dev_share=0.3", "--set", "test_share=0.3") == 0
        assert allsaid("train", "table", "--data", "data", "--name", "shelves", *SETTINGS) == 0
        assert allsaid("generate", "--model", "models:/shelves/1", "--input", "data", "--output", "texts") == 0
        assert allsaid("evaluate", "models:/shelves/1", "--data", "data") == 0
        yield folder


def logged(shop: Path, experiment: str) -> dict[str, set[str]]:
    """The keys of the metrics that a run of each kind in an experiment holds."""
    client = connection.connect(f"sqlite:///{shop / 'mlflow.db'}")
    runs = client.search_runs([client.get_experiment_by_name(experiment).experiment_id])
    assert len(runs) == len({run.data.tags["kind"] for run in runs})
    return {run.data.tags["kind"]: set(run.data.metrics) for run in runs}


def test_metrics_have_one_key_in_all_jobs(shop: Path) -> None:
    keys = logged(shop, "shelves")
    assert set(keys) == set(KINDS)
    figures = {PREFIX.sub("", key) for of_run in keys.values() for key in of_run if not OF_STEPS.fullmatch(key)}
    assert figures <= RECORD_FIGURES.keys()
    named = defaultdict(set)
    for key in figures:
        named[RECORD_FIGURES[key].name].add(key)
    assert {name: of_name for name, of_name in named.items() if len(of_name) > 1} == {}
    for key in ("percent_given", "extra_items", "texts"):
        assert (f"final_{key}" in keys["train"], key in keys["generate"], key in keys["evaluate"]) == (True,) * 3
    assert "final_tokens" in keys["train"] and "tokens" in keys["generate"]
    assert all("true/percent_given" in of_run for of_run in keys.values())


def test_few_texts_are_told_before_the_first_epoch(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    splits = DataSet(str(shop / "data")).manifest.splits
    assert splits["dev"] >= 30  # so it is the setting that is told
    assert allsaid("train", "table", "--data", "data", "--run-dir", "few", "--tracking", "offline", *SETTINGS) == 0
    told, _, _ = capsys.readouterr().err.replace("\n", " ").partition("Epoch 1:")
    assert f"The training part has {splits['train']} texts. With 50, about 0 to 87% of the rows" in told
    assert "The model is measured on 5 dev texts (score_texts=5). With fewer than 30, it becomes champion only" in told
    events = map(json.loads, (shop / "few" / "spool.jsonl").read_text().splitlines())
    assert [event["name"] for event in events if event["event"] == "model"] == ["data"]  # the data set's folder


def test_an_experiment_that_is_named_holds_the_runs(shop: Path) -> None:
    named = ("--experiment", "tried")
    words = ("--model", "models:/shelves/1", "--input", "data", "--output", "more", "--limit", "2")
    assert allsaid("generate", *words, *named) == 0
    assert allsaid("evaluate", "nn", "--data", "data") == 0
    assert allsaid("evaluate", "models:/shelves/1", "--data", "data", *named) == 0
    assert set(logged(shop, "tried")) == {"generate", "evaluate"}
    assert set(logged(shop, "dialogue")) == {"evaluate"}  # a baseline has no training


@pytest.mark.parametrize("name", [" ", "x" * 501])
def test_refused_experiments_stop_before_any_work(shop: Path, name: str) -> None:
    assert allsaid("train", "table", "--data", "data", "--experiment", name, "--run-dir", "refused") == 1
    assert allsaid("evaluate", "nn", "--data", "data", "--experiment", name) == 1
    words = ("--model", "models:/shelves/1", "--input", "data", "--output", "refused")
    assert allsaid("generate", *words, "--experiment", name) == 1
    assert not (shop / "refused").exists()


@pytest.mark.parametrize("figures", [FIGURES, RECORD_FIGURES])
def test_no_two_figures_have_one_name(figures: dict[str, object]) -> None:
    names = [figure.name for figure in figures.values()]  # type: ignore[attr-defined]
    assert sorted(names) == sorted(set(names))
