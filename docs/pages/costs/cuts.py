"""What cutting a large table or dump costs, and what its readers hold, on docs/sources.md."""

from __future__ import annotations

from allsaid.markdown import table
from pages.results import paragraph, result, when

STEPS = ("reading", "guarding", "writing")


def measured() -> str:
    """The passes of the launcher and of a worker, by file, in megabytes a second, and their peaks."""
    found = result("table_shards")
    text = paragraph(
        f"""
        `benchmarks/scale/table_shards.py`: files cut into shards of {found["shard_bytes"] / 1e6:.0f} MB, by processor
        time. The launcher finds the encoding and the borders; a worker reads the ids of its shard, and then its rows.
        {when("table_shards")}
        """
    )
    rows = []
    for one in found["files"]:
        launcher, worker = one["launcher"], one.get("worker")
        passes = [launcher["encoding"], launcher["cutting"], *([worker["ids"], worker["reading"]] if worker else [])]
        speeds = [_shown(each["megabytes_per_cpu_second"]) for each in passes]
        peaks = [launcher["cutting"], *([worker["reading"]] if worker else [])]
        peak = " / ".join(f"{each['peak_megabytes']:.0f}" for each in peaks)
        rows.append([one["kind"], f"{one['megabytes']}", *speeds, *([] if worker else ["–", "–"]), peak])
    head = ["file", "MB", "encoding, MB/s", "borders", "ids", "rows", "peak of launcher / worker, MB"]
    return f"{text}\n\n{table(head, rows)}"


def dumps() -> str:
    """A worker's peaks with the shard in the middle of a dump, by the dump's size, in megabytes."""
    found = result("dump_memory")
    text = paragraph(
        f"""
        `benchmarks/scale/dump_memory.py`: dumps of mealmaster cut into shards of {found["shard_bytes"] / 1e6:.0f} MB.
        The launcher finds the borders; a worker reads the shard in the middle, guards it against the titles of the
        whole dump, and writes it. {when("dump_memory")}
        """
    )
    rows = []
    for one in found["files"]:
        worker = one["worker"]
        peaks = [worker["peak_megabytes_before"], *(worker[step]["peak_megabytes"] for step in STEPS)]
        speed = one["launcher"]["cutting"]["megabytes_per_cpu_second"]
        held = [one["launcher"]["cutting"]["peak_megabytes"], *peaks]
        rows.append([f"{one['megabytes']:,}", f"{one['recipes']:,}", _shown(speed), *(f"{peak:.0f}" for peak in held)])
    head = ["MB", "recipes", "borders, MB/s", "launcher's peak, MB", "worker's at its start"]
    head += [f"after {step}" for step in STEPS]
    return f"{text}\n\n{table(head, rows)}"


def _shown(rate: float) -> str:
    return f"{rate:.2f}" if rate < 10 else f"{rate:,.0f}"
