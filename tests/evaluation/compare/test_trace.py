"""`allsaid trace`: every link of the chain, and each one that is lost; the runs of kind generate beside it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from in_process import allsaid
from openlineage_events import Events, read_events, told, versions
from small_inn import make

from batch_infer.job.generate import run as generate
from batch_infer.options.generate import GenerateOptions
from evaluation.compare import trace
from evaluation.options import EvaluateOptions
from evaluation.tasks import evaluate
from pipelines.datasets import snapshot
from pipelines.ingest import reuse
from schemas.errors import UserError
from schemas.texts.generated import DATA_KEY, MODEL_KEY, RUN_KEY
from training.options import TrainOptions
from training.runs import start
from training.tracking.results import Server

PART = "texts/texts/part-00000.parquet"


@pytest.fixture(scope="module")
def walked(tmp_path_factory: pytest.TempPathFactory, empty_database: Path) -> Iterator[Path]:
    """A folder with a dump, its data set, a registered model and its texts."""
    folder = tmp_path_factory.mktemp("walked")
    make(folder)
    shutil.copy(empty_database, folder)
    settings = ["epochs=1", "hidden=8", "batch_size=3", "max_tokens=9", "sample_texts=2", "score_texts=2"]
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.delenv("MLFLOW_TRACKING_URI", raising=False)
        Events(folder / "events.jsonl", patch)
        start.train(
            TrainOptions(config="dialogue", data="data", set=tuple(settings), run_dir=folder / "run", name="inn")
        )
        generate(GenerateOptions("models:/inn/1", "data", "texts", width=2, max_tokens=9))
    yield folder


@pytest.fixture
def there(walked: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(walked)
    monkeypatch.delenv("MLFLOW_TRACKING_URI", raising=False)
    return walked


def details(path: str) -> dict[str, str]:
    return {link.what: f"{link.name} {link.detail}" for link in trace.run(path)}


def detail_of(dump: Path) -> str:
    return next(link.detail for link in trace.chain(PART) if link.name == str(dump))


def test_the_chain_agrees_with_the_events(there: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    events = Events(tmp_path / "events.jsonl", monkeypatch)
    monkeypatch.setenv("PATH", "")  # without METEOR's Java
    evaluate.run(EvaluateOptions("models:/inn/1", "data", experiment="inn"))
    found = [*read_events(there / "events.jsonl"), *events.read()]
    jobs = ("train.inn", "generate.texts", "evaluate.inn")
    assert told(found) == [(state, job) for job in jobs for state in ("START", "COMPLETE")]
    _, trained, _, generated, _, evaluated = found
    data = {("file", str(there / "data")): snapshot.published("data").fingerprint}
    assert versions(trained["inputs"]) == data and versions(trained["outputs"]) == {("mlflow", "inn"): "1"}
    for event in (generated, evaluated):
        assert versions(event["inputs"]) == data | {("mlflow", "inn"): "1"}

    links = {link.what: link for link in trace.chain(PART)}
    assert links["OpenLineage run"].name == generated["run"]["runId"]
    assert links["model"].name == "inn/1"
    assert links["training run"].detail.endswith(f"OpenLineage run {trained['run']['runId']}")
    assert links["data set"].name == str(there / "data")
    assert links["data set"].detail.startswith(f"fingerprint {data['file', str(there / 'data')]},")


def test_texts_lead_back_to_the_dump_files(there: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert allsaid("trace", PART) == 0
    assert "dump file" in capsys.readouterr().out
    links = list(trace.chain(PART))
    assert [link.what for link in links] == [
        "texts", "job", "OpenLineage run", "input", "model", "training run", "data set", *["dump file"] * 3
    ]  # fmt: skip
    footer = pq.read_schema(PART).metadata
    run_id, fingerprint = footer[RUN_KEY].decode(), footer[DATA_KEY].decode()
    assert footer[MODEL_KEY] == b"inn/1"
    assert (links[4].name, links[5].name) == ("inn/1", run_id)
    assert Server().run(run_id).data.tags["dataset_fingerprint"] == fingerprint
    assert links[6].name == str(there / "data") and f"fingerprint {fingerprint}" in links[6].detail
    for link in links[7:]:
        assert link.detail == f"12 records, sha256 {reuse.content_hashes([link.name])[link.name]}"


def test_a_file_of_a_data_set_leads_back_too(there: Path) -> None:
    (path,) = sorted((there / "data").glob("runs/*/examples/split=test/*.parquet"))[:1]
    links = list(trace.chain(str(path)))
    assert [link.what for link in links] == ["file", "data set", *["dump file"] * 3]


def test_lost_links_are_told_and_the_chain_goes_on(
    there: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copy(PART, tmp_path / "moved.parquet")
    moved = details(str(tmp_path / "moved.parquet"))
    assert "was moved out of the job's output" in moved["job"] and "sha256" in moved["dump file"]

    table = pq.read_table(PART)
    plain = {b"allsaid.schema": table.schema.metadata[b"allsaid.schema"]}
    pq.write_table(table.replace_schema_metadata(plain), tmp_path / "old.parquet")
    old = details(str(tmp_path / "old.parquet"))
    assert "names none" in old["model"] and "names none" in old["training run"] and "no data set" in old["data set"]

    (path,) = sorted((there / "data").glob("runs/*/examples/split=test/*.parquet"))[:1]
    shutil.copy(path, tmp_path / "example.parquet")
    assert "the file was moved" in details(str(tmp_path / "example.parquet"))["data set"]

    monkeypatch.setenv("MLFLOW_TRACKING_URI", "http://127.0.0.1:9")
    away = details(PART)
    assert "not found: MLflow at http://127.0.0.1:9 failed" in away["training run"]
    assert "its folder is not known" in away["data set"] and "dump file" not in away


def test_a_changed_dump_and_a_moved_data_set_are_told(there: Path, tmp_path: Path) -> None:
    dump = there / "test.json"
    before = dump.read_text()
    dump.write_text(before + " ")
    assert detail_of(dump).endswith("; its content has changed")
    dump.unlink()
    assert detail_of(dump).endswith("; not found")
    dump.write_text(before)
    (there / "data").rename(there / "elsewhere")
    try:
        assert "it was moved or deleted" in details(PART)["data set"]
    finally:
        (there / "elsewhere").rename(there / "data")


def test_what_is_no_file_of_allsaid_is_told(tmp_path: Path) -> None:
    pq.write_table(pa.table({"a": [1]}), tmp_path / "a.parquet")
    (tmp_path / "b.parquet").write_text("no")
    faults = {"a": "was not written by Allsaid", "b": "is not a Parquet file", "c": "There is no file"}
    for name, sentence in faults.items():
        with pytest.raises(UserError, match=sentence):
            trace.run(str(tmp_path / f"{name}.parquet"))


def test_generating_is_a_run_on_the_model_with_its_input(there: Path, capsys: pytest.CaptureFixture[str]) -> None:
    server = Server()
    (run,) = server.find({"kind": "generate"})
    tags, params = run.data.tags, run.data.params
    assert (tags["task"], tags["system"], tags["protocol"]) == ("dialogue", "inn", "coverage")
    assert (tags["model_version"], params["width"], params["split"]) == ("1", "2", "test")
    (given,) = run.inputs.dataset_inputs
    fingerprint = pq.read_schema(PART).metadata[DATA_KEY].decode()
    assert (given.dataset.name, given.dataset.digest) == ("data", fingerprint[:36])
    (logged,) = server.run(run.info.run_id).inputs.model_inputs
    metrics = {one.key: one.value for one in server.client.get_logged_model(logged.model_id).metrics}
    assert metrics["percent_given"] == run.data.metrics["percent_given"]
    generate(GenerateOptions("models:/inn/1", "data", "texts", width=2, max_tokens=9))  # has finished: no second run
    assert len(server.find({"kind": "generate"})) == 1


def test_a_lost_server_costs_no_texts(
    there: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("MLFLOW_TRACKING_URI", "http://127.0.0.1:9")
    summary = generate(
        GenerateOptions(str(there / "run" / "model"), "data", str(tmp_path / "out"), width=2, max_tokens=9, limit=1)
    )
    assert summary.texts == 1
    assert "The texts are written, but their figures are not in MLflow. MLflow at" in capsys.readouterr().err
