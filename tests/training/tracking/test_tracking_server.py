"""A run's way to a real tracking server that is away, dies, comes back or never answers."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from mlflow_server import MlflowServer
from recorded_run import SCORES, SEARCH, events, everything, record

from training.tracking import registry
from training.tracking import tracker as tracking
from training.tracking.spool import CURSOR_NAME, SPOOL_NAME, load_cursors

pytestmark = pytest.mark.usefixtures("own_folder")


@pytest.fixture(scope="module")
def mlflow_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MlflowServer]:
    server = MlflowServer(tmp_path_factory.mktemp("server"))
    yield server
    server.kill()


def until(condition: Any) -> None:
    for _ in range(1200):
        if condition():
            return
        time.sleep(0.1)
    raise AssertionError("it did not happen in 2 minutes")


class Ears:
    """What was told on standard error so far."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self.capsys, self.told = capsys, ""

    def __call__(self, sentence: str) -> bool:
        self.told += self.capsys.readouterr().err
        return sentence in self.told


def all_delivered(run_dir: Path) -> bool:
    cursors = load_cursors(run_dir)
    return bool(cursors) and cursors[-1].offset == (run_dir / SPOOL_NAME).stat().st_size


@pytest.mark.slow
def test_a_server_that_comes_back_is_served_by_the_thread(
    mlflow_server: MlflowServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("MLFLOW_TRACKING_URI", mlflow_server.uri)
    tracker = record(tmp_path / "late", "online")  # the server is away from the start
    hears = Ears(capsys)
    until(lambda: hears("Training continues"))
    mlflow_server.start()
    until(lambda: hears("is reachable again and has everything so far"))
    result = tracker.finish()
    assert result is not None and result.refused == 0
    late = everything(mlflow_server.uri)["runs"]["late"]
    assert [step for step, _, _ in late["metrics"]["loss"]] == list(range(7))
    assert late["files"] == [
        "model/MLmodel",
        "model/config.yaml",
        "model/input_example.json",
        "model/vocabulary.json",
        "texts/samples.txt",
    ]


@pytest.mark.slow
def test_a_server_that_dies_in_mid_run_gets_everything_once(
    mlflow_server: MlflowServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("MLFLOW_TRACKING_URI", mlflow_server.uri.replace("://", "://cook:s3cret@"))
    run_dir = tmp_path / "run"
    mlflow_server.start()
    tracker = tracking.open_tracker(run_dir, "online", "tests", "run")
    hears = Ears(capsys)
    for step in range(3):
        tracker.metrics({"loss": float(step)}, step)
    until(lambda: all_delivered(run_dir))
    mlflow_server.kill()
    for step in range(3, 1500):
        tracker.metrics({"loss": float(step)}, step)
    until(lambda: hears("can't be reached"))
    model = run_dir / "model"
    model.mkdir()
    (model / "config.yaml").write_text("hidden: 7\n")
    tracker.model(model, "recipes", SCORES, "dev-a", SEARCH)
    assert tracker.finish() is None  # still away: the end says where the rest lies
    assert hears(f"{run_dir / SPOOL_NAME}. Run `allsaid sync {run_dir}`")
    mlflow_server.start()
    result = tracking.sync(run_dir)
    held = everything(mlflow_server.uri)
    assert [step for step, _, _ in held["runs"]["run"]["metrics"]["loss"]] == list(range(1500))
    assert held["runs"]["run"]["times"][1:] == (events(run_dir)[-1]["time"], "FINISHED")
    assert tracking.sync(run_dir).delivered == 0 and everything(mlflow_server.uri) == held
    assert result.decision is not None
    resolved = registry.resolve(f"models:/recipes/{result.model_version}")
    assert (resolved.version, (resolved.folder / "config.yaml").read_text()) == (result.model_version, "hidden: 7\n")
    stored = (run_dir / SPOOL_NAME).read_text() + (run_dir / CURSOR_NAME).read_text()
    for secret in ("s3cret", "cook"):
        assert secret not in stored and not hears(secret)


def test_a_server_that_never_answers_does_not_stop_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("MLFLOW_HTTP_REQUEST_TIMEOUT", "1")
    monkeypatch.setenv("MLFLOW_HTTP_REQUEST_MAX_RETRIES", "0")
    with socket.create_server(("127.0.0.1", 0)) as mute:
        monkeypatch.setenv("MLFLOW_TRACKING_URI", f"http://cook:s3cret@127.0.0.1:{mute.getsockname()[1]}")
        tracker = record(tmp_path / "run", "online")
        assert tracker.finish() is None
    told = capsys.readouterr().err
    assert f"Run `allsaid sync {tmp_path / 'run'}` when the server is reachable." in told
    assert "s3cret" not in told and "cook" not in told
    assert len(events(tmp_path / "run")) >= 13
