"""The commands on a real S3 server on loopback: ingest, validate, train; a kill leaves the old run."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from dumps import cookbook, dump

ALLSAID = Path(sys.executable).with_name("allsaid")
DATA = "s3://kitchen/data"


@pytest.fixture(scope="module")
def store() -> Iterator[dict[str, str]]:
    """The environment in which every command finds the server."""
    from moto.server import ThreadedMotoServer

    running = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    running.start()
    host, port = running.get_host_and_port()
    yield os.environ | {
        "AWS_ENDPOINT_URL": f"http://{host}:{port}",
        "AWS_ACCESS_KEY_ID": "test",
        "AWS_SECRET_ACCESS_KEY": "test",
        "AWS_DEFAULT_REGION": "us-east-1",
        "MLFLOW_TRACKING_URI": "",
    }
    running.stop()


def allsaid(store: dict[str, str], where: Path, *arguments: str) -> str:
    done = subprocess.run([str(ALLSAID), *arguments], cwd=where, env=store, capture_output=True, text=True)
    assert done.returncode == 0, f"{arguments}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"
    return done.stdout


def test_ingest_validate_train_and_a_kill(store: dict[str, str], tmp_path: Path) -> None:
    import boto3

    client = boto3.client(
        "s3", endpoint_url=store["AWS_ENDPOINT_URL"], aws_access_key_id="test", aws_secret_access_key="test"
    )
    client.create_bucket(Bucket="kitchen")
    client.put_object(Bucket="kitchen", Key="dumps/a.mmf", Body=dump(cookbook(range(60))))
    ingest = ("ingest", "mealmaster", "--input", "s3://kitchen/dumps/*.mmf", "--output", DATA)
    allsaid(store, tmp_path, *ingest)
    published = allsaid(store, tmp_path, "path", DATA)
    allsaid(store, tmp_path, "validate", DATA)
    training = ("--tracking", "offline", "--run-dir", "run", "--set", "epochs=1", "--set", "sample_texts=1")
    allsaid(store, tmp_path, "train", "checklist-sample", "--data", DATA, *training)
    assert (tmp_path / "run" / "model" / "model.safetensors").is_file()

    client.put_object(Bucket="kitchen", Key="dumps/b.mmf", Body=dump(cookbook()) * 3)
    killed = subprocess.Popen([str(ALLSAID), *ingest], cwd=tmp_path, env=store, stderr=subprocess.DEVNULL)
    while killed.poll() is None and len(_runs(client)) < 2:
        time.sleep(0.05)
    os.kill(killed.pid, signal.SIGKILL)
    assert killed.wait() == -signal.SIGKILL
    assert allsaid(store, tmp_path, "path", DATA) == published
    allsaid(store, tmp_path, *ingest)
    assert allsaid(store, tmp_path, "path", DATA) != published
    assert len(_runs(client)) == 2, "what the killed run left is gone"


def _runs(client) -> set[str]:  # type: ignore[no-untyped-def]
    found = client.list_objects_v2(Bucket="kitchen", Prefix="data/runs/").get("Contents", [])
    return {entry["Key"].split("/")[2] for entry in found}
