"""Runs that must fail: one clear sentence each, nothing published, the old data set as it was."""

from __future__ import annotations

import gzip
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from dumps import cookbook, dump, recipe
from in_process import allsaid
from small_disk import mounted

from allsaid.disk import disk_fault
from allsaid.gates import GateBroken
from pipelines.datasets import history, snapshot
from pipelines.datasets.gates import DataGates
from pipelines.ingest.request import Request, Schedule
from pipelines.ingest.run import run
from pipelines.sources.mealmaster.source import Settings
from schemas.errors import UserError

SETTINGS = Settings()
GOOD = dump(cookbook(range(0, 14, 2)))
FEWER = dump(cookbook(range(0, 4, 2)))
USELESS = dump([recipe(f"Pot {n}", ["1|c|Water"], "Boil the water and then pour all of it over it.") for n in range(3)])
PICTURE = b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 40
TWO_PROCESSES = ["--direct_running_mode=multi_processing", "--direct_num_workers=2"]
LETTER = b"Dear Ann,\r\nthank you for the soup. It was good.\r\n"


def ingest(folder: Path, *contents: bytes, **options: object) -> None:
    for number, content in enumerate(contents):
        (folder / f"{number}.mmf").write_bytes(content)
    asked = Request("mealmaster", [str(folder / "*.mmf")], str(folder / "out"), SETTINGS, **options)  # type: ignore
    run(asked)


@pytest.mark.parametrize(
    ("contents", "sentence"),
    [
        pytest.param([], r"--input .*\*\.mmf matches no file", id="glob"),
        pytest.param([b" \r\n", b""], r"0\.mmf is empty", id="empty"),
        pytest.param([gzip.compress(b"")], r"0\.mmf is empty", id="empty gz"),
        pytest.param([gzip.compress(GOOD)[:9]], r"0\.mmf is cut off.*0 decompressed bytes", id="nothing readable"),
        pytest.param([GOOD, PICTURE], r"1\.mmf is a binary file", id="binary"),
        pytest.param([gzip.compress(PICTURE)], r"0\.mmf is a binary file", id="binary gz"),
        pytest.param([LETTER], r"`allsaid ingest .*` found no records in .*0\.mmf", id="no recipe"),
        pytest.param([USELESS], "None of 3 records is usable; .* is too_few_items", id="useless"),
    ],
)
def test_inputs(tmp_path: Path, contents: list[bytes], sentence: str) -> None:
    with pytest.raises(UserError, match=sentence):
        ingest(tmp_path, *contents)
    assert not (tmp_path / "out" / "manifest.json").exists()
    assert not list((tmp_path / "out").glob("runs/*"))


def test_a_letter_among_dumps_is_told(tmp_path: Path) -> None:
    ingest(tmp_path, GOOD, LETTER)
    manifest = snapshot.published(str(tmp_path / "out"))
    assert [entry["read"] for entry in manifest.inputs] == [7, 0]
    assert manifest.losses == [f"{tmp_path}/1.mmf holds no mealmaster recipe."]


def test_control_bytes_do_not_make_a_dump_binary(tmp_path: Path) -> None:
    ingest(tmp_path, b"\x01" * 500 + b"\r\n" + GOOD)
    assert snapshot.published(str(tmp_path / "out")).read == 7


def test_a_run_that_breaks_a_gate_is_kept_aside(tmp_path: Path) -> None:
    ingest(tmp_path, GOOD, USELESS, schedule=Schedule(gates=DataGates(rejected=0.3)))
    before = snapshot.published(str(tmp_path / "out"))
    with pytest.raises(
        GateBroken, match=r"records rejected is 60\.0% \(of 5\); the gate 'rejected' allows 59.0%"
    ) as told:
        ingest(tmp_path, FEWER, USELESS, schedule=Schedule(gates=DataGates(rejected=0.59)))
    assert told.value.exit_code == 2
    assert snapshot.published(str(tmp_path / "out")) == before
    assert len(snapshot.store(str(tmp_path / "out")).complete()) == 2
    assert [past.status for past in history.read(str(tmp_path / "out"))] == ["published", "aside"]


def test_unknown_option(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="the option --direct_num_worker"):
        ingest(tmp_path, GOOD, beam_args=["--direct_num_worker=2"])


def test_strange_output_folder(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "thesis.tex").write_text("precious")
    with pytest.raises(UserError, match=r"holds thesis\.tex"):
        ingest(tmp_path, GOOD)
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["thesis.tex"]


def test_read_only_output(tmp_path: Path) -> None:
    with (
        mounted(tmp_path / "out", "ro"),
        pytest.raises(UserError, match=r"--output .*out can't be written \(Read-only"),
    ):
        ingest(tmp_path, GOOD)


def test_the_history_of_a_folder_that_is_only_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with mounted(tmp_path / "out", "size=9m"):
        ingest(tmp_path, GOOD)
        subprocess.run(["mount", "-o", "remount,ro", str(tmp_path / "out")], check=True)
        assert allsaid("history", str(tmp_path / "out"), "--picture") == 0
    told = " ".join(capsys.readouterr().err.split())
    assert f"The picture of these runs, {tmp_path}/out/history.png, can't be written (Read-only file system)." in told


@pytest.mark.parametrize("options", [[], pytest.param(TWO_PROCESSES, marks=pytest.mark.slow, id="of workers")])
def test_full_output(tmp_path: Path, options: list[str]) -> None:
    with mounted(tmp_path / "out", "size=112k"):
        ingest(tmp_path, dump(cookbook(range(0, 6))))
        before = snapshot.published(str(tmp_path / "out"))
        with pytest.raises(UserError, match=r"--output .*out is full\. Make room"):
            ingest(tmp_path, dump(cookbook()), beam_args=options)
        assert snapshot.published(str(tmp_path / "out")) == before
        assert (tmp_path / "out" / "current" / "phrases.parquet").exists()
        assert [path.name for path in (tmp_path / "out" / "runs").iterdir()] == [before.run]


def test_a_worker_hands_on_its_fault_as_text() -> None:
    text = "Traceback ...\nOSError: [Errno 28] No space left on device [while running 'Merge, link, write']"
    assert "is full" in disk_fault(RuntimeError(text), "out")
    assert disk_fault(RuntimeError("KeyError: 'salt'"), "out") == ""


@pytest.mark.slow
def test_killed_in_mid_run(tmp_path: Path) -> None:
    ingest(tmp_path, GOOD)
    before = snapshot.published(str(tmp_path / "out"))
    (tmp_path / "0.mmf").write_bytes(dump(cookbook()) * 6)
    code = (
        "from pipelines.ingest.run import Request, run; from pipelines.sources.mealmaster.source import Settings; "
        f"run(Request('mealmaster', [{str(tmp_path / '*.mmf')!r}], {str(tmp_path / 'out')!r}, Settings()))"
    )
    killed = subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.DEVNULL)
    while killed.poll() is None and len(list((tmp_path / "out").glob("runs/*/staged/*.parquet"))) < 2:
        time.sleep(0.02)
    os.kill(killed.pid, signal.SIGKILL)
    assert killed.wait() == -signal.SIGKILL
    store = snapshot.store(str(tmp_path / "out"))
    assert (len(store.runs()), len(store.complete())) == (2, 1)
    assert snapshot.published(str(tmp_path / "out")) == before
    assert (tmp_path / "out" / "current").resolve().name == before.run
    (tmp_path / "0.mmf").write_bytes(GOOD)
    ingest(tmp_path, GOOD)
    assert snapshot.published(str(tmp_path / "out")).fingerprint == before.fingerprint
    assert list(snapshot.store(str(tmp_path / "out")).runs()) == [before.run], "what the killed run left is gone"
