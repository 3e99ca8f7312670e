"""An object store works as a folder does: the ingest from and to a local S3 server."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import boto3
import pytest
from dumps import cookbook, dump
from moto.server import ThreadedMotoServer

from pipelines import snapshot
from pipelines.ingest import run
from pipelines.transforms import IngestSettings


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The address of an S3 server with an empty bucket ``kitchen``."""
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "test")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    running = ThreadedMotoServer(port=0, verbose=False)
    running.start()
    host, port = running.get_host_and_port()
    address = f"http://{host}:{port}"
    boto3.client("s3", endpoint_url=address).create_bucket(Bucket="kitchen")
    yield address
    running.stop()


def test_from_and_to_an_object_store(store: str, tmp_path: Path) -> None:
    import boto3

    s3 = boto3.client("s3", endpoint_url=store)
    content = dump(cookbook(range(0, 30)))
    s3.put_object(Bucket="kitchen", Key="dumps/a.mmf", Body=content)
    (tmp_path / "a.mmf").write_bytes(content)
    settings = IngestSettings()
    local = run("mealmaster", [str(tmp_path / "a.mmf")], str(tmp_path / "out"), settings)
    options = [f"--s3_endpoint_url={store}", "--s3_access_key_id=test", "--s3_secret_access_key=test"]
    remote = run("mealmaster", ["s3://kitchen/dumps/*"], "s3://kitchen/out", settings, options)
    assert remote.fingerprint == local.fingerprint
    assert snapshot.published("s3://kitchen/out") == remote
    snapshot.check_output("s3://kitchen/out")
    names = [entry["Key"] for entry in s3.list_objects_v2(Bucket="kitchen", Prefix="out/")["Contents"]]
    written = {entry["path"] for entries in remote.files.values() for entry in entries} | {"manifest.json"}
    written |= {"staged/part-00000.json", "staged/part-00000.parquet"}
    shared = {"out/manifest.json", "out/history.parquet"}
    written |= {"README.md"}
    assert set(names) == shared | {f"out/runs/{remote.run}/{path}" for path in written}
    assert json.loads(s3.get_object(Bucket="kitchen", Key="out/manifest.json")["Body"].read())["run"] == remote.run
