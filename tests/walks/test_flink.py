"""A Flink cluster that loses processes in the middle of each job gives the bytes of a local run (`make test-flink`)."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import flink_jobs
import pytest
from flink_jobs import ROOT, Flink, flink, run

from pipelines.datasets import snapshot

pytestmark = [pytest.mark.slow, pytest.mark.flink]


@pytest.fixture(scope="module", autouse=True)
def packages() -> None:
    lacking = subprocess.run(
        [sys.executable, "-c", "from deploy.flink import packages; print(packages.lacking())"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout.strip()
    if lacking:
        pytest.skip(lacking)


@pytest.fixture(scope="module")
def cluster() -> Iterator[Flink]:
    with flink(task_managers=2) as running:
        yield running


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Path:
    folder = tmp_path_factory.mktemp("inputs")
    flink_jobs.write_inputs(folder, request.config.getoption("--flink-rows"))
    flink_jobs.train(folder)
    return folder


def test_a_cluster_that_loses_its_job_manager_ends_with_all_its_processes() -> None:
    with flink(task_managers=1) as running:
        (job_manager, *_), others = flink_jobs.children(running.launcher.pid, "StandaloneSession"), running.java()
        os.kill(job_manager, signal.SIGKILL)
        assert running.launcher.wait(60) == 1
    assert len(others) == 3
    assert not [one for one in others if Path(f"/proc/{one}").exists()]


@pytest.mark.parametrize("name", ["ingest mealmaster", "ingest records", "generate"])
def test_a_job_that_loses_a_worker_and_a_task_manager_gives_the_bytes_of_a_local_run(
    cluster: Flink, inputs: Path, tmp_path: Path, name: str
) -> None:
    job, here, there = flink_jobs.jobs(inputs)[name], tmp_path / "here", tmp_path / "there"
    run([*job.words, "--output", str(here)], None)
    done = run([*job.words, "--output", str(there)], cluster, lambda: job.finished(there))
    assert [kill.what for kill in done.kills] == ["Python worker", "TaskManager"]
    assert job.data(here) == job.data(there) != {}
    if name != "generate":
        a_run, other = snapshot.published(str(here)), snapshot.published(str(there))
        assert (a_run.fingerprint, list(a_run.rejected.items())) == (other.fingerprint, list(other.rejected.items()))


def test_a_second_cluster_is_refused(cluster: Flink) -> None:
    command = [sys.executable, "-m", "deploy.flink", "run", "--", "allsaid", "--version"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, cluster.task_managers() != []) == (1, True)
    assert "runs already. Stop it first." in done.stderr
