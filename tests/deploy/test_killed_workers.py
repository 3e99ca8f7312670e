"""A worker process of the local runner that is killed, as by a system short of memory, ends the job with a sentence."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from dumps import cookbook, dump
from fault_worlds import Worlds
from flink_jobs import children
from in_process import allsaid

from allsaid.modeling.saved.model_folder import fingerprint
from pipelines.datasets import snapshot

DIED = "Error: A worker process died"
GENERATE = ("generate", "--model", "chairs", "--input", "chairs.csv", "--output")


def workers(number: int) -> list[str]:
    return ["--direct_running_mode=multi_processing", f"--direct_num_workers={number}"]


@contextmanager
def killed(is_time: Callable[[], bool]) -> Iterator[None]:
    """In the block this process loses a worker as soon as it is time."""

    def kill() -> None:
        while not is_time():
            time.sleep(0.005)
        os.kill(children(os.getpid(), "pipelines.ingest.worker")[0], signal.SIGKILL)

    killer = threading.Thread(target=kill, daemon=True)
    killer.start()
    yield
    killer.join(timeout=1)
    assert not killer.is_alive()


def texts(folder: str) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in Path(folder).glob("texts/*.parquet")}


@pytest.fixture
def shop(tmp_path: Path, worlds: Worlds, monkeypatch: pytest.MonkeyPatch) -> None:
    worlds.copy("model", tmp_path)
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("is_there", [True, False])
def test_a_worker_that_starts_too_late_ends(tmp_path: Path, is_there: bool) -> None:
    """The main process has closed its end of the pipe, or has ended and removed it."""
    pipe = tmp_path / "alive"
    if is_there:
        os.mkfifo(pipe)
    worker = [sys.executable, "-m", "pipelines.ingest.worker", str(pipe)]
    assert subprocess.run(worker, timeout=60, capture_output=True).returncode == 0


@pytest.mark.slow
def test_while_it_loads_the_model(shop: None, capsys: pytest.CaptureFixture[str]) -> None:
    """Its file is a pipe, from which the worker reads as long as nobody writes."""
    held: list[int] = []
    staged = Path("stage", fingerprint(Path("chairs")), "model.safetensors")
    staged.parent.mkdir(parents=True)
    os.mkfifo(staged)

    def is_read() -> bool:
        with suppress(OSError):
            held.append(os.open(staged, os.O_WRONLY | os.O_NONBLOCK))
        return bool(held)

    with killed(is_read):
        assert allsaid(*GENERATE, "there", "--stage", "stage", *workers(1)) == 1
    os.close(held[0])
    assert DIED in capsys.readouterr().err
    assert not texts("there")
    staged.unlink()
    assert allsaid(*GENERATE, "there", "--stage", "stage") == allsaid(*GENERATE, "here") == 0
    assert texts("there") == texts("here") != {}


@pytest.mark.slow
def test_while_it_writes_texts(shop: None, capsys: pytest.CaptureFixture[str]) -> None:
    with killed(lambda: any(Path("there").glob("done/part-*.new")) or any(Path("there").glob("texts/*"))):
        assert allsaid(*GENERATE, "there", *workers(1)) == 1
    assert DIED in capsys.readouterr().err
    assert not Path("there/summary.json").exists()
    assert allsaid(*GENERATE, "there") == allsaid(*GENERATE, "here") == 0
    assert texts("there") == texts("here") != {}


@pytest.mark.slow
def test_while_it_writes_a_data_set_beside_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in "ab":
        Path(f"{name}.mmf").write_bytes(dump(cookbook()))
    ingest = ["ingest", "mealmaster", "--input", "?.mmf", "--output"]
    with killed(lambda: any(Path("there").glob("runs/*/staged/part-*"))):
        assert allsaid(*ingest, "there", *workers(2)) == 1
    assert DIED in capsys.readouterr().err
    assert not [path for path in Path("there").rglob("*") if path.is_file()]
    assert allsaid(*ingest, "there") == allsaid(*ingest, "here") == 0
    assert snapshot.published("there").fingerprint == snapshot.published("here").fingerprint
