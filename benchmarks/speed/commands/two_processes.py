"""What two worker processes of `allsaid generate` share: processor seconds of each process, by rows and workers.

    python -m benchmarks.speed.commands.two_processes --work DIR [--rows 1000 5000] [--rounds 3] [--whole 100000]

The command of `benchmarks.scale.growth` on its table, with one and two workers in turn. Processor time is used, since
other work may share the machine. Two numbers of rows separate what each process does once (imports, the model, the
pipeline) from what it does for each row; medians of the rounds. From these follows an upper bound for a job: the
launcher and the workers start one after the other, and the workers share the rows, on cores that do not slow each
other. What the launcher does for each row is too little for so few rows, and is left out.

``--whole`` runs jobs of so many rows by the clock, start included, with the model's own search. It needs two cores that
do nothing else. What is measured is kept in ``DIR/runs.jsonl``, so that the same command goes on after an interruption.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import time
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.result_file import RESULTS, ROOT, machine, write
from benchmarks.scale import growth
from benchmarks.scale.growth import GENERATE, SHORT, enlarge, train
from benchmarks.watched import family

RESULT = RESULTS / "two_processes.json"
WORKER = b"pipelines.ingest.worker"
TICKS = os.sysconf("SC_CLK_TCK")
Runs = dict[tuple[int, int], dict[str, float]]  # by rows and workers: seconds of the launcher and of all workers


def used(process: int) -> tuple[bool, float]:
    """Whether a process is a worker, and its processor seconds; (False, 0) if it has ended."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        is_worker = WORKER in Path(f"/proc/{process}/cmdline").read_bytes().split(b"\0")
    except OSError:
        return False, 0.0
    return is_worker, (int(fields[11]) + int(fields[12])) / TICKS


def once(model: Path, work: Path, rows: int, workers: int) -> dict[str, float]:
    """Processor seconds of the launcher and of all workers together."""
    table, output = enlarge(work / "rows.csv", rows), work / "out"
    shutil.rmtree(output, ignore_errors=True)
    beam = ("--direct_num_workers", str(workers), "--direct_running_mode", "multi_processing")
    command = [*GENERATE, "--model", str(model), "--input", str(table), "--output", str(output), *beam, *SHORT]
    running = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    found: dict[int, tuple[bool, float]] = {}
    while running.poll() is None:
        for process in family(running.pid):
            is_worker, seconds = used(process)
            found[process] = max(found.get(process, (False, 0.0)), (is_worker, seconds))
        time.sleep(0.1)
    if running.returncode:
        raise SystemExit(f"generate failed with code {running.returncode}.")
    shutil.rmtree(output)
    each = [seconds for is_worker, seconds in found.values() if is_worker]
    return {"launcher": found[running.pid][1], "workers": sum(each)}


def once_and_row(runs: Runs, workers: int, who: str) -> tuple[float, float]:
    """Processor seconds that are spent once, and for each row."""
    (few, less), (many, more) = sorted((rows, found[who]) for (rows, count), found in runs.items() if count == workers)
    each = (more - less) / (many - few)
    return less - few * each, each


def computed(runs: Runs, rows: int) -> dict[str, Any]:
    """What is spent once and for a row, by the number of workers, and a bound for a job of so many rows."""
    parts, seconds = {}, {}
    for workers in (1, 2):
        start, row = once_and_row(runs, workers, "workers")
        launcher, _ = once_and_row(runs, workers, "launcher")
        seconds[workers] = launcher + (start + rows * row) / workers
        parts[str(workers)] = {
            "launcher_once": round(launcher, 1),
            "each_worker_once": round(start / workers, 1),
            "milliseconds_a_row": round(1000 * row, 1),
        }
    return {"parts": parts, "job": {"rows": rows, "times_at_most": round(seconds[1] / seconds[2], 1)}}


def by_clock(model: Path, work: Path, rows: int) -> dict[str, Any]:
    """Seconds of whole jobs with the model's own search by one worker and by two, and the gain."""
    one, two = (
        growth.once(f"own-{rows}-{workers}", work, partial(growth.run, model, work, rows, workers, GENERATE, search=()))
        for workers in (1, 2)
    )
    gain = round(one["seconds"] / two["seconds"], 2)
    return {"rows": rows, "seconds": [one["seconds"], two["seconds"]], "times": gain}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--rows", type=int, nargs=2, default=[1_000, 5_000])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--job-rows", type=int, default=100_000, help="rows for which the job's time is computed")
    parser.add_argument("--whole", type=int, default=0, help="rows of jobs that are measured by the clock")
    given = parser.parse_args()
    work = given.work.absolute()
    work.mkdir(parents=True, exist_ok=True)
    os.environ["OMP_NUM_THREADS"] = "1"  # a worker has one core
    model = work / "model" / "model"
    if not model.exists():
        train(work)
    measured: dict[tuple[int, int], list[dict[str, float]]] = {}
    for _ in range(given.rounds):
        for rows in given.rows:
            for workers in (1, 2):
                found = once(model, work, rows, workers)
                measured.setdefault((rows, workers), []).append(found)
                print(rows, workers, found, flush=True)
    runs = {
        key: {who: round(median(one[who] for one in each), 2) for who in ("launcher", "workers")}
        for key, each in measured.items()
    }
    result = {
        "runs": [
            {"rows": rows, "count": workers, "launcher": found["launcher"], "workers": found["workers"]}
            for (rows, workers), found in runs.items()
        ],
        **computed(runs, given.job_rows),
        "rounds": given.rounds,
        **({"by_clock": [by_clock(model, work, given.whole)]} if given.whole else {}),
    }
    write(RESULT, result | machine())


if __name__ == "__main__":
    main()
