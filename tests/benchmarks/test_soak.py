"""Three nightly runs of the soak test (`benchmarks/scale/soak.py`): a kill, a store that refuses, a promotion."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.scale import soak, soak_checks
from benchmarks.scale.soak import Fault

ROOT = Path(__file__).resolve().parents[2]
SEED = 11


def test_each_fault_comes_once_in_a_round() -> None:
    nights = [soak.draw(SEED, number) for number in range(1, 2 * len(Fault) + 1)]
    assert sorted(night.fault for night in nights[: len(Fault)]) == sorted(Fault)
    assert sorted(night.fault for night in nights[len(Fault) :]) == sorted(Fault)
    assert nights == [soak.draw(SEED, night.night) for night in nights]
    assert nights != [soak.draw(SEED + 1, night.night) for night in nights]


@pytest.mark.slow
def test_three_nightly_runs_with_faults(tmp_path: Path) -> None:
    work, result = tmp_path / "work", tmp_path / "soak.json"
    words = ("--nights", "3", "--seed", str(SEED), "--work", str(work), "--result", str(result))
    command = [sys.executable, "-m", "benchmarks.scale.soak", *words]
    done = subprocess.run(command, cwd=ROOT, env=os.environ | {"PYTHONPATH": str(ROOT)}, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    nights = json.loads(result.read_text())["nights"]
    assert [night["fault"] for night in nights] == [Fault.KILL, Fault.REFUSED, Fault.PROMOTION]
    assert nights[0]["exits"] == [-signal.SIGKILL, 0]
    assert [night["version"] for night in nights] == [1, 1, 2]
    assert all(night["reached"] and night["locks"][1] == night["unfinished"][1] == 0 for night in nights)

    # The check of readers can fail.
    outputs = str(work / "disk" / "data"), str(work / "disk" / "texts")
    soak_checks.reader(*outputs)
    (text,) = (work / "disk" / "texts" / "current" / "texts").iterdir()
    text.write_bytes(text.read_bytes()[:-1])
    with pytest.raises(AssertionError, match="are missing or damaged"):
        soak_checks.reader(*outputs)
