"""`kill -9` at any moment of a run leaves the old data set readable, and nothing of the killed runs in the next one."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from dumps import cookbook, dump

from pipelines.datasets import snapshot
from pipelines.ingest.request import Request
from pipelines.ingest.run import run
from pipelines.sources.mealmaster.source import Settings

KILLS = 20
# Imports once what a run needs; each run is then a process of its own that can be killed from its first moment on.
PARENT = """
import os, signal, sys, time
from pipelines.ingest.request import Request
from pipelines.ingest.run import run
from pipelines.sources.mealmaster.source import Settings
print("ready", flush=True)
for line in sys.stdin:
    child = os.fork()
    if child == 0:
        try:
            run(Request("mealmaster", [sys.argv[1]], sys.argv[2], Settings()))
            os._exit(0)
        finally:
            os._exit(1)
    end = time.monotonic() + float(line)
    while time.monotonic() < end and os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
        time.sleep(0.002)
    os.kill(child, signal.SIGKILL)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""


@contextmanager
def killable(given: str, out: str) -> Iterator[Callable[[float], int]]:
    """A function that starts a run, kills it after so many seconds, and gives back how the run ended."""
    command = [sys.executable, "-c", PARENT, given, out]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True, bufsize=1) as parent:
        assert parent.stdin is not None and parent.stdout is not None
        assert parent.stdout.readline() == "ready\n"

        def killed_after(seconds: float) -> int:
            parent.stdin.write(f"{seconds}\n")  # type: ignore[union-attr]
            return int(parent.stdout.readline())  # type: ignore[union-attr]

        yield killed_after
        parent.stdin.close()


@pytest.mark.slow
def test_killed_at_any_moment_the_old_data_set_stays(tmp_path: Path) -> None:
    """Twenty kills, at moments drawn over the whole length of a run; each is followed by a look as a reader."""
    given, out = str(tmp_path / "*.mmf"), str(tmp_path / "out")
    (tmp_path / "a.mmf").write_bytes(dump(cookbook(range(40))))
    chance, kills, published = random.Random(7), 0, ""
    with killable(given, out) as killed_after:
        assert killed_after(60) == 0
        begun = time.monotonic()
        (tmp_path / "b.mmf").write_bytes(dump(cookbook(range(40, 60))))
        assert killed_after(60) == 0
        length = time.monotonic() - begun
        for attempt in range(10 * KILLS):
            before = snapshot.published(out).run
            if before != published:  # the run was quicker than the kill: the next one needs something to do
                published = before
                (tmp_path / "b.mmf").write_bytes(dump(cookbook(range(40, 61 + attempt))))
            ended = killed_after(chance.random() * length)
            kills += ended == -signal.SIGKILL
            assert ended in (0, -signal.SIGKILL)
            seen, folder = snapshot.published(out), Path(snapshot.folder(out))
            assert all((folder / entry["path"]).is_file() for found in seen.files.values() for entry in found)
            # Killed between manifest and link, a run leaves the link at the one before; the next run sets it right.
            led = (tmp_path / "out" / "current").resolve()
            assert led == folder.resolve() or (led.name == before and (led / "manifest.json").is_file())
            if kills == KILLS:
                break
    assert kills == KILLS
    whole = run(Request("mealmaster", [given], out, Settings()))
    elsewhere = run(Request("mealmaster", [given], str(tmp_path / "elsewhere"), Settings()))
    assert whole.fingerprint == elsewhere.fingerprint
    assert snapshot.store(out).runs() == snapshot.store(out).complete()
