"""Grids and `--like`: the tree of runs in MLflow, what a restart does, and what is told of faults."""

from __future__ import annotations

import json
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

import pytest
from in_process import allsaid
from recorded_run import events
from small_config import SMALL
from small_data import make_example, publish

from allsaid.modeling.tasks.agenda import TASK, AgendaTask
from schemas.errors import UserError
from training.fitting import loop as fit
from training.fitting.finish import Result
from training.options import TrainOptions
from training.runs import grid, start
from training.tracking import connection
from training.tracking.spool import CURSOR_NAME

pytestmark = pytest.mark.usefixtures("own_folder")


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> str:
    examples = [make_example(number) for number in range(20)]
    return str(publish(tmp_path_factory.mktemp("data"), {"train": examples[:13], "dev": examples[13:]}))


@pytest.fixture
def config(tmp_path: Path) -> str:
    path = tmp_path / "small.yaml"
    path.write_text(SMALL.to_yaml())
    return str(path)


def client() -> Any:
    return connection.connect(connection.tracking_uri())


def runs() -> dict[str, Any]:
    found = client().search_runs([client().get_experiment_by_name("recipes").experiment_id])
    return {run.info.run_name: run for run in found}


def child(name: str, given: float, extra: float, bleu: float) -> grid.Child:
    return grid.Child(name, {"percent_given": given, "extra_items": extra, "bleu": bleu, "texts": 7}, 5, "")


def test_grids_have_child_runs_and_resume(
    data: str, config: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Offline, killed in its second child, delivered; then once more with a third seed, inside `mlflow run`."""
    folder, names = tmp_path / "grid", ["seed=1", "seed=2", "seed=3"]
    words = [
        "train",
        config,
        "--data",
        data,
        "--name",
        "recipes",
        "--set",
        "learning_rate=0.05",
        "--run-dir",
        str(folder),
    ]
    finish = fit._Run.finish

    def killed(run: fit._Run) -> Result:
        if run.config.fit.seed == 2:
            raise KeyboardInterrupt
        return finish(run)

    with monkeypatch.context() as patch:
        patch.setattr(fit._Run, "finish", killed)
        assert allsaid(*words, "--set", "seed=1,2", "--tracking", "offline") == 130
    assert not (folder / CURSOR_NAME).exists()
    assert allsaid("sync", str(folder)) == 0
    found = runs()
    assert {name: run.info.status for name, run in found.items()} == {
        "grid": "KILLED",
        "seed=1": "FINISHED",
        "seed=2": "KILLED",
    }
    recorded, versions = events(folder / "seed=1"), len(client().search_model_versions("name = 'recipes'"))
    assert versions == 1

    outer = client().create_run("0").info.run_id
    monkeypatch.setenv("MLFLOW_RUN_ID", outer)
    capsys.readouterr()
    assert allsaid(*words, "--set", "seed=1,2,3") == 0
    told = capsys.readouterr()
    assert "seed=1 is finished already." in told.err and "all: mean ± deviation over 3 seeds" in told.out
    assert events(folder / "seed=1") == recorded
    assert [event["event"] for event in events(folder / "seed=2")].count("resume") == 1
    found = runs()
    parent = found["grid"]
    assert set(found) == {"grid", *names} and all(run.info.status == "FINISHED" for run in found.values())
    for name in names:
        run = found[name]
        assert run.data.tags["mlflow.parentRunId"] == parent.info.run_id
        assert set(SMALL.flat()) < set(run.data.params) and run.data.params["learning_rate"] == "0.05"
    assert [found[name].data.params["seed"] for name in names] == ["1", "2", "3"]
    given = [found[name].data.metrics["final_percent_given"] for name in names]
    assert parent.data.metrics["mean_percent_given"] == pytest.approx(fmean(given))
    assert parent.data.metrics["deviation_percent_given"] == pytest.approx(stdev(given))
    winner = found[parent.data.tags["best_child"]]
    assert parent.data.tags["best_run_id"] == winner.info.run_id
    assert parent.data.metrics["final_bleu"] == winner.data.metrics["final_bleu"]
    assert f"{winner.info.run_name} (best)" in told.out
    assert "mlflow.parentRunId" not in parent.data.tags  # it was begun before there was an outer run

    like = ["train", "--like", winner.info.run_id, "--data", data, "--name", "recipes"]
    assert allsaid(*like, "--set", "seed=9", "--run-dir", "again") == 0
    again = runs()["again"]
    changed = {key for key in SMALL.flat() if again.data.params[key] != winner.data.params[key]}
    assert changed == {"seed"}
    assert again.data.tags["mlflow.parentRunId"] == outer and again.data.tags["like"] == winner.info.run_id
    with pytest.raises(UserError, match="again holds a single run"):
        start.train(TrainOptions(config=config, data=data, set=("seed=1,2",), run_dir=Path("again")))
    with pytest.raises(UserError, match="holds a grid"):
        start.train(TrainOptions(config=config, data=data, run_dir=folder))


def test_of_faulty_words_nothing_is_trained(data: str, config: str) -> None:
    with pytest.raises(UserError, match=r"no setting 'rate'; the valid ones are text_cutoff, .*learning_rate"):
        start.train(TrainOptions(config=config, data=data, set=("rate=1,2",)))
    with pytest.raises(UserError, match="'seed' must be a whole number; 'x' is not"):
        start.train(TrainOptions(config=config, data=data, set=("seed=1,x",)))
    with pytest.raises(UserError, match=r"mlflow\.db has no run 0123abcd"):
        start.train(TrainOptions(config=None, data=data, like="0123abcd"))
    with pytest.raises(UserError, match=r"Leave out .*small\.yaml or --like"):
        start.train(TrainOptions(config=config, data=data, like="0123abcd"))
    with pytest.raises(UserError, match="Name a configuration"):
        start.train(TrainOptions(config=None, data=data))
    assert not Path("training-runs").exists()


def test_the_last_figure_breaks_ties(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(AgendaTask, "deciding", ("bleu", "extra_items"))
    monkeypatch.setattr(AgendaTask, "checks", lambda _, new, old: [(new["bleu"] > old["bleu"], "it reads better")])
    less, more = child("less", 0.0, 1.0, 5.0), child("more", 0.0, 2.0, 5.0)
    assert grid.best([more, less], TASK) is less and grid.best([less, more], TASK) is less


def test_the_best_child_is_the_one_that_promotion_would_choose() -> None:
    reciter = child("learning_rate=0.1,seed=3", 99.0, 0.0, 0.1)
    first, second = child("learning_rate=0.1,seed=1", 70.0, 1.0, 4.0), child("learning_rate=0.2,seed=1", 75.0, 1.0, 3.9)
    assert grid.best([first, second, reciter], TASK) is second
    equal = child("learning_rate=0.1,seed=2", 75.0, 1.0, 4.1)
    assert grid.best([second, equal], TASK) is equal and grid.best([equal, second], TASK) is equal
    assert (first.setting, reciter.setting) == ("learning_rate=0.1", "learning_rate=0.1")


def test_one_child_that_fails_does_not_stop_the_others(
    data: str, config: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "grid"
    with pytest.raises(UserError, match=r"1 of 2 children failed: learning_rate=1e\+30,seed=1\. The same command"):
        start.train(
            TrainOptions(config=config, data=data, set=("learning_rate=1e30,0.05",), run_dir=folder, tracking="offline")
        )
    told = capsys.readouterr()
    assert "the training has diverged" in told.err and "learning_rate=0.05,seed=1 (best)" in told.out
    assert events(folder)[-1]["status"] == "FAILED"
    metrics = {key for event in events(folder) if event["event"] == "metrics" for key in event["values"]}
    assert {"mean_bleu", "mean_bleu/learning_rate 0.05", "final_bleu"} < metrics and "deviation_bleu" not in metrics
    assert events(folder / "learning_rate=1e+30,seed=1")[-1]["status"] == "FAILED"
    assert json.loads((folder / grid.CHILDREN).read_text())["best"] == "learning_rate=0.05,seed=1"
