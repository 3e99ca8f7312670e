"""A command run and watched: how long it takes, and the memory and processor time of each process of its tree."""

from __future__ import annotations

import os
import resource
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

LEAST = 50  # megabytes; processes that stay below are no workers
TICKS = os.sysconf("SC_CLK_TCK")
SAMPLE_SECONDS = 2.0


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


def sampled(process: int) -> tuple[str, float, float]:
    """The command, resident megabytes and processor seconds of a process; ("", 0, 0) if it has ended."""
    try:
        command = Path(f"/proc/{process}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        resident = int(Path(f"/proc/{process}/statm").read_text().split()[1]) * resource.getpagesize() / (1 << 20)
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except (OSError, IndexError):
        return "", 0.0, 0.0
    return command, round(resident, 1), (int(fields[11]) + int(fields[12])) / TICKS


def cpu_seconds() -> float:
    """Processor time of all processes that have ended below this one."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def watched(
    command: Sequence[str],
    folder: Path,
    beside: Sequence[int] = (),
    sample: Callable[[float, Sequence[int]], None] | None = None,
) -> dict[str, Any]:
    """Run a command in a folder: its seconds, processor seconds and peaks; a failure ends the script.

    The peaks of its processes come largest first, that of the command's own process beside them. Processes ``beside``
    it, such as workers that the command did not start, and all below these count as its own. ``sample`` is called
    every few seconds with the seconds since the start and the ids of all processes, the command's own first.
    """
    load, begun, before = os.getloadavg()[0], time.monotonic(), cpu_seconds()
    running = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL)
    peaks: dict[int, float] = {}
    next_sample = 0.0
    while running.poll() is None:
        processes = [*chain.from_iterable(map(family, (running.pid, *beside)))]
        for process in processes:
            peaks[process] = max(peaks.get(process, 0.0), peak_megabytes(process))
        if sample and (passed := time.monotonic() - begun) >= next_sample:
            sample(passed, processes)
            next_sample = passed + SAMPLE_SECONDS
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
