"""The events of runs: which data they name, and how a run ends; and that nothing is loaded where none are sent."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, HTTPServer
from math import inf
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
import typer
from openlineage_events import Events, error_of, parent_of, told, versions

from allsaid import lineage
from allsaid.gates import Gates, Measured
from allsaid.settings import number

SENT = """
from allsaid import lineage
with lineage.recorded("generate", "texts"):
    pass
"""
SILENT = """
import sys
from allsaid import lineage
with lineage.recorded("generate", "texts", reads=("a.csv",)):
    lineage.writes(lineage.data("texts"))
    assert lineage.run_id() == "" and lineage.tags() == {}
print("openlineage" in sys.modules)
"""


@pytest.fixture
def events(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Events:
    return Events(tmp_path / "events.jsonl", monkeypatch)


@pytest.mark.parametrize(
    ("address", "namespace", "name", "version"),
    [
        ("s3://kitchen/dumps/a.mmf", "s3://kitchen", "dumps/a.mmf", ""),
        ("gs://kitchen", "gs://kitchen", "", ""),
        ("/a/b.csv", "file", "/a/b.csv", ""),
        ("models:/recipes/3", "http://mlflow:5000", "recipes", "3"),
        ("models:/recipes@champion", "http://mlflow:5000", "recipes", ""),
    ],
)
def test_names_of_data(address: str, namespace: str, name: str, version: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MLFLOW_TRACKING_URI", "http://cook:pepper@mlflow:5000")
    assert lineage.data(address) == lineage.Data(namespace, name, version)
    assert lineage.data(address, "9").version == "9"


def test_a_relative_path_is_made_absolute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert lineage.data("a.csv") == lineage.Data("file", str(tmp_path / "a.csv"))


@pytest.mark.parametrize(
    ("fault", "state"),
    [
        (ValueError("no salt"), "FAIL"),
        (KeyboardInterrupt(), "ABORT"),
        (typer.Exit(3), "COMPLETE"),  # of an ingest that published a data set without a lost file
    ],
)
def test_the_end_of_a_run(fault: BaseException, state: str, events: Events) -> None:
    with pytest.raises(type(fault)), lineage.recorded("train", "soup"):
        raise fault
    start, end = events.read()
    assert told([start, end]) == [("START", "train.soup"), (state, "train.soup")]
    if state == "FAIL":
        assert error_of(end) == "no salt"
        assert "ValueError: no salt" in end["run"]["facets"]["errorMessage"]["stackTrace"]
    assert lineage.run_id() == ""


def test_runs_in_runs(events: Events) -> None:
    with lineage.recorded("nightly", "shop"):
        outer = lineage.run_id()
        with lineage.recorded("train", "soup"), lineage.recorded("train", "soup"):
            inner = lineage.run_id()
        assert lineage.run_id() == outer
    found = events.read()
    (start,) = (event for event in found if event["run"]["runId"] == inner and event["eventType"] == "START")
    parent = start["run"]["facets"]["parent"]
    assert (start["job"]["name"], parent["job"]["name"]) == ("nightly.shop.train.train", "nightly.shop.train")
    assert parent["root"]["run"]["runId"] == outer


def test_a_step_in_another_process(events: Events, monkeypatch: pytest.MonkeyPatch) -> None:
    with lineage.recorded("nightly", "shop"):
        outer, variables = lineage.run_id(), lineage.environment()
    events.read()
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    with lineage.recorded("train", "soup"):
        pass
    start, end = events.read()
    assert told([start, end]) == [("START", "nightly.shop.train"), ("COMPLETE", "nightly.shop.train")]
    parent = end["run"]["facets"]["parent"]
    assert (parent["job"]["name"], parent_of(end), parent["root"]["run"]["runId"]) == ("nightly.shop", outer, outer)
    assert lineage.environment() == {}


@pytest.mark.parametrize(
    ("output", "job"),
    [("out/texts-2026-11-21", "texts"), ("texts", "texts"), ("2026-11-21", "2026-11-21"), ("s3://a/b_2026-11-21", "b")],
)
def test_a_daily_job_has_one_name(output: str, job: str, events: Events) -> None:
    with lineage.recorded("generate", output):
        pass
    assert {event["job"]["name"] for event in events.read()} == {f"generate.{job}"}


def test_later_facts_replace_earlier_ones(events: Events) -> None:
    with lineage.recorded("train", "soup", reads=("/a", "", "/b")):
        lineage.reads(lineage.data("/a", "1"), lineage.data("/a", "2", pa.schema([("id", pa.int32())])))
    start, end = events.read()
    assert versions(start["inputs"]) == {("file", "/a"): "", ("file", "/b"): ""}
    assert versions(end["inputs"]) == {("file", "/a"): "2", ("file", "/b"): ""}
    assert [(one["name"], one["type"]) for one in end["inputs"][0]["facets"]["schema"]["fields"]] == [("id", "int32")]


@dataclass(frozen=True)
class Limits(Gates):
    salt: float = number(2, 0)
    herbs: float = number(1, 0)
    soup: float = number(inf, 0)  # no limit unless one is set


def test_a_run_whose_checks_fail_has_failed(events: Events) -> None:
    measured = Measured("salt", 3, "It has 3 spoons", "{:g}"), Measured("herbs", 1, "It has 1"), Measured("soup", 9, "")
    with lineage.recorded("train", "soup"):
        lineage.writes(lineage.data("/pot", checks=Limits().checks(measured)))
    _, end = events.read()
    assert end["eventType"] == "FAIL" and error_of(end) == "It has 3 spoons; the gate 'salt' allows 2."
    checks = end["outputs"][0]["facets"]["dataQualityAssertions"]["assertions"]
    assert [(one["assertion"], one["success"], one["expected"], one["actual"]) for one in checks] == [
        ("salt", False, "at most 2", "3"),
        ("herbs", True, "at most 1", "1"),
    ]


def test_a_parent_that_is_no_run_is_reported(
    events: Events, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("OPENLINEAGE_PARENT_ID", "airflow/shop")
    with lineage.recorded("train", "soup"):
        pass
    assert "OPENLINEAGE_PARENT_ID is not namespace/job/run id" in " ".join(capsys.readouterr().err.split())
    assert all("parent" not in event["run"]["facets"] for event in events.read())


def test_a_process_that_follows_another_sends_nothing(events: Events, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RANK", "1")
    with lineage.recorded("train", "soup"):
        pass
    assert events.read() == []


def test_events_go_to_the_server_of_the_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a process of its own, since the client writes to the environment."""
    found: list[dict[str, Any]] = []

    class Server(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            found.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(201)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Server) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        monkeypatch.setenv("OPENLINEAGE_URL", f"http://127.0.0.1:{server.server_port}")
        monkeypatch.setenv("no_proxy", "127.0.0.1")
        subprocess.run([sys.executable, "-c", SENT], check=True)
        server.shutdown()
    assert told(found) == [("START", "generate.texts"), ("COMPLETE", "generate.texts")]


def test_nothing_is_loaded_where_no_transport_is_set() -> None:
    done = subprocess.run([sys.executable, "-c", SILENT], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
