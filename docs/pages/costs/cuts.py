"""The cost of cutting a large table or dump into shards, and the memory of its readers, on docs/figures.md."""

from __future__ import annotations

from typing import Any

from allsaid.markdown import table
from pages.results import facts, result

STEPS = ("reading", "guarding", "writing")


def tables() -> str:
    """Return the speed of each pass over a table and the peaks of memory, by file."""
    found = result("table_shards")
    rows = []
    for file in found["files"]:
        launcher, worker = file["launcher"], file.get("worker")
        passes = [launcher["encoding"], launcher["cutting"], *([worker["ids"], worker["reading"]] if worker else [])]
        speeds = [_shown(step["megabytes_per_cpu_second"]) for step in passes]
        peaks = [launcher["cutting"], *([worker["reading"]] if worker else [])]
        peak = " / ".join(f"{step['peak_megabytes']:.0f}" for step in peaks)
        rows.append([file["kind"], str(file["megabytes"]), *speeds, *([] if worker else ["–", "–"]), peak])
    head = ["file", "MB", "encoding, MB/s", "finding cuts", "ids", "rows", "peak of launcher / worker, MB"]
    return _with_shard(head, rows, found)


def dumps() -> str:
    """Return a worker's peaks of memory for the shard in the middle of a dump, by the dump's size."""
    found = result("dump_memory")
    rows = []
    for file in found["files"]:
        worker, cutting = file["worker"], file["launcher"]["cutting"]
        peaks = [cutting["peak_megabytes"], worker["peak_megabytes_before"]]
        peaks += [worker[step]["peak_megabytes"] for step in STEPS]
        speed = _shown(cutting["megabytes_per_cpu_second"])
        rows.append([f"{file['megabytes']:,}", f"{file['recipes']:,}", speed, *(f"{peak:.0f}" for peak in peaks)])
    head = ["MB", "recipes", "finding cuts, MB/s", "launcher's peak, MB", "worker's at its start"]
    head += [f"after {step}" for step in STEPS]
    return _with_shard(head, rows, found)


def _with_shard(head: list[str], rows: list[list[str]], found: dict[str, Any]) -> str:
    return f"{table(head, rows)}\n\n{facts({'MB of a shard': round(found['shard_bytes'] / 1e6)})}"


def _shown(rate: float) -> str:
    return f"{rate:.2f}" if rate < 10 else f"{rate:,.0f}"
