"""A command run and watched: how long it takes, and the memory and processor time of each process of its tree."""

from __future__ import annotations

import os
import resource
import subprocess
import time
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

LEAST = 50  # megabytes; processes that stay below are no workers


def family(process: int) -> Iterator[int]:
    """The ids of a process and of all below it."""
    yield process
    try:
        for task in Path(f"/proc/{process}/task").iterdir():
            for child in (task / "children").read_text().split():
                yield from family(int(child))
    except OSError:
        return  # it has just ended


def peak_megabytes(process: int) -> float:
    try:
        lines = Path(f"/proc/{process}/status").read_text().splitlines()
    except OSError:
        return 0.0
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM")), 0.0)


def cpu_seconds() -> float:
    """Processor time of all processes that have ended below this one."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def watched(command: Sequence[str], folder: Path, beside: Sequence[int] = ()) -> dict[str, Any]:
    """Run a command in a folder: its seconds, processor seconds and peaks; a failure ends the script.

    The peaks of its processes come largest first, that of the command's own process beside them. Processes ``beside``
    it, such as workers that the command did not start, and all below these count as its own.
    """
    load, begun, before = os.getloadavg()[0], time.monotonic(), cpu_seconds()
    running = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL)
    peaks: dict[int, float] = {}
    while running.poll() is None:
        for process in chain.from_iterable(map(family, (running.pid, *beside))):
            peaks[process] = max(peaks.get(process, 0.0), peak_megabytes(process))
        time.sleep(0.25)
    seconds = time.monotonic() - begun
    if running.returncode:
        raise SystemExit(f"{' '.join(command[:6])} failed with code {running.returncode}.")
    return {
        "seconds": round(seconds, 1),
        "cpu_seconds": round(cpu_seconds() - before, 1),
        "peak_megabytes": sorted((round(peak) for peak in peaks.values() if peak > LEAST), reverse=True),
        "own_megabytes": round(peaks[running.pid]),
        "load_before": round(load, 2),
    }
