"""An object store works as a folder does: the ingest from and to a local S3 server."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from dumps import cookbook, dump
from in_process import allsaid

from allsaid.storage import lock
from allsaid.stores import s3
from pipelines.datasets import snapshot
from pipelines.ingest.request import Request
from pipelines.ingest.run import run
from pipelines.sources.mealmaster.source import Settings


def test_from_and_to_an_object_store(kitchen: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    address = kitchen.meta.endpoint_url
    monkeypatch.delenv("AWS_ENDPOINT_URL")  # the options lead there
    content = dump(cookbook(range(0, 30)))
    kitchen.put_object(Bucket="kitchen", Key="dumps/a.mmf", Body=content)
    (tmp_path / "a.mmf").write_bytes(content)
    settings = Settings()
    local = run(Request("mealmaster", [str(tmp_path / "a.mmf")], str(tmp_path / "out"), settings))
    options = [f"--s3_endpoint_url={address}", "--s3_access_key_id=test", "--s3_secret_access_key=test"]
    remote = run(Request("mealmaster", ["s3://kitchen/dumps/*"], "s3://kitchen/out", settings, options))
    assert remote.fingerprint == local.fingerprint
    assert snapshot.published("s3://kitchen/out") == remote
    snapshot.store("s3://kitchen/out").check()
    names = [entry["Key"] for entry in kitchen.list_objects_v2(Bucket="kitchen", Prefix="out/")["Contents"]]
    written = {entry["path"] for entries in remote.files.values() for entry in entries} | {"manifest.json"}
    written |= {"staged/begun", "staged/part-00000.json", "staged/part-00000.parquet"}
    shared = {"out/manifest.json", "out/history.parquet"}
    written |= {"README.md"}
    assert set(names) == shared | {f"out/runs/{remote.run}/{path}" for path in written}
    assert json.loads(kitchen.get_object(Bucket="kitchen", Key="out/manifest.json")["Body"].read())["run"] == remote.run


def test_a_store_that_is_slow_and_refuses_requests(
    store: Any, kitchen: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each kind of request is answered with 503 the first time, and none at once."""
    content, refused = dump(cookbook(range(0, 30))), set[str]()
    kitchen.put_object(Bucket="kitchen", Key="dumps/a.mmf", Body=content)
    (tmp_path / "a.mmf").write_bytes(content)
    whole = store._server.app

    def answer(request: dict[str, Any], begin: Callable[..., object]) -> Iterable[bytes]:
        time.sleep(0.01)
        if request["REQUEST_METHOD"] in refused:
            return whole(request, begin)
        refused.add(request["REQUEST_METHOD"])
        request["wsgi.input"].read(int(request.get("CONTENT_LENGTH") or 0))
        begin("503 Slow Down", [("Content-Type", "application/xml")])
        return [b"<Error><Code>SlowDown</Code></Error>"]

    local = run(Request("mealmaster", [str(tmp_path / "a.mmf")], str(tmp_path / "out"), Settings()))
    with monkeypatch.context() as faulty:
        faulty.setattr(store._server, "app", answer)
        remote = run(Request("mealmaster", ["s3://kitchen/dumps/*"], "s3://kitchen/out", Settings()))
    assert remote.fingerprint == local.fingerprint == snapshot.published("s3://kitchen/out").fingerprint
    assert refused >= {"GET", "HEAD", "PUT"}


@pytest.mark.parametrize("method", ["GET", "HEAD", "PUT", "POST"])
def test_a_refusing_store_is_reported_and_retried(
    store: Any, kitchen: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], method: str
) -> None:
    """It is down for good from the run's second request of a kind on; cleaning up does not wait for it once more."""
    kitchen.put_object(Bucket="kitchen", Key="dumps/a.mmf", Body=dump(cookbook(range(0, 30))))
    whole, asked, refused = store._server.app, list[str](), list[str]()

    def answer(request: dict[str, Any], begin: Callable[..., object]) -> Iterable[bytes]:
        asked.append(request["REQUEST_METHOD"])
        if asked.count(method) < 2:
            return whole(request, begin)
        refused.append(request["PATH_INFO"])
        request["wsgi.input"].read(int(request.get("CONTENT_LENGTH") or 0))
        begin("503 Slow Down", [("Content-Type", "application/xml")])
        return [b"<Error><Code>SlowDown</Code></Error>"]

    words = ("ingest", "mealmaster", "--input", "s3://kitchen/dumps/*", "--output", "s3://kitchen/out")
    with monkeypatch.context() as faulty:
        faulty.setattr(store._server, "app", answer)
        faulty.setattr(s3, "PATIENCE", 2.0)
        faulty.setattr(lock, "BEAT", 600.0)  # a sign of life would be one more request that is made again
        assert allsaid(*words) == 1
    assert len(set(refused)) == 1
    told = " ".join(capsys.readouterr().err.split())
    assert f"Error: The object store at {kitchen.meta.endpoint_url} has not served s3://kitchen for 2 seconds" in told
    assert "Traceback" not in told
    # As in another process.
    monkeypatch.setattr(s3, "_given_up", {})
    monkeypatch.setattr(lock, "_is_running", lambda _: False)
    assert allsaid(*words) == 0
