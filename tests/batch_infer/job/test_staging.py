"""Workers get the model from where the job puts it: not from the registry, and not from the launcher's disk."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
import torch
from batch_tables import read, write_lines

from allsaid.modeling.config import SearchConfig
from allsaid.modeling.saved.model_folder import fingerprint
from allsaid.storage import files
from batch_infer.job import generate, staging
from batch_infer.job.handler import TextHandler
from batch_infer.job.prepared import load_model, prepare
from batch_infer.job.staging import StagedModel
from batch_infer.options.generate import GenerateOptions
from batch_infer.proof import summary
from batch_infer.writer.settings import WriterSettings
from schemas.errors import UserError
from training.tracking import tracker as tracking

ROWS = [{"goal": "Soup", "agenda": ["salt", f"{n} tomatoes"]} for n in range(9)]


def request(model: Path | str, given: Path | str, output: Path | str, **options: Any) -> GenerateOptions:
    return GenerateOptions(str(model), str(given), str(output), width=2, max_tokens=5, **options)


def test_object_stores_give_the_same_texts_as_disks(kitchen: Any, model: Path, tmp_path: Path) -> None:
    given = write_lines(tmp_path / "a.jsonl", ROWS)
    kitchen.upload_file(str(given), "kitchen", "in/a.jsonl")
    generate.run(request(model, given, tmp_path / "out"))
    found = generate.run(request(model, "s3://kitchen/in/a.jsonl", "s3://kitchen/out"))
    local = {path.name: pq.read_table(path) for path in (tmp_path / "out" / "texts").iterdir()}
    for name, table in local.items():
        with files.open_read(f"s3://kitchen/out/texts/{name}") as stream:
            assert pq.read_table(stream).equals(table)
    assert found.model_hash == fingerprint(model) == summary.read(str(tmp_path / "out")).model_hash
    names = {name.partition("/")[0] for name in files.below("s3://kitchen/out")}
    assert names == {"job.json", "rows", "summary.json", "texts"}, "the model and the tallies are gone"


def test_a_folder_of_staged_models_keeps_each_once(kitchen: Any, model: Path, tmp_path: Path) -> None:
    given = write_lines(tmp_path / "a.jsonl", ROWS)
    for name in ("first", "second"):
        generate.run(request(model, given, tmp_path / name, stage="s3://kitchen/models"))
    assert read(tmp_path / "first") == read(tmp_path / "second")
    staged = {path.name for path in model.iterdir()} - {"hashes.json"}
    assert files.below("s3://kitchen/models") == sorted(f"{fingerprint(model)}/{name}" for name in staged)
    kitchen.put_object(Bucket="kitchen", Key=f"models/{fingerprint(model)}/lexicon.json", Body=b"{}")
    staging._downloaded.cache_clear()  # as in the process of another worker
    with pytest.raises(UserError, match=r"not those that the job began with\. Remove that folder and give the same"):
        generate.run(request(model, given, tmp_path / "third", stage="s3://kitchen/models"))
    with pytest.raises(UserError, match=r"--stage .*a\.jsonl is a file"):
        generate.run(request(model, given, tmp_path / "fourth", stage=str(given)))


def test_a_registry_that_goes_away_in_mid_run_has_no_effect(
    model: Path, tmp_path: Path, own_folder: None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    given = write_lines(tmp_path / "a.jsonl", ROWS)
    tracker = tracking.open_tracker(tmp_path / "run", "online", "tests", "run")
    tracker.params({"kind": "checklist"})
    shutil.copytree(model, tmp_path / "run" / "model")
    tracker.model(tmp_path / "run" / "model", "soups", None, "dev", {})
    assert tracker.finish() is not None
    asked = request("models:/soups/1", given, tmp_path / "out")
    ready = prepare(asked, load_model(asked))
    (tmp_path / "mlflow.db").unlink()
    monkeypatch.setenv("MLFLOW_TRACKING_URI", "http://127.0.0.1:9")
    monkeypatch.setenv("MLFLOW_HTTP_REQUEST_MAX_RETRIES", "0")
    assert generate.carry_out(asked, ready).texts == len(ROWS)
    assert "their figures are not in MLflow" in capsys.readouterr().err
    assert {(row["model_name"], row["model_version"]) for row in read(tmp_path / "out")} == {("soups", "1")}


def test_a_running_job_keeps_its_model(model: Path, tmp_path: Path) -> None:
    own = shutil.copytree(model, tmp_path / "own")
    staged = staging.stage(own, fingerprint(own), str(tmp_path / "staged"))
    shutil.rmtree(own)
    assert TextHandler(WriterSettings(SearchConfig()), staged).load_model().bundle.vocabularies is not None


def test_a_gpu_is_looked_for_where_the_worker_is(model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    given = write_lines(tmp_path / "a.jsonl", ROWS)
    here = request(model, given, tmp_path / "out", device="cuda")
    with pytest.raises(UserError, match="PyTorch finds no GPU here"):
        load_model(here)
    elsewhere = request(
        model,
        given,
        tmp_path / "out",
        device="cuda",
        beam_args=["--runner=PortableRunner"],
    )
    assert load_model(elsewhere).bundle.device.type == "cpu", "of the launcher, which writes no text"
    worker = TextHandler(WriterSettings(SearchConfig(), device="cuda"), StagedModel(str(model), fingerprint(model)))
    with pytest.raises(UserError, match="PyTorch finds no GPU here"):
        worker.load_model()
    with pytest.raises(UserError, match="There is no device 'tpu'; the valid ones are cpu, cuda"):
        load_model(request(model, given, tmp_path / "out", device="tpu", beam_args=elsewhere.beam_args))


def test_staged_files_stay_until_the_job_ends(model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given, out = write_lines(tmp_path / "a.jsonl", ROWS), tmp_path / "out"
    with monkeypatch.context() as broken:
        broken.setattr(TextHandler, "run_inference", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            generate.run(request(model, given, out))
    assert (out / "done" / "model" / fingerprint(model) / "model.safetensors").is_file()
    (out / "done" / "model" / fingerprint(model) / "model.safetensors.0a1b2c3d.new").write_bytes(b"cut off")
    assert generate.run(request(model, given, out)).texts == len(ROWS)
    assert not (out / "done").exists()
    assert json.loads((out / "job.json").read_text())["model_hash"] == fingerprint(model)
