"""An object store works as a folder does: the ingest from and to a local S3 server."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from dumps import cookbook, dump

from pipelines.datasets import snapshot
from pipelines.ingest.run import Request, run
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
    snapshot.check_output("s3://kitchen/out")
    names = [entry["Key"] for entry in kitchen.list_objects_v2(Bucket="kitchen", Prefix="out/")["Contents"]]
    written = {entry["path"] for entries in remote.files.values() for entry in entries} | {"manifest.json"}
    written |= {"staged/begun", "staged/part-00000.json", "staged/part-00000.parquet"}
    shared = {"out/manifest.json", "out/history.parquet"}
    written |= {"README.md"}
    assert set(names) == shared | {f"out/runs/{remote.run}/{path}" for path in written}
    assert json.loads(kitchen.get_object(Bucket="kitchen", Key="out/manifest.json")["Body"].read())["run"] == remote.run
