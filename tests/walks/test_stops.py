"""Ctrl-C and SIGTERM at any moment: a sentence, the exit code of the signal, nothing half done left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from as_process import ALLSAID
from dumps import cookbook, dump
from fault_worlds import Worlds
from openlineage_events import Events, told

TWO_PROCESSES = "--direct_num_workers 2 --direct_running_mode multi_processing"
PATIENCE = 200  # seconds


def stopped(number: signal.Signals, command: str, begun: str, folder: Path) -> tuple[int, str]:
    """Start a command, send a signal to its whole group when the glob ``begun`` matches; its exit code and its news."""
    words = [ALLSAID, *command.split()]
    with subprocess.Popen(words, cwd=folder, stderr=subprocess.PIPE, text=True, start_new_session=True) as process:
        until = time.monotonic() + PATIENCE
        while process.poll() is None and not any(folder.glob(begun)) and time.monotonic() < until:
            time.sleep(0.02)
        os.killpg(process.pid, number)
        news = process.communicate(timeout=PATIENCE)[1]
    with pytest.raises(ProcessLookupError):
        os.killpg(process.pid, 0)
    return process.returncode, news


@pytest.mark.slow
@pytest.mark.parametrize(
    ("number", "code", "options"), [(signal.SIGINT, 130, ""), (signal.SIGTERM, 143, TWO_PROCESSES)], ids=["one", "two"]
)
def test_ingest(tmp_path: Path, number: signal.Signals, code: int, options: str) -> None:
    for name in "ab":
        (tmp_path / f"{name}.mmf").write_bytes(dump(cookbook()) * 6)
    command = f"ingest mealmaster --input ./*.mmf --output out {options}"
    ended, news = stopped(number, command, "out/runs/*/staged/*.parquet", tmp_path)
    said = [line for line in news.splitlines() if not line.startswith("Shards read: ")]  # of how far it was
    assert (ended, said) == (code, ["Stopped. Nothing was published; readers see what they saw before."])
    assert not [path for path in (tmp_path / "out").rglob("*") if path.is_file()]


def test_while_libraries_are_imported(tmp_path: Path) -> None:
    (tmp_path / "a.mmf").write_bytes(dump(cookbook()))
    words = [ALLSAID, "ingest", "mealmaster", "--input", "a.mmf", "--output", "out"]
    pipe, telling = subprocess.PIPE, os.environ | {"PYTHONVERBOSE": "1"}
    with subprocess.Popen(words, cwd=tmp_path, stderr=pipe, text=True, errors="replace", env=telling) as process:
        assert process.stderr is not None
        news = iter(process.stderr)
        assert any("apache_beam.pipeline" in line for line in news)
        process.send_signal(signal.SIGTERM)
        rest = list(said(news))
        assert process.wait(PATIENCE) == 143
    assert "Stopped. Nothing was published; readers see what they saw before.\n" in rest
    assert not any(line.startswith("Traceback") for line in rest)
    assert not any(file.is_file() for file in (tmp_path / "out").rglob("*"))


def said(lines: Iterator[str]) -> Iterator[str]:
    """What is no news of Python's imports."""
    return (line for line in lines if not line.startswith(("#", "import ")))


@pytest.mark.slow
def test_train_and_generate_go_on(tmp_path: Path, worlds: Worlds, monkeypatch: pytest.MonkeyPatch) -> None:
    worlds.copy("model", tmp_path)
    small = "--set hidden=8 --set width=2 --set max_tokens=20 --set score_texts=1"
    command = f"train table --data data --name chairs --run-dir run --tracking offline {small} --set epochs="
    ended, news = stopped(signal.SIGINT, f"{command}500", "run/checkpoint.safetensors", tmp_path)
    assert ended == 130 and "Traceback" not in news
    assert "The last checkpoint is in run; `allsaid train` continues from it with --run-dir run --resume." in news
    assert (tmp_path / "run" / "checkpoint.safetensors").exists()
    events = Events(tmp_path / "events.jsonl", monkeypatch)
    command = "generate --model chairs --input chairs.csv --output texts"
    ended, news = stopped(signal.SIGTERM, command, "texts/job.json", tmp_path)
    assert ended == 143 and "Traceback" not in news
    assert news.endswith("Stopped. What is written stays in texts; the same command goes on with the rest.\n")
    assert not (tmp_path / "texts" / "summary.json").exists()
    assert told(events.read()) == [("START", "generate.texts"), ("ABORT", "generate.texts")]
