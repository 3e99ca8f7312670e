"""Fixtures that all tests share."""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest
from dump_server import Server

# As in training/__init__.py, which a test file that imports torch first would come before.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

ROOT = Path(__file__).resolve().parent.parent
pytest_plugins = ["no_skips", "pytester"]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--data-root", default=str(ROOT.parent / "shared" / "data"), help="folder of the real dumps")
    parser.addoption("--flink-rows", type=int, default=20_000, help="rows of the table that Flink gets")


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
    from training.tracking import connection

    path = tmp_path_factory.mktemp("empty") / "mlflow.db"
    connection.connect(f"sqlite:///{path}").search_experiments()
    return path


@pytest.fixture(scope="session")
def worlds(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The prepared folders of fault_worlds.py, each built at its first use in a session."""
    from fault_worlds import Worlds

    return Worlds(tmp_path_factory.mktemp("worlds"))


@pytest.fixture
def own_folder(tmp_path: Path, empty_database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The test works in a folder of its own that holds an empty ``mlflow.db``."""
    shutil.copy(empty_database, tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("MLFLOW_TRACKING_URI", raising=False)


@pytest.fixture
def store() -> Iterator[Any]:
    """An S3 server on loopback."""
    from moto.server import ThreadedMotoServer

    running = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    running.start()
    yield running
    running.stop()


@pytest.fixture
def kitchen(store: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A client of the store with an empty bucket ``kitchen``; the environment leads there, too."""
    import boto3

    host, port = store.get_host_and_port()
    names = ("AWS_ENDPOINT_URL", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_DEFAULT_REGION")
    for name, value in zip(names, (f"http://{host}:{port}", "test", "test", "us-east-1"), strict=True):
        monkeypatch.setenv(name, value)
    from allsaid.stores import s3

    s3.connection.cache_clear()  # of the store of another test
    client = boto3.client("s3")
    client.create_bucket(Bucket="kitchen")
    yield client
    urlopen(Request(f"http://{host}:{port}/moto-api/reset", method="POST")).close()  # all servers share their objects
