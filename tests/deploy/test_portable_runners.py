"""Ingest and generation under a job service whose workers are processes in another folder, as on a cluster."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
from pathlib import Path

import pytest
from as_process import ALLSAID
from fault_worlds import Worlds
from flink_jobs import children
from in_process import allsaid
from job_service import job_service

from pipelines.datasets import snapshot

CHAIRS = ["--input", "chairs.csv", "--mapping", "chairs.yaml"]


@pytest.fixture
def shop(tmp_path: Path, worlds: Worlds, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a table and a model of it; the test works there."""
    worlds.copy("model", tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def data_of(folder: str) -> dict[str, bytes]:
    """The Parquet files of a published data set."""
    seen = Path(snapshot.folder(folder))
    return {str(path.relative_to(seen)): path.read_bytes() for path in seen.glob("[!s]*/**/*.parquet")}


@pytest.mark.slow
def test_relative_paths_work_for_workers_elsewhere(portable: list[str], shop: Path) -> None:
    given = ["--input", str(shop / "chairs.csv"), "--mapping", str(shop / "chairs.yaml")]
    assert allsaid("ingest", "records", *given, "--output", "here") == 0
    assert allsaid("ingest", "records", *CHAIRS, "--output", "there", *portable) == 0
    here, there = snapshot.published("here"), snapshot.published("there")
    assert (here.fingerprint, here.rejected, here.settings) == (there.fingerprint, there.rejected, there.settings)
    assert data_of("here") == data_of("there") != {}


@pytest.mark.slow
def test_workers_in_other_folders_write_the_same_texts(portable: list[str], shop: Path) -> None:
    asked = ["generate", "--model", "chairs", "--input", "new.csv"]
    assert allsaid(*asked, "--output", "here") == 0
    assert allsaid(*asked, "--output", "there", *portable) == 0
    written = {path.relative_to("here"): path.read_bytes() for path in Path("here").glob("*/*.parquet")}
    assert written == {path.relative_to("there"): path.read_bytes() for path in Path("there").glob("*/*.parquet")} != {}


@pytest.mark.slow
def test_kills_leave_nothing_in_the_way(
    shop: Path, tmp_path_factory: pytest.TempPathFactory, capsys: pytest.CaptureFixture[str]
) -> None:
    ingest = ["ingest", "records", *CHAIRS, "--output", "there"]

    def await_file(pattern: str, folder: Path) -> None:
        while not [*folder.glob(pattern)]:
            time.sleep(0.005)

    def kill_service(folder: Path) -> None:
        await_file("asked", folder)
        os.kill(children(os.getpid(), f"{folder}/port")[0], signal.SIGKILL)

    folder = tmp_path_factory.mktemp("mortal")
    with job_service(folder) as options:
        with subprocess.Popen([ALLSAID, *ingest, *options]) as launcher:
            await_file("runs/*/staged/part-*", Path("there"))
            launcher.kill()
        # Of the next job the service wants a worker that never answers, so that the job still runs when it is killed.
        (folder / "worker").write_text("#!/bin/sh\ntouch asked\nexec sleep 600\n")
        killer = threading.Thread(target=kill_service, args=[folder], daemon=True)
        killer.start()
        assert allsaid(*ingest, *options) == 1
    told = " ".join(capsys.readouterr().err.split())
    assert "Error: The job service localhost:" in told and "ended while the job ran." in told
    assert not Path("there/manifest.json").exists()
    given = ["--input", str(shop / "chairs.csv"), "--mapping", str(shop / "chairs.yaml")]
    assert allsaid("ingest", "records", *given, "--output", "there") == 0
    assert allsaid("ingest", "records", *given, "--output", "here") == 0
    assert data_of("here") == data_of("there") != {}
