"""A Flink cluster that loses processes in the middle of each job gives the bytes of a local run (`make test-flink`)."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import flink_jobs
import pytest
from as_process import allsaid
from flink_jobs import JOB_MANAGER, JOB_SERVER, ROOT, Flink, flink, lose, run

from pipelines.datasets import snapshot

pytestmark = [pytest.mark.slow, pytest.mark.flink]
MINUTE = 60.0


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


def published(output: Path) -> bool:
    """Whether a reader would find a data set, or a finished generation."""
    return any((output / name).exists() for name in ("manifest.json", "summary.json"))


def test_a_lost_job_manager_ends_the_cluster() -> None:
    with flink(task_managers=1) as running:
        others = running.java()
        running.kill(JOB_MANAGER)
        assert running.launcher.wait(60) == 1
    assert len(others) == 3
    assert not [one for one in others if Path(f"/proc/{one}").exists()]


@pytest.mark.parametrize(("victim", "name"), [(JOB_MANAGER, "ingest records"), (JOB_SERVER, "generate")])
def test_a_dead_clusters_job_is_done_by_the_next(inputs: Path, tmp_path: Path, victim: str, name: str) -> None:
    job, here, there = flink_jobs.jobs(inputs)[name], tmp_path / "here", tmp_path / "there"
    asked = [*job.words, "--output", str(there)]
    with flink(task_managers=1) as running:
        ended = lose(asked, running, victim, lambda: job.finished(there))
    assert (ended.code, ended.seconds < MINUTE) == (1, True)
    assert "Error: The job service 127.0.0.1:" in ended.told and "ended while the job ran. Read" in ended.told
    assert not published(there)
    with flink(task_managers=1) as another:
        run(asked, another)
    run([*job.words, "--output", str(here)], None)
    assert published(there) and job.data(here) == job.data(there) != {}


def test_an_isolated_job_server_ends_its_jobs_in_a_minute(inputs: Path, tmp_path: Path) -> None:
    job = flink_jobs.jobs(inputs)["ingest mealmaster"]
    asked = [*job.words, "--output", str(tmp_path)]
    with flink(task_managers=1) as running, running.unwatched():
        ended = lose(asked, running, JOB_MANAGER, lambda: job.finished(tmp_path))
        begun = time.monotonic()
        unseen = [option for option in running.options if not option.startswith("--flink_master")]
        refused = allsaid(*asked, *unseen)
        seconds = time.monotonic() - begun
    for code, told in ((ended.code, ended.told), (refused.returncode, refused.stderr)):
        assert code == 1 and "Error: The job service can't reach its Flink cluster, or lost it." in told
    assert max(ended.seconds, seconds) < MINUTE
    assert not published(tmp_path)
    run(asked, None)
    assert published(tmp_path)


@pytest.mark.parametrize("name", ["ingest mealmaster", "ingest records", *flink_jobs.MODELS])
def test_lost_workers_do_not_change_the_texts(cluster: Flink, inputs: Path, tmp_path: Path, name: str) -> None:
    job, here, there = flink_jobs.jobs(inputs)[name], tmp_path / "here", tmp_path / "there"
    run([*job.words, "--output", str(here)], None)
    done = run([*job.words, "--output", str(there)], cluster, lambda: job.finished(there), kill=True)
    assert [kill.what for kill in done.kills] == ["Python worker", "TaskManager"]
    assert job.data(here) == job.data(there) != {}
    if name.startswith("ingest"):
        a_run, other = snapshot.published(str(here)), snapshot.published(str(there))
        assert (a_run.fingerprint, list(a_run.rejected.items())) == (other.fingerprint, list(other.rejected.items()))


def test_a_job_for_which_there_are_too_few_slots_is_refused(cluster: Flink, inputs: Path, tmp_path: Path) -> None:
    job = flink_jobs.jobs(inputs)["ingest mealmaster"]
    refused = allsaid(*job.words, "--output", str(tmp_path), *cluster.options, "--parallelism=3")
    assert refused.returncode == 1
    assert "the job needs 3 of the cluster's slots, but 2 are free." in refused.stderr
    assert not published(tmp_path)


def test_a_second_cluster_is_refused(cluster: Flink) -> None:
    command = [sys.executable, "-m", "deploy.flink", "run", "--", "allsaid", "--version"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, cluster.task_managers() != []) == (1, True)
    assert "runs already. Stop it first." in done.stderr
