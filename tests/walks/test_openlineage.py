"""The OpenLineage events of commands, next to their output and to `allsaid trace`."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pyarrow.parquet as pq
import pytest
import yaml
from fault_worlds import Worlds
from in_process import allsaid
from openlineage_events import Events, error_of, failed_checks, parent_of, told, versions

from evaluation.compare import trace
from pipelines.datasets import snapshot

AIRFLOW = "01890000-0000-7000-8000-000000000001", "01890000-0000-7000-8000-000000000002"
PART = "texts/texts/part-00000.parquet"
GENERATE = ("generate", "--model", "chairs", "--input", "new.csv", "--output", "texts")


@pytest.fixture
def events(worlds: Worlds, here: Path, monkeypatch: pytest.MonkeyPatch) -> Events:
    """A folder with a table, its data set and a model, where events go to a file."""
    worlds.copy("model", here)
    return Events(here / "events.jsonl", monkeypatch)


def linked(path: str) -> dict[str, trace.Link]:
    return {link.what: link for link in trace.chain(path)}


def test_events_of_generate_agree_with_its_texts(events: Events, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENLINEAGE_PARENT_ID", f"airflow/shop.generate/{AIRFLOW[0]}")
    monkeypatch.setenv("OPENLINEAGE_ROOT_PARENT_ID", f"airflow/shop/{AIRFLOW[1]}")
    monkeypatch.setenv("OPENLINEAGE_NAMESPACE", "kitchen")
    assert allsaid(*GENERATE, "--gate", "given=1", "--rows-per-file", "1") == 0
    start, complete = events.read()
    assert told([start, complete]) == [("START", "generate.texts"), ("COMPLETE", "generate.texts")]
    assert start["run"]["runId"] == complete["run"]["runId"] and complete["job"]["namespace"] == "kitchen"
    parent = complete["run"]["facets"]["parent"]
    assert parent["job"] == {"namespace": "airflow", "name": "shop.generate", "facets": {}}
    assert (parent_of(complete), parent["root"]["run"]["runId"]) == AIRFLOW

    names = {("file", str(here / name)) for name in ("new.csv", "chairs")}
    assert versions(start["inputs"]).keys() == versions(complete["inputs"]).keys() == names
    assert versions(start["outputs"]).keys() == {("file", str(here / "texts"))}
    (texts,) = complete["outputs"]
    schema = pq.read_schema(PART)
    assert [(one["name"], one["type"]) for one in texts["facets"]["schema"]["fields"]] == [
        (column.name, str(column.type)) for column in schema
    ]
    counts, written = texts["outputFacets"]["outputStatistics"], list(Path("texts/texts").iterdir())
    assert (counts["rowCount"], counts["fileCount"]) == (pq.read_table("texts/texts").num_rows, len(written))
    checks = {check["assertion"]: check for check in texts["facets"]["dataQualityAssertions"]["assertions"]}
    summary = json.loads(Path("texts/summary.json").read_text())
    assert checks["given"]["expected"] == "at least 1" and checks["given"]["success"]
    assert float(checks["given"]["actual"]) == pytest.approx(summary["percent_given"], abs=0.01)
    table = next(one for one in complete["inputs"] if one["name"].endswith("new.csv"))
    assert table["inputFacets"]["inputStatistics"]["rowCount"] == 3
    assert [one["name"] for one in table["facets"]["schema"]["fields"]][:2] == ["nr", "sort"]

    links = linked(PART)
    assert links["OpenLineage run"].name == complete["run"]["runId"]
    read = versions(complete["inputs"])
    assert links["input"].detail == f"fingerprint {read['file', str(here / links['input'].name)]}"
    assert read["file", str(here / "chairs")] == summary["model_hash"]


def test_events_of_ingest_agree_with_the_data_set(events: Events, here: Path) -> None:
    assert allsaid("ingest", "records", "--input", "c*.csv", "--mapping", "chairs.yaml", "--output", "new") == 0
    start, complete = events.read()
    assert told([start, complete]) == [("START", "ingest.new"), ("COMPLETE", "ingest.new")]
    manifest = snapshot.published("new")
    (data,) = complete["outputs"]
    assert versions([data]) == {("file", str(here / "new")): manifest.fingerprint}
    counts = data["outputFacets"]["outputStatistics"]
    assert (counts["rowCount"], counts["fileCount"]) == (60, sum(map(len, manifest.files.values())))
    assert failed_checks(data) == []

    file = next(entry["path"] for entry in manifest.files["examples"])
    links = linked(f"new/runs/{manifest.run}/{file}")
    assert f"fingerprint {manifest.fingerprint}" in links["data set"].detail
    read = [link for link in trace.chain(f"new/runs/{manifest.run}/{file}") if link.what == "dump file"]
    assert versions(complete["inputs"]) == {
        ("file", str(here / link.name)): link.detail.rpartition("sha256 ")[2] for link in read
    }
    assert {link.name for link in read} == {"chairs.csv", "chairs.yaml"}
    table = complete["inputs"][0]
    assert table["inputFacets"]["inputStatistics"]["rowCount"] == manifest.read == 60


def test_a_broken_gate_is_a_failed_run(events: Events) -> None:
    with Path("new.csv").open("a") as table:
        table.write("n4,,Fir,blue,44,no\n")  # no sort
    assert allsaid(*GENERATE, "--gate", "errors=0.2") == 2
    start, fail = events.read()
    assert told([start, fail]) == [("START", "generate.texts"), ("FAIL", "generate.texts")]
    assert "the gate 'errors' allows 20.0%" in error_of(fail)
    assert failed_checks(fail["outputs"][0]) == ["errors"]

    ingest = "ingest", "records", "--mapping", "chairs.yaml", "--output", "data", "--input"
    lines = Path("chairs.csv").read_text().splitlines()
    Path("few.csv").write_text("\n".join(lines[:40]) + "\n")
    assert allsaid(*ingest, "few.csv") == 2
    _, fail = events.read()
    assert fail["eventType"] == "FAIL" and "fewer than the" in error_of(fail)
    assert failed_checks(fail["outputs"][0]) == ["lost"]


def test_an_error_is_a_failed_run(events: Events, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MLFLOW_TRACKING_PASSWORD", "pepper+salt")
    assert allsaid("generate", "--model", "pepper+salt", "--input", "new.csv", "--output", "texts") == 1
    start, fail = events.read()
    assert (start["eventType"], fail["eventType"]) == ("START", "FAIL")
    assert error_of(fail).startswith("There is no model folder ***.")
    assert "stackTrace" not in fail["run"]["facets"]["errorMessage"]
    assert "pepper" not in json.dumps([start, fail])

    assert allsaid("train", "no-such", "--data", "data", "--name", "chairs") == 1
    start, fail = events.read()
    assert told([start, fail]) == [("START", "train.chairs"), ("FAIL", "train.chairs")]
    assert "no-such" in error_of(fail)


def test_events_of_prove(events: Events, here: Path) -> None:
    Path("said.csv").write_text("nr,said\nc0,The blue chair Alder is 40 cm wide.\nc1,A chair.\n")
    prove = "prove", "said.csv", "--input", "chairs.csv", "--mapping", "chairs.yaml", "--gate", "errors=1"
    assert allsaid(*prove, "--output", "proof") == 0
    _, complete = events.read()
    links = linked("proof/texts/part-00000.parquet")
    assert links["OpenLineage run"].name == complete["run"]["runId"]
    read = {
        ("file", str(here / links[name].name)): links[name].detail.removeprefix("fingerprint ")
        for name in ("input", "submitted texts")
    }
    assert versions(complete["inputs"]) == read and len(read) == 2


def test_a_nightly_run_is_the_parent_of_its_jobs(events: Events, here: Path) -> None:
    config = {
        "ingest": {"source": "records", "input": "chairs.csv", "output": "data", "mapping": "chairs.yaml"},
        "generate": {"model": "chairs", "input": "new.csv", "output": "nights", "width": 2, "max_tokens": 12},
    }
    Path("shop.yaml").write_text(yaml.safe_dump(config))
    for night in range(2):
        assert allsaid("nightly", "shop.yaml") == 0
        first, *jobs, last = events.read()
        assert told([first, last]) == [("START", "nightly.shop"), ("COMPLETE", "nightly.shop")]
        done = ["ingest"] if night else ["ingest", "generate"]  # there is nothing to do in the second night
        assert told(jobs) == [(state, f"nightly.shop.{job}") for job in done for state in ("START", "COMPLETE")]
        assert {parent_of(event) for event in jobs} == {first["run"]["runId"]}
        if not night:
            run = json.loads(Path("nights/published.json").read_text())["run"]
            assert versions(jobs[-1]["outputs"]) == {("file", str(here / "nights")): run}
            trail = linked(f"nights/runs/{run}/texts/part-00000.parquet")
            assert trail["OpenLineage run"].name == jobs[-1]["run"]["runId"]

    with Path("new.csv").open("a") as table:
        table.write("n4,,Fir,blue,44,no\nn5,,Fir,oak,44,no\nn6,,Fir,grey,44,no\nn7,,Elm,grey,44,no\n")
    assert allsaid("nightly", "shop.yaml") == 2
    found = events.read()
    assert [event["eventType"] for event in found[-2:]] == ["FAIL", "FAIL"]
    assert "readers see the texts they saw before." in error_of(found[-1])


def test_without_the_client_a_run_goes_on(
    events: Events, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in [name for name in sys.modules if name.startswith("openlineage")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "openlineage", None)
    assert allsaid(*GENERATE) == 0
    assert "no events are sent: pip install 'allsaid[lineage]'" in " ".join(capsys.readouterr().err.split())
    assert events.read() == [] and "OpenLineage run" not in linked(PART)


def test_a_server_that_is_away_does_not_stop_a_run(
    events: Events, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("OPENLINEAGE__TRANSPORT__TYPE", "http")
    monkeypatch.setenv("OPENLINEAGE__TRANSPORT__URL", "http://127.0.0.1:9")
    monkeypatch.setenv("OPENLINEAGE__TRANSPORT__RETRY", '{"total": 0}')
    assert allsaid(*GENERATE) == 0
    told = " ".join(capsys.readouterr().err.split())
    for state in ("START", "COMPLETE"):
        assert f"OpenLineage did not get the event {state} of generate.texts" in told
