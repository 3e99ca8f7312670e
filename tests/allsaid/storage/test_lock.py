"""One run at a time: locks of runs that live hold others off, and nothing else does."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from allsaid.storage import files, lock
from schemas.errors import UserError

HERE = socket.gethostname()
MINE, OTHER = "20260101T000000Z-00000001", "20260101T000000Z-0123abcd"


def sign(host: str, process: Callable[[], int], seconds_ago: float) -> Callable[[], str]:
    """What makes a lock's content at the time of the test."""
    return lambda: json.dumps({"host": host, "process": process(), "time": time.time() - seconds_ago})


def dead_process() -> int:
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    return ended.pid


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ("", "is damaged"),
        ("{}", "is damaged"),
        ("[]", "is damaged"),
        ("null", "is damaged"),
        ('{"host": "elsewhere", "proc', "is damaged"),
        ('{"host": "elsewhere", "process": 1, "time": "noon"}', "is damaged"),
        ('{"host": "elsewhere", "process": null, "time": 1}', "is damaged"),
        ('{"host": "elsewhere", "process": 1, "time": NaN}', "in the future"),
        pytest.param(sign("elsewhere", lambda: 1, 1000), "is of a dead run", id="silent"),
        pytest.param(sign(HERE, dead_process, 0), "is of a dead run", id="dead process"),
        pytest.param(sign(HERE, lambda: 1 << 70, 0), "is of a dead run", id="no process"),
        pytest.param(sign("elsewhere", lambda: 1, -1000), "in the future", id="future elsewhere"),
        pytest.param(sign(HERE, os.getpid, -1000), "in the future", id="future here"),
    ],
)
def test_a_lock_without_life_is_taken_away_with_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: str | Callable[[], str], why: str
) -> None:
    path = tmp_path / "locks" / f"{OTHER}.json"
    path.parent.mkdir()
    path.write_text(content if isinstance(content, str) else content())
    with lock.held(str(tmp_path), MINE, 0) as hold:
        hold.check()
        assert [path.name for path in path.parent.iterdir()] == [f"{MINE}.json"]
    told = capsys.readouterr().err
    assert f"The lock {path}" in told and why in told and told.count("it is removed.") == 1
    assert not list(path.parent.iterdir())


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(sign("elsewhere", lambda: 1, 0), id="just now"),
        pytest.param(sign("elsewhere", lambda: 1, -60), id="a clock ahead"),
        pytest.param(sign(HERE, os.getpid, 60), id="here"),
    ],
)
def test_a_lock_that_shows_life_holds_others_off(tmp_path: Path, content: Callable[[], str]) -> None:
    (tmp_path / "locks").mkdir()
    (tmp_path / "locks" / f"{OTHER}.json").write_text(content())
    with pytest.raises(UserError, match=f"Another run, {OTHER}"), lock.held(str(tmp_path), MINE, 0):
        pass
    assert [path.name for path in (tmp_path / "locks").iterdir()] == [f"{OTHER}.json"]


def test_what_is_no_lock_stays(tmp_path: Path) -> None:
    (tmp_path / "locks").mkdir()
    (tmp_path / "locks" / "keys.json").write_text("{}")
    with lock.held(str(tmp_path), MINE, 0):
        pass
    assert (tmp_path / "locks" / "keys.json").read_text() == "{}"


def test_a_full_disk_leaves_no_part_of_a_lock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file is made, but nothing can be written into it; with room made the next run works."""

    class Full:
        def __init__(self, path: str) -> None:
            Path(path).parent.mkdir(exist_ok=True)
            Path(path).touch()

        def __enter__(self) -> Full:
            return self

        def __exit__(self, *_: object) -> None:
            pass

        def write(self, _: bytes) -> None:
            raise OSError(28, os.strerror(28))

    with monkeypatch.context() as full:
        full.setattr(files, "create", Full)
        with pytest.raises(OSError, match="No space left"), lock.held(str(tmp_path), MINE, 0):
            pass
    assert not list((tmp_path / "locks").iterdir())
    with lock.held(str(tmp_path), OTHER, 0) as hold:
        hold.check()


def test_locks_of_an_object_store(kitchen: Any, capsys: pytest.CaptureFixture[str]) -> None:
    silent = sign("elsewhere", lambda: 1, 1000)()
    for name, content in (("00000002", ""), ("00000003", "{}"), ("00000004", silent)):
        kitchen.put_object(Bucket="kitchen", Key=f"out/locks/20260101T000000Z-{name}.json", Body=content.encode())
    with lock.held("s3://kitchen/out", MINE, 0) as hold:
        hold.check()
        (left,) = kitchen.list_objects_v2(Bucket="kitchen", Prefix="out/locks/")["Contents"]
        assert left["Key"] == f"out/locks/{MINE}.json"
        written = json.loads(kitchen.get_object(Bucket="kitchen", Key=left["Key"])["Body"].read())
        assert written.keys() == {"host", "process", "time"}
    assert capsys.readouterr().err.count("it is removed.") == 3
    assert "Contents" not in kitchen.list_objects_v2(Bucket="kitchen", Prefix="out/locks/")


def test_a_lock_outlives_a_moment_in_which_it_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    signed: list[str] = []
    sign = lock._write

    def failing(path: str) -> None:
        signed.append(path)
        if len(signed) == 2:
            raise OSError("No space left on device")
        sign(path)

    monkeypatch.setattr(lock, "BEAT", 0.02)
    monkeypatch.setattr(lock, "_write", failing)
    with lock.held(str(tmp_path), OTHER, 0) as hold:
        until = time.monotonic() + 20
        while len(signed) < 4 and time.monotonic() < until:
            time.sleep(0.01)
        hold.check()
    assert len(signed) >= 4
    assert "could not be renewed (No space left on device); trying again." in capsys.readouterr().err
