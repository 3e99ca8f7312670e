"""Fixtures that all tests share."""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from dump_server import Server

# As in training/__init__.py, which a test file that imports torch first would come before.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

ROOT = Path(__file__).resolve().parent.parent


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--data-root", default=str(ROOT.parent / "shared" / "data"), help="folder of the real dumps")


@pytest.fixture(scope="session")
def data_root(request: pytest.FixtureRequest) -> Path:
    """The folder of the real dumps; tests that need it are skipped where it is missing."""
    root = Path(request.config.getoption("--data-root"))
    if not root.is_dir():
        pytest.skip(f"The real dumps are not at {root}; give their folder with --data-root.")
    return root


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """A server of public dumps on loopback, one for each test."""
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    running = Server()
    thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield running
    running.ended.set()
    running.shutdown()
    thread.join()
    running.server_close()


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """MLflow's tables without a row: making them takes longer than most tests here."""
    from training import connection

    path = tmp_path_factory.mktemp("empty") / "mlflow.db"
    connection.connect(f"sqlite:///{path}").search_experiments()
    return path


@pytest.fixture
def own_folder(tmp_path: Path, empty_database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The test works in a folder of its own that holds an empty ``mlflow.db``."""
    shutil.copy(empty_database, tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("MLFLOW_TRACKING_URI", raising=False)
