"""The growth of a generation's cost with its rows, and the bill for a billion rows, on docs/cluster.md."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from allsaid.markdown import table
from batch_infer.rows import hashes, ids
from batch_infer.rows.kinds import places
from pages.results import facts, labels, result

ROWS = 1_000_000_000
MACHINES, CORES = (10, 100, 1_000), 16
JOB = 10_000_000  # rows of a job, where the work is cut into several
FILE = 2_000  # rows of a file
HOUR = 3600
COPIES = 3  # of the hashes of a shard: as read from each file, joined, and sorted
PROCESSES = ("launcher", "worker")
PLACE = 24  # bytes of a row's number in the file, offset and line


def growth() -> str:
    """Return seconds and memory of generations, by rows and workers."""
    found = result("growth")
    rows = [
        [
            f"{run['rows']:,}",
            f"{run['workers']}",
            "stand-in" if run.get("stand_in") else "model",
            f"{run['seconds']:,.0f}",
            f"{run['job_seconds']:,.0f}",
            f"{run['rows'] / run['job_seconds']:,.0f}",
            f"{run['launcher_megabytes']:,}",
            f"{run['worker_megabytes']:,}",
        ]
        for run in found["runs"]
    ]
    head = [
        "rows",
        "workers",
        "texts by",
        "seconds",
        "of them the job's",
        "rows a second",
        "launcher's peak, MB",
        "a worker's, MB",
    ]
    return table(head, rows)


def cluster() -> str:
    """Return seconds and memory of jobs by the stand-in on Prism and on the local runner, with one worker."""
    runs = result("growth_cluster")["runs"]
    rows = [
        [
            run["runner"],
            f"{run['rows']:,}",
            f"{run['job_seconds']:,.0f}",
            *(f"{half:,}" for name in PROCESSES for half in _halves(run["over_time"][name])),
        ]
        for run in sorted(runs, key=lambda run: (run["runner"], run["rows"]))
    ]
    halves = [f"{name}'s memory in the {half} half, MB" for name in PROCESSES for half in ("first", "second")]
    return table(["runner", "rows", "seconds", *halves], rows)


def spread() -> str:
    """Return how far the memory of the runs on Prism is apart, by process, and what a row costs at the largest."""
    *_, most = runs = _by_rows("Prism")
    rows = f"{runs[0]['rows']:,} to {most['rows']:,} rows"
    highest = {name: [max(run["over_time"][name]) for run in runs] for name in PROCESSES}
    found = {f"{name}: largest over smallest, {rows}": max(all_) / min(all_) - 1 for name, all_ in highest.items()}
    for name in PROCESSES:
        first, second = _halves(most["over_time"][name])
        found[f"{name}: second half over the first, {most['rows']:,} rows"] = second / first - 1
    first, second = most["over_time"]["worker_seconds_a_part"]
    found["worker: processor time of a part, second half of the parts over the first"] = second / first - 1
    lines = {name: f"{share:+.0%}" for name, share in found.items()}
    for runner in ("Prism", "local"):
        few, *_, many = _by_rows(runner)
        grown = max(many["over_time"]["launcher"]) - max(few["over_time"]["launcher"])
        label = f"{runner}: the launcher's bytes for each further row, {few['rows']:,} to {many['rows']:,} rows"
        lines[label] = f"{grown * 2**20 / (many['rows'] - few['rows']):,.0f}"
    return facts(lines)


def _by_rows(runner: str) -> list[dict[str, Any]]:
    runs = [run for run in result("growth_cluster")["runs"] if run["runner"] == runner]
    return sorted(runs, key=lambda run: run["rows"])


def _halves(tenths: Sequence[int]) -> tuple[int, int]:
    return max(tenths[:5]), max(tenths[5:])


def two_processes() -> str:
    """Return the processor time that launcher and workers spend once and for a row, and a bound for a job."""
    found, names = result("two_processes"), labels("two_processes")
    rows = [[label, *(str(found["parts"][count][key]) for count in "12")] for key, label in names.items()]
    computed = facts(
        {
            "rows measured": " and ".join(sorted({str(run["rows"]) for run in found["runs"]}, key=int)),
            "rounds": found["rounds"],
            "machine's load, and its cores": f"{found['load']}, {found['cores']}",
            f"two workers over one, {found['job']['rows']:,} rows, at most": found["job"]["times_at_most"],
            **{
                f"the same by the clock, {one['rows']:,} rows with the model's own search, start included": one["times"]
                for one in found.get("by_clock", [])
            },
        }
    )
    return f"{table(['processor time', 'one worker', 'two workers'], rows)}\n\n{computed}"


def _gain(runs: Sequence[Mapping[str, Any]], rows: int) -> float:
    one, two = (next(run for run in runs if (run["rows"], run["workers"]) == (rows, workers)) for workers in (1, 2))
    return float(one["job_seconds"] / two["job_seconds"])


def paces() -> str:
    """Return the rates that the bill is computed from."""
    return facts(
        {
            "texts a second of the sample table's Checklist with its own beam, one core": f"{_pace():.1f}",
            "launcher: rows of a table hashed and cut into shards a second": f"{1 / _seconds('look'):,.0f}",
            "launcher: rows a second, with the checks of their texts": f"{1 / _alone():,.0f}",
            "a worker: rows of a shard surveyed a second": f"{1 / _seconds('survey'):,.0f}",
            "pace of two workers, over twice the pace of one": f"{_share():.0%}",
        }
    )


def bill() -> str:
    """Return the hours for a billion rows by machines, as one job and as several in parallel."""
    alone = ROWS * _alone() / HOUR
    rows = []
    for machines in MACHINES:
        search = ROWS * (1 / (_pace() * _share()) + _seconds("survey")) / CORES / machines / HOUR
        several = search + alone * JOB / ROWS
        rows.append(
            [
                f"{machines:,}",
                f"{search:,.1f}",
                f"{alone:,.1f}",
                f"{search + alone:,.1f}",
                f"{several:,.1f}",
                f"{CORES * machines * several:,.0f}",
            ]
        )
    head = [
        "machines",
        "hours of survey and search",
        "hours of the launcher alone",
        "one job, hours",
        f"{ROWS // JOB} jobs, hours",
        f"{ROWS // JOB} jobs, core hours",
    ]
    return table(head, rows)


def limits() -> str:
    """Return what a job needs of single machines, for all rows and for a part of them."""
    needed = zip(_needed(ROWS).items(), _needed(JOB).values(), strict=True)
    rows = [[name, whole, part] for (name, whole), part in needed]
    return table(["what", f"one job of {ROWS:,} rows", f"each of {ROWS // JOB} jobs of {JOB:,} rows"], rows)


def _needed(rows: int) -> dict[str, str]:
    shard = COPIES * min(rows, hashes.ROWS) * ids.RECORD.itemsize
    return {
        "launcher, hours of looking at the table": f"{rows * _seconds('look') / HOUR:,.2f}",
        "launcher, hours with the checks of the texts": f"{rows * _alone() / HOUR:,.2f}",
        "launcher, memory for the places of rows": _memory(min(rows, places.MOST) * PLACE),
        "disk for the places of rows, with `prove` or `--previous`": _memory(rows * hashes.PLACE.itemsize),
        "a worker, memory for the hashes of one range": _memory(shard),
        f"files, of {FILE:,} rows": f"{rows // FILE:,}",
        "a core, seconds with the last part": f"{FILE / _pace():,.0f}",
    }


def _memory(size: float) -> str:
    return f"{size / 1e9:,.1f} GB" if size >= 1e9 else f"{size / 1e6:,.1f} MB"


def _share() -> float:
    """Return the pace of two parallel workers that search, over twice the pace of one."""
    runs = [run for run in result("growth")["runs"] if not run.get("stand_in")]
    return _gain(runs, runs[-1]["rows"]) / 2


def _pace() -> float:
    """Return the texts per second of one core, without the job's start."""
    few, many = result("growth")["own_search"]
    return float((many["rows"] - few["rows"]) / (many["job_seconds"] - few["job_seconds"]))


def _alone() -> float:
    """Return the processor seconds of a row, without the start, of the launcher while no worker searches."""
    few, *_, many = _by_rows("Prism")
    less, more = (run["over_time"]["launcher_seconds_alone"] for run in (few, many))
    return float((more - less) / (many["rows"] - few["rows"]))


def _seconds(what: str) -> float:
    """Return the processor seconds of a row, without the start, for the launcher's look or a worker's survey."""
    few, many = result("growth_cluster")[what]
    return float((many["cpu_seconds"] - few["cpu_seconds"]) / (many["rows"] - few["rows"]))
