"""The commands on a real S3 server on loopback: ingest, validate, train; a kill leaves the old run."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest
from as_process import ALLSAID
from dumps import cookbook, dump
from in_process import allsaid

DATA = "s3://kitchen/data"
INGEST = ("ingest", "mealmaster", "--input", "s3://kitchen/dumps/*.mmf", "--output", DATA)


@pytest.mark.slow
def test_ingest_validate_train_and_a_kill(
    kitchen: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)

    def published() -> str:
        capsys.readouterr()
        assert allsaid("path", DATA) == 0
        return capsys.readouterr().out

    kitchen.put_object(Bucket="kitchen", Key="dumps/a.mmf", Body=dump(cookbook(range(60))))
    assert allsaid(*INGEST) == 0
    before = published()
    assert before.startswith(f"{DATA}/runs/")
    assert allsaid("validate", DATA) == 0
    small = ("epochs=1", "hidden=16", "sample_texts=1", "score_texts=2", "max_tokens=20")
    settings = [word for setting in small for word in ("--set", setting)]
    training = ("--tracking", "offline", "--run-dir", "run", *settings)
    assert allsaid("train", "checklist-sample", "--data", DATA, *training) == 0
    assert (tmp_path / "run" / "model" / "model.safetensors").is_file()

    kitchen.put_object(Bucket="kitchen", Key="dumps/b.mmf", Body=dump(cookbook()) * 3)
    killed = subprocess.Popen([ALLSAID, *INGEST], stderr=subprocess.DEVNULL)
    while killed.poll() is None and len(_runs(kitchen)) < 2:
        time.sleep(0.05)
    os.kill(killed.pid, signal.SIGKILL)
    assert killed.wait() == -signal.SIGKILL
    assert published() == before
    kitchen.put_object(Bucket="kitchen", Key="dumps/b.mmf", Body=dump(cookbook(range(60, 80))))
    assert allsaid(*INGEST) == 0
    assert published() != before
    assert len(_runs(kitchen)) == 2, "what the killed run left is gone"


def _runs(kitchen: Any) -> set[str]:
    found = kitchen.list_objects_v2(Bucket="kitchen", Prefix="data/runs/").get("Contents", [])
    return {entry["Key"].split("/")[2] for entry in found}


@pytest.mark.slow
def test_without_credentials_a_sentence_comes_soon(tmp_path: Path) -> None:
    """Beam would ask again and again for ten minutes."""
    bare = {name: value for name, value in os.environ.items() if not name.startswith("AWS_")}
    bare |= {"HOME": str(tmp_path), "AWS_EC2_METADATA_DISABLED": "true"}
    asked = [ALLSAID, "ingest", "records", "--input", "s3://kitchen/a.csv", "--guess", "a.yaml"]
    done = subprocess.run(asked, cwd=tmp_path, env=bare, capture_output=True, text=True, timeout=120)
    assert done.returncode == 1
    assert "There are no credentials for s3://. Set AWS_ACCESS_KEY_ID and" in done.stderr
