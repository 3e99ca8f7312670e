"""Addresses of tracking servers that can't be used: a sentence with the thing and the remedy, and soon."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from in_process import allsaid

from schemas.errors import UserError
from training.tracking.connection import for_reading, tracking_uri
from training.tracking.results import Server

pytestmark = pytest.mark.usefixtures("own_folder")


@pytest.fixture
def answering() -> Iterator[ThreadingHTTPServer]:
    """A server that answers every request with its attribute ``code`` and a page."""

    class Page(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length") or 0))
            self.send_response(self.server.code)  # type: ignore[attr-defined]
            self.end_headers()
            self.wfile.write(b"<html>Welcome</html>")

        do_POST = do_GET

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Page)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize(
    ("uri", "sentence"),
    [
        ("foo://x", "unsupported URI 'foo://x' for model registry data storage. Set MLFLOW_TRACKING_URI to http://"),
        ("://x", "'://x' is no address of a tracking server. Set MLFLOW_TRACKING_URI to http://"),
        ("http://", "'http://' is no address of a tracking server."),
        ("https://[kitchen", "'https://[kitchen' is no address of a tracking server."),
        ("http://127.0.0.1:port", "'http://127.0.0.1:port' is no address of a tracking server."),
        ("mlruns", "'mlruns' is no address of a tracking server."),
        ("http://127.0.0.1:1", "Start the server, or correct MLFLOW_TRACKING_URI."),
        ("sqlite:///folder", "The tracking database folder can't be read (Is a directory). Set MLFLOW_TRACKING_URI"),
        ("sqlite:///text.db/mlflow.db", "The tracking database text.db/mlflow.db can't be read (Not a directory)."),
        ("sqlite:///text.db", "text.db is no sqlite database. Set MLFLOW_TRACKING_URI"),
    ],
)
def test_an_address_that_cannot_be_used_is_told_with_the_remedy(uri: str, sentence: str) -> None:
    Path("folder").mkdir()
    Path("text.db").write_text("a list of what is to do this week")
    with pytest.raises(UserError) as fault:
        Server(uri)
    assert sentence in str(fault.value)


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        (401, "Set MLFLOW_TRACKING_USERNAME and MLFLOW_TRACKING_PASSWORD to a user who may do this."),
        (403, "Set MLFLOW_TRACKING_USERNAME and MLFLOW_TRACKING_PASSWORD to a user who may do this."),
        (404, "It may be no MLflow server. Set MLFLOW_TRACKING_URI"),
        (200, "It may be no MLflow server. Set MLFLOW_TRACKING_URI"),
    ],
)
def test_what_a_server_answers_is_told_with_the_remedy(
    answering: ThreadingHTTPServer,
    code: int,
    sentence: str,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    answering.code = code  # type: ignore[attr-defined]
    monkeypatch.setenv("MLFLOW_TRACKING_URI", f"http://127.0.0.1:{answering.server_port}")
    assert allsaid("promote", "chairs", "1") == 1
    told = capfd.readouterr().err
    assert sentence in told and "Traceback" not in told


def test_a_database_of_another_mlflow_is_told_with_the_remedy() -> None:
    with sqlite3.connect("mlflow.db") as database:
        database.execute("UPDATE alembic_version SET version_num = 'ffffffffffff'")
    with pytest.raises(UserError, match=r"expected \w+\)\. Another version of MLflow wrote it\. .*`mlflow db upgrade`"):
        Server()


def test_a_database_that_is_not_there_is_not_made_to_read_it() -> None:
    Path("mlflow.db").unlink()
    with pytest.raises(UserError, match=r"mlflow\.db does not exist"):
        for_reading()
    Server(tracking_uri())  # who writes makes it
    assert for_reading() == tracking_uri()
