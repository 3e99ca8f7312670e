"""Training runs: what they write, and that an interrupted one reaches the same weights."""

from __future__ import annotations

import json
import runpy
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from recorded import Recorded
from recorded import train as run
from safetensors.torch import load_file
from small_config import CONFIG
from small_data import make_example, publish

from allsaid.modeling.data.dataset import DataSet
from allsaid.modeling.saved.model_folder import load
from schemas.errors import UserError
from schemas.runs.manifest import MANIFEST_NAME
from training.configs import load_config
from training.fitting import loop as fit
from training.fitting import scores as fit_scores
from training.fitting.finish import Result
from training.options import TrainOptions
from training.runs import run_folder, start

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="module")
def finished(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Result, Recorded, Path]:
    run_dir = tmp_path_factory.mktemp("run")
    return *run(CONFIG, folder, run_dir), run_dir


def test_a_run_logs_every_loss_part_and_writes_its_files(finished: tuple[Result, Recorded, Path]) -> None:
    result, recorded, run_dir = finished
    batches = 9  # 43 texts, 5 a batch
    assert result.steps == 3 * batches
    training = [values for values, _ in recorded.told["metrics"] if "train_nll" in values]
    assert len(training) == 27
    parts = {"train_nll", "train_ref_type", "train_new_item", "train_used_item"}
    assert all(set(values) == parts | {"tokens_per_second", "gradient_norm", "learning_rate"} for values in training)
    dev = [(values, step) for values, step in recorded.told["metrics"] if "dev_perplexity" in values]
    assert [step for _, step in dev] == [9, 18, 27]
    assert {"dev_nll", "dev_ref_type", "dev_percent_given", "dev_extra_items", "dev_bleu"} <= set(dev[0][0])
    assert dev[-1][0]["dev_perplexity"] < dev[0][0]["dev_perplexity"]
    final, step = recorded.told["metrics"][-1]
    assert step == 27
    assert final["final_percent_given"] == result.measured.scores["percent_given"]
    assert final["true/percent_given"] == result.measured.true_scores["percent_given"] == 100
    assert recorded.told["dataset"][0][1] == "f1"
    assert recorded.told["params"][1][0]["hidden"] == 12
    for (path,) in recorded.told["artifact"]:
        assert path.exists()
    assert (run_dir / "loss.png").read_bytes()[:4] == (run_dir / "attention.png").read_bytes()[:4] == b"\x89PNG"
    text = (run_dir / "samples" / "final.txt").read_text()
    assert text.startswith(make_example(43).goal + "\n  1 cups")
    assert len(list((run_dir / "samples").iterdir())) == 4


def test_the_best_epochs_model_is_kept(
    finished: tuple[Result, Recorded, Path],
) -> None:
    result, _, run_dir = finished
    best = load_file(run_dir / "best.safetensors")
    kept = load_file(result.model_folder / "model.safetensors")
    assert all(torch.equal(best[name], kept[name]) for name in best)
    assert result.rescore(result.model_folder) == result.measured.scores


def test_model_folders_hold_repeated_references(
    finished: tuple[Result, Recorded, Path],
) -> None:
    kept = load(finished[0].model_folder)
    twice, once = make_example(41), make_example(40)
    assert kept.references is not None
    assert kept.references.of(twice) == [kept.vocabularies.text.encode(twice.tokens)] * 2
    assert kept.references.of(once) == []


def test_model_folders_hold_the_first_dev_row(finished: tuple[Result, Recorded, Path]) -> None:
    first = min((make_example(number) for number in range(43, 60)), key=lambda example: example.id)
    assert load(finished[0].model_folder).example == (first.goal, first.agenda)


KILLED = """
import os, pathlib, signal, sys
sys.path[:0] = {tests!r}
from test_loop import CONFIG, Recorded
from training.fitting import checkpoint
from training.fitting import loop as fit
from training.fitting import scores as fit_scores
from training.runs import run_folder
from allsaid.modeling.data.dataset import DataSet
class Mortal(Recorded):
    def metrics(self, values, step):
        if step == {step}:
            os.kill(os.getpid(), signal.SIGKILL)
data, folder = DataSet({data!r}), pathlib.Path({folder!r})
run_folder.claim(CONFIG, data, folder, True)
fit.train(CONFIG, data, folder, Mortal(), True)
"""


@pytest.mark.slow
def test_a_killed_run_ends_with_the_same_weights(
    finished: tuple[Result, Recorded, Path], folder: Path, tmp_path: Path
) -> None:
    uninterrupted, _, _ = finished
    # In the middle of epoch 2, after the checkpoint at step 12.
    support = ROOT / "tests" / "support"
    tests = [str(Path(__file__).parent), str(support), str(support / "small")]
    program = KILLED.format(tests=tests, step=15, data=str(folder), folder=str(tmp_path))
    died = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True)
    assert died.returncode == -signal.SIGKILL, died.stderr
    assert not (tmp_path / "model").exists()
    result, recorded = run(CONFIG, folder, tmp_path, resume=True)
    assert next(step for _, step in recorded.told["metrics"]) == 13
    assert result.steps == 27
    one, other = (item.model_folder / "model.safetensors" for item in (uninterrupted, result))
    assert one.read_bytes() == other.read_bytes()
    one, other = (load_file(item.model_folder.parent / "checkpoint.safetensors") for item in (uninterrupted, result))
    assert all(torch.equal(one[name], other[name]) for name in one if name.startswith("model."))
    assert result.measured.scores == uninterrupted.measured.scores


def test_the_learning_rate_is_halved_when_the_dev_loss_stalls(folder: Path, tmp_path: Path) -> None:
    # Too small a rate to change anything: every epoch after the first is no better.
    still = replace(CONFIG, fit=replace(CONFIG.fit, optimiser="sgd", learning_rate=2e-30, epochs=6, sample_texts=0))
    two = replace(still, fit=replace(still.fit, halve_after=2))
    for config, expected in ((still, [2, 2, 1, 0.5, 0.25, 0.125]), (two, [2, 2, 2, 1, 1, 0.5])):
        _, recorded = run(config, folder, tmp_path / str(config.fit.halve_after))
        rates = [values["learning_rate"] for values, _ in recorded.told["metrics"] if "learning_rate" in values]
        assert rates[::9] == [rate * 1e-30 for rate in expected]


def test_training_stops_when_the_dev_loss_stalls(folder: Path, tmp_path: Path) -> None:
    fit = replace(CONFIG.fit, optimiser="sgd", learning_rate=2e-30, epochs=6, stop_after=2, sample_texts=0)
    result, _ = run(replace(CONFIG, fit=fit), folder, tmp_path)
    assert result.steps == 3 * 9


def test_the_best_epoch_may_be_that_of_the_highest_bleu(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bleu = {1: 1.0, 2: 3.0, 3: 2.0}
    monkeypatch.setattr(fit._Run, "_sample", lambda self, _: ({"dev_bleu": bleu[self.state.epoch]}, []))
    by_bleu = replace(CONFIG, fit=replace(CONFIG.fit, best_by="bleu", epochs=3))
    result, recorded = run(by_bleu, folder, tmp_path)
    epochs = [values["dev_nll"] for values, _ in recorded.told["metrics"] if "dev_bleu" in values]
    assert epochs[2] < epochs[1]
    with fit_scores.encoded(load(result.model_folder), DataSet(str(folder)), "dev") as ids:
        assert fit_scores.dev_losses(load(result.model_folder), ids)[1]["dev_nll"] == pytest.approx(epochs[1])


def test_bleu_decides_only_where_dev_texts_are_written(folder: Path, tmp_path: Path) -> None:
    fit = replace(CONFIG.fit, sample_texts=0, best_by="bleu")
    with pytest.raises(UserError, match="best_by is 'bleu', but no dev texts"):
        run(replace(CONFIG, fit=fit), folder, tmp_path)


def test_a_linear_schedule_falls_to_nothing_over_the_run(folder: Path, tmp_path: Path) -> None:
    linear = replace(CONFIG, fit=replace(CONFIG.fit, schedule="linear", epochs=2, sample_texts=0))
    _, recorded = run(linear, folder, tmp_path)
    rates = [values["learning_rate"] for values, _ in recorded.told["metrics"] if "learning_rate" in values]
    assert rates == pytest.approx([0.02 * (18 - step) / 18 for step in range(18)])


def test_agenda_embeddings_may_start_as_output_rows(folder: Path, tmp_path: Path) -> None:
    still = replace(CONFIG.fit, optimiser="sgd", learning_rate=0.0, epochs=1, sample_texts=0)
    config = replace(CONFIG, fit=still, model=replace(CONFIG.model, agenda_init="output"))
    result, _ = run(config, folder, tmp_path)
    bundle = load(result.model_folder)
    words = bundle.vocabularies
    assert "olive_oil" in words.agenda.ids
    for word in words.agenda.words[4:]:
        row = bundle.model.w_o[words.text.ids[word]]
        assert torch.equal(bundle.model.agenda_embedding[words.agenda.ids[word]], row)
    assert bundle.model.agenda_embedding[0].abs().sum() == 0


def test_a_training_that_runs_away_is_told(folder: Path, tmp_path: Path) -> None:
    wild = replace(CONFIG, fit=replace(CONFIG.fit, optimiser="sgd", learning_rate=1e30, clip=1e30, sample_texts=0))
    with pytest.raises(UserError, match=r"the training has diverged. Start a new run with a smaller learning_rate"):
        run(wild, folder, tmp_path)


def test_a_run_folder_is_not_used_for_another_run(
    finished: tuple[Result, Recorded, Path], folder: Path, tmp_path: Path
) -> None:
    _, _, run_dir = finished
    data = DataSet(str(folder))
    with pytest.raises(UserError, match=r"holds a run already. Continue it with --resume, or name another folder"):
        run_folder.claim(CONFIG, data, run_dir, resume=False)
    other = replace(CONFIG, model=replace(CONFIG.model, hidden=13), fit=replace(CONFIG.fit, seed=9))
    with pytest.raises(UserError, match="was started with other settings: hidden, seed"):
        run_folder.claim(other, data, run_dir, resume=True)
    (tmp_path / "data.txt").write_text("another\n")
    (tmp_path / "config.yaml").write_text(CONFIG.to_yaml())
    with pytest.raises(UserError, match="was started on other data than"):
        run_folder.claim(CONFIG, data, tmp_path, resume=True)


def test_data_without_what_the_task_reads_are_refused(tmp_path: Path) -> None:
    manifest = publish(tmp_path / "data", {}) / MANIFEST_NAME
    values = json.loads(manifest.read_text())
    manifest.write_text(json.dumps(values | {"files": {"boxes": [], "offers": values["files"]["phrases"]}}))
    told = "'checklist' has the task 'agenda', which reads examples, but .*data holds offers. Choose another data set"
    with pytest.raises(UserError, match=told):
        run_folder.claim(CONFIG, DataSet(str(tmp_path / "data")), tmp_path / "run", resume=False)
    assert not (tmp_path / "run").exists()


def test_texts_that_are_cut_are_told(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    short = replace(CONFIG, data=replace(CONFIG.data, max_text=15), fit=replace(CONFIG.fit, epochs=1, sample_texts=0))
    _, recorded = run(short, folder, tmp_path)
    cut = sum(len(make_example(number).tokens) > 15 for number in range(43))
    assert 0 < cut < 43
    assert f"{cut} of 43 training texts are longer than 15 tokens and are cut there." in capsys.readouterr().err
    assert ({"train_texts_cut": cut},) in recorded.told["params"]


def test_the_command_trains_offline(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    config, run_dir = tmp_path / "small.yaml", tmp_path / "run"
    config.write_text(CONFIG.to_yaml())
    words = [str(config), "--data", str(folder), "--tracking", "offline", "--run-dir", str(run_dir)]
    words += ["--experiment", "tried"]
    monkeypatch.setattr(sys, "argv", ["training", *words, "--set", "epochs=1"])
    with pytest.raises(SystemExit) as end:
        runpy.run_module("training", run_name="__main__")  # what `python -m training` does
    assert end.value.code == 0
    told = capsys.readouterr()
    assert "5 dev texts" in told.out
    assert f"The learning curve is {run_dir / 'loss.png'}." in " ".join(told.err.split())
    events = [json.loads(line) for line in (run_dir / "spool.jsonl").read_text().splitlines()]
    (model,) = (event for event in events if event["event"] == "model")
    assert (events[0]["experiment"], model["name"]) == ("tried", folder.name)
    assert set(model["measured"]["scores"]) == {"percent_given", "extra_items", "bleu", "texts"}
    assert load_config(str(run_dir / "model" / "config.yaml")).fit.epochs == 1
    # A second run in the same folder is refused before it can touch the first one's spool.
    with pytest.raises(UserError, match="holds a run already"):
        start.train(
            TrainOptions(config=str(config), data=str(folder), set=("epochs=1",), run_dir=run_dir, tracking="offline")
        )
    assert len((run_dir / "spool.jsonl").read_text().splitlines()) == len(events)


def test_faults_of_a_run_are_told_before_it_begins(folder: Path, tmp_path: Path) -> None:
    run_dir = tmp_path / "run"
    for settings, more, sentence in (
        (["epoch=1"], {}, "There is no setting 'epoch'"),
        ([], {"resume": True, "run_dir": None}, "--resume needs the folder of the run"),
        ([], {"run_dir": Path("s3://kitchen/run")}, "--run-dir s3:/kitchen/run is no local folder"),
        ([], {"run_dir": tmp_path / ("x" * 300)}, r"x can't be the folder of a run \(File name too long\)"),
        (["epochs=1,2"], {"run_dir": Path(__file__, "grid")}, r"grid can't be the folder of a run \(Not a directory\)"),
        ([], {"device": "tpu"}, "'device' must be one of cpu, cuda"),
        ([], {"data": str(tmp_path)}, "holds no data set"),
    ):
        given: dict[str, Any] = {"data": str(folder), "run_dir": run_dir, "tracking": "offline"} | more
        with pytest.raises(UserError, match=sentence):
            start.train(TrainOptions(config="checklist-demo", set=tuple(settings), **given))
    assert not run_dir.exists()


def test_a_folder_of_somebody_else_stays_as_it_is(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "data.txt").write_text("mine\n")
    (tmp_path / ".hidden").touch()
    for resume in (False, True):
        with pytest.raises(UserError, match=r"holds data\.txt, but no run\. Name a new folder"):
            run_folder.claim(CONFIG, DataSet(str(folder)), tmp_path, resume)
    assert (tmp_path / "data.txt").read_text() == "mine\n" and len(list(tmp_path.iterdir())) == 2
    (tmp_path / "data.txt").rename(tmp_path / "config.yaml")
    (tmp_path / "config.yaml").write_text(CONFIG.to_yaml())
    with pytest.raises(UserError, match=r"is not the folder of a run: it has no data\.txt"):
        run_folder.claim(CONFIG, DataSet(str(folder)), tmp_path, resume=True)


def test_unfit_models_are_refused_before_training(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="assembles its texts from a phrasebook, but it has none"):
        run(load_config("assemble"), folder, tmp_path)
    assert not (tmp_path / "model").exists() and not (tmp_path / "checkpoint.safetensors").exists()
