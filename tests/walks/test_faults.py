"""Every fault of tests/faults/: the exit code, the sentence, and what still stands on disk."""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
from pathlib import Path
from shlex import split

import pytest
from fault_table import EVERYTHING, Fault, read_faults
from fault_worlds import Worlds
from in_process import allsaid

FAULTS = read_faults()


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_fault(
    fault: Fault,
    worlds: Worlds,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    worlds.copy(fault.given, tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("MLFLOW_TRACKING_URI", raising=False)
    capfd.readouterr()
    subprocess.run(["bash", "-euc", fault.setup], env=with_our_programs(), check=True)
    before = contents(tmp_path)
    code = in_own_process(fault) if fault.process else in_this_process(fault)
    told = one_line("\n".join(capfd.readouterr()))
    assert code == fault.exit, told
    for sentence in fault.says:
        assert re.search(".*?".join(map(re.escape, one_line(sentence).split("…"))), told), told
    assert fault.not_says not in told
    standing = [path for path in before if stands(path, fault)]
    assert standing or not fault.stands or not before, "nothing of what should still stand was there before"
    after = contents(tmp_path)
    assert {path: after.get(path) for path in standing} == {path: before[path] for path in standing}
    assert not [path for path in fault.gone if os.path.lexists(path)]


def in_this_process(fault: Fault) -> int:
    program, *words = split(fault.command)
    assert program == "allsaid" and "--log-format" not in words, "this needs `process: true`"
    return allsaid(*words)


def in_own_process(fault: Fault) -> int:
    """By bash, with the commands of this environment."""
    return subprocess.run(["bash", "-c", fault.command], env=with_our_programs(), timeout=120).returncode


def with_our_programs() -> dict[str, str]:
    return os.environ | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}


def contents(folder: Path) -> dict[str, str]:
    """Each file below a folder with a hash of its bytes, each link with where it leads."""
    found = {}
    for path in sorted(folder.rglob("*")):
        if path.is_symlink():
            found[str(path.relative_to(folder))] = f"-> {path.readlink()}"
        elif path.is_file():
            found[str(path.relative_to(folder))] = hashlib.sha256(path.read_bytes()).hexdigest()
    return found


def stands(path: str, fault: Fault) -> bool:
    return any(one == EVERYTHING or path == one or path.startswith(f"{one}/") for one in fault.stands)


def one_line(text: str) -> str:
    return " ".join(text.split())


def test_no_two_faults_share_a_name() -> None:
    assert len({fault.name for fault in FAULTS}) == len(FAULTS)
