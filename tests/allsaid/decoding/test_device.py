"""One process has the model and computes for all that ask; here on the CPU, where texts must be the same to the bit."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch
from tiny_model import save_tiny_model

from allsaid.decoding import device as devices
from allsaid.decoding.device import DeviceClient
from allsaid.decoding.reread import read_again
from allsaid.decoding.write import write
from allsaid.modeling.config import SearchConfig
from allsaid.modeling.saved.model_folder import load
from schemas.errors import UserError

ROWS: list[Any] = [
    SimpleNamespace(
        id=str(n), goal="soup", goal_tokens=["soup"], agenda=agenda, agenda_tokens=[[one] for one in agenda]
    )
    for n, agenda in enumerate((["salt", "tomatoes"], ["olive_oil"], ["garlic", "salt", "tomatoes"], []))
]
ASKS = (
    SearchConfig(width=3, max_tokens=9),
    SearchConfig(width=4, max_tokens=12, min_coverage=100, values_once=True, once_a_list=True),
    SearchConfig(width=2, max_tokens=7, variety=True, rewrites=2),
)
WORKER = """
import sys
from pathlib import Path
from allsaid.decoding.device import DeviceClient
own = DeviceClient(Path(sys.argv[1]), "cpu", None)
print(own.process, flush=True)
sys.stdin.read()
"""


def is_gone(process: int) -> bool:
    """Whether the process ends soon."""
    until = time.monotonic() + 20
    while Path(f"/proc/{process}").exists() and time.monotonic() < until:
        time.sleep(0.05)
    return not Path(f"/proc/{process}").exists()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A model's folder, and a device worker's that is empty."""
    monkeypatch.setattr(devices.tempfile, "tempdir", str(tmp_path))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    return save_tiny_model(tmp_path)


def test_a_worker_finds_the_texts_that_this_process_finds(folder: Path) -> None:
    here, client = load(folder), DeviceClient(folder, "cpu", None)
    there = replace(here, client=client)
    for asked in ASKS:
        banned = ("stir",) if asked.min_coverage else ()
        found = write(there, ROWS, asked, banned)
        assert found == write(here, ROWS, asked, banned)
        assert any(one.tokens for texts in found for one in texts)
    texts = [found[0].tokens for found in write(here, ROWS, ASKS[0])]
    read = read_again(there, ROWS, texts, ASKS[0], attention=True)
    assert read == read_again(here, ROWS, texts, ASKS[0], attention=True) and read[0].weights
    client.close()


def test_it_computes_in_the_precision_that_is_asked_for(folder: Path) -> None:
    client = DeviceClient(folder, "cpu", "bfloat16")
    low = load(folder, "cpu", "bfloat16")
    found = write(replace(load(folder), client=client), ROWS, ASKS[0])
    assert found == write(low, ROWS, ASKS[0]) != write(load(folder), ROWS, ASKS[0])
    client.close()


def test_processes_share_one_worker_until_the_last_ends(folder: Path) -> None:
    workers = [
        subprocess.Popen(
            [sys.executable, "-c", WORKER, str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        for _ in range(2)
    ]
    numbers = [int(worker.stdout.readline()) for worker in workers if worker.stdout]
    assert numbers[0] == numbers[1] not in [worker.pid for worker in workers]
    workers[0].send_signal(signal.SIGKILL)
    workers[0].communicate()
    client = DeviceClient(folder, "cpu", None)
    assert client.process == numbers[0]
    workers[1].communicate()
    assert write(replace(load(folder), client=client), ROWS, ASKS[0])[0]
    client.close()
    assert is_gone(client.process)
    assert [path.suffix for path in folder.parent.glob("allsaid-*/*")] == [".lock"]


def test_a_dead_worker_is_replaced_at_the_next_try(folder: Path) -> None:
    client = DeviceClient(folder, "cpu", None)
    first, there = client.process, replace(load(folder), client=client)
    os.kill(first, signal.SIGKILL)
    assert is_gone(first)
    with pytest.raises(OSError, match="The process that has the model on this machine's GPU has ended"):
        write(there, ROWS, ASKS[0])
    assert write(there, ROWS, ASKS[0]) == write(load(folder), ROWS, ASKS[0])
    assert client.process != first
    client.close()


def test_what_fails_there_is_raised_here(folder: Path) -> None:
    client = DeviceClient(folder, "cpu", None)
    prompts = load(folder).prompts(ROWS)
    with pytest.raises(IndexError, match="index out of range"):
        client.beam_search(replace(prompts, goal=prompts.goal + 99), ASKS[0])
    assert len(client.beam_search(prompts, ASKS[0])) == len(ROWS)
    client.close()
    with pytest.raises(UserError, match="is not a model folder"):
        DeviceClient(folder.parent, "cpu", None)
    if not torch.cuda.is_available():
        with pytest.raises(UserError, match="PyTorch finds no GPU here"):
            DeviceClient(folder, "cuda", None)


def test_a_folder_that_others_may_open_is_refused(folder: Path) -> None:
    where = Path(folder.parent, f"allsaid-{os.getuid()}")
    where.mkdir(mode=0o755)
    with pytest.raises(PermissionError, match="is open to others"):
        DeviceClient(folder, "cpu", None)


def test_a_worker_has_one_model_device_and_precision(folder: Path) -> None:
    copy = Path(shutil.copytree(folder, folder.parent / "copy"))
    client, other = DeviceClient(folder, "cpu", None, "s3://models/1"), DeviceClient(copy, "cpu", None, "s3://models/1")
    assert client.process == other.process
    for one in (client, other):
        one.close()
    places = [devices._place(*named) for named in (("a", "cpu", None), ("a", "cuda", None), ("a", "cuda", "tf32"))]
    assert len({*places}) == 3
