"""Temporary folders of killed processes are removed by the next one; those of living processes stay."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

HOLD = """
from allsaid import scratch
path = scratch.folder("model")
(path / "weights").write_text("…")
print(path, flush=True)
input()
"""
ONCE = "from allsaid import scratch; print(scratch.folder('plan'))"
KEEP = "from allsaid import scratch; path = scratch.folder('training'); scratch.keep(path); print(path)"


def run(code: str, tmp: Path) -> Path:
    done = subprocess.run(
        [sys.executable, "-c", code], env=os.environ | {"TMPDIR": str(tmp)}, capture_output=True, text=True, check=True
    )
    return Path(done.stdout.strip())


@contextmanager
def holder(tmp: Path) -> Iterator[tuple[subprocess.Popen[str], Path]]:
    command = [sys.executable, "-c", HOLD]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(command, env=os.environ | {"TMPDIR": str(tmp)}, text=True, **pipes) as child:  # type: ignore[call-overload]
        try:
            yield child, Path(child.stdout.readline().strip())
        finally:
            child.kill()


def test_only_folders_of_killed_processes_are_removed(tmp_path: Path) -> None:
    others = tmp_path / "allsaid-of-somebody-else"
    others.mkdir()
    with holder(tmp_path) as (killed, left), holder(tmp_path) as (_, used):
        killed.kill()
        killed.wait()
        assert (left / "weights").exists()
        kept = run(KEEP, tmp_path)
        run(ONCE, tmp_path)
        assert {*tmp_path.iterdir()} == {others, used, kept}
        assert (used / "weights").exists() and not [*kept.iterdir()]
    assert run(ONCE, tmp_path).parent == tmp_path
    assert {*tmp_path.iterdir()} == {others, kept}
