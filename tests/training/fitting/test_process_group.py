"""Several processes that torchrun starts train one model together."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from safetensors.torch import load_file
from small_data import make_example, publish

from training.fitting.process_group import ProcessGroup
from training.tracking.spool import SPOOL_NAME, read_events

ROOT = Path(__file__).resolve().parents[3]
SETTINGS = ["epochs=2", "hidden=8", "dropout=0", "text_cutoff=1", "log_steps=1", "checkpoint_steps=2", "sample_texts=2"]


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    examples = [make_example(number) for number in range(60)]
    return publish(tmp_path_factory.mktemp("data"), {"train": examples[:43], "dev": examples[43:]})


def command(processes: int, data: Path, run_dir: Path, *more: str) -> list[str]:
    started = ["torch.distributed.run", "--nproc-per-node", str(processes), "-m"] if processes > 1 else []
    given = ["training", "encdec-cpu", "--data", str(data), "--run-dir", str(run_dir), "--tracking", "offline"]
    settings = [part for one in (*SETTINGS, *more) for part in (("--set", one) if "=" in one else (one,))]
    return [sys.executable, "-m", *started, *given, *settings]


def run(processes: int, data: Path, run_dir: Path, *more: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"OMP_NUM_THREADS": "1"}
    return subprocess.run(
        command(processes, data, run_dir, *more), cwd=ROOT, env=environment, capture_output=True, text=True, timeout=300
    )


def losses(run_dir: Path) -> list[float]:
    told = (event["values"] for event, _ in read_events(run_dir / SPOOL_NAME, 0) if event["event"] == "metrics")
    return [values["train_nll"] for values in told if "train_nll" in values]


def test_rows_of_a_batch_are_split_evenly() -> None:
    rows = np.arange(10, 17)
    shares = [ProcessGroup(rank, 3).part_of(rows) for rank in range(3)]
    assert sorted(np.concatenate([own for own, _ in shares])) == [*rows]
    assert [round(weight * len(rows) / 3) for _, weight in shares] == [len(own) for own, _ in shares] == [3, 2, 2]
    assert [(list(own), weight) for own, weight in (ProcessGroup(rank, 3).part_of(rows[:2]) for rank in range(3))] == [
        ([10], 1.5),
        ([11], 1.5),
        ([10], 0.0),
    ]


@pytest.mark.slow
def test_two_processes_equal_one_with_double_batches(data: Path, tmp_path: Path) -> None:
    two = run(2, data, tmp_path / "two", "batch_size=4")
    assert two.returncode == 0, two.stderr
    assert two.stdout.count("dev texts") == 1 and two.stderr.count("Epoch 2:") == 1  # the first process alone tells
    assert run(1, data, tmp_path / "one", "batch_size=8").returncode == 0
    assert losses(tmp_path / "two") == pytest.approx(losses(tmp_path / "one"), rel=1e-4)
    ours, alone = (load_file(tmp_path / name / "model" / "model.safetensors") for name in ("two", "one"))
    assert all((ours[name] - alone[name]).abs().max() < 1e-4 for name in alone)


@pytest.mark.slow
def test_a_dead_process_ends_a_resumable_training(data: Path, tmp_path: Path) -> None:
    run_dir = tmp_path / "run"
    environment = os.environ | {"OMP_NUM_THREADS": "1"}
    many = ["batch_size=4", "epochs=60", "sample_texts=0"]
    started = subprocess.Popen(
        command(2, data, run_dir, *many), cwd=ROOT, env=environment, stderr=subprocess.PIPE, text=True
    )
    waited = time.monotonic()
    while not (run_dir / "checkpoint.safetensors").exists():
        assert started.poll() is None and time.monotonic() - waited < 120
        time.sleep(0.1)
    children = subprocess.run(["pgrep", "-P", str(started.pid)], capture_output=True, text=True).stdout.split()
    (second,) = [child for child in children if "\0RANK=1\0" in f"\0{environment_of(child)}"]
    os.kill(int(second), signal.SIGKILL)
    _, told = started.communicate(timeout=120)
    assert started.returncode != 0
    assert re.search(r"Another of the 2 processes of this training has ended|Stopped\. The last checkpoint is in", told)
    assert "--resume" in told
    assert not (run_dir / "model").exists()
    done = run(2, data, run_dir, *many, "--resume")
    assert done.returncode == 0, done.stderr
    assert "Resuming after step" in done.stderr and (run_dir / "model" / "model.safetensors").exists()


def environment_of(process: str) -> str:
    return Path(f"/proc/{process}/environ").read_text()
