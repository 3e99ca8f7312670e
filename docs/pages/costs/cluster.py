"""What jobs cost on a Flink cluster of one machine, on docs/cluster.md."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from allsaid.markdown import table
from pages.results import paragraph, result, when

LONG = 30  # seconds of work, below which a second more or less decides
WAYS = {"local": "local run", "one": "one TaskManager", "two": "two", "two, killed": "two, killed"}


def flink() -> str:
    """Seconds of each job locally, on one TaskManager and two, and with processes killed."""
    found = result("flink")
    start, end = found["load at start and end"]
    text = paragraph(
        f"""
        `benchmarks/scale/flink.py`: seconds of the clock, in brackets those until the first piece of work was done; the
        table has {found["rows of the table"]:,} rows. All ways write the same bytes. With "killed" the job loses a
        Python worker and a TaskManager, after the seconds that the last column names. The whole cluster is one machine
        of {found["processors"]} cores (its load {start} before and {end} after); wanted on two TaskManagers was
        {found["wanted, two against one"]} times the pace of one; "without the start" tells the pace of jobs that work
        for {LONG} seconds and more. {when("flink")}
        """
    )
    rows = [[name, *_job(ways)] for name, ways in found["jobs"].items()]
    head = ["job", *WAYS.values(), "two against one", "without the start", "killed after"]
    return f"{text}\n\n{table(head, rows)}"


def _job(ways: Mapping[str, Any]) -> list[str]:
    seconds, work = ({way: one[key] for way, one in ways.items()} for key in ("seconds", "first_seconds"))
    work = {way: seconds[way] - first for way, first in work.items()}
    return [
        *(f"{seconds[way]:.0f} ({seconds[way] - work[way]:.0f})" for way in WAYS),
        f"{seconds['one'] / seconds['two']:.2f} times",
        f"{work['one'] / work['two']:.2f} times" if work["one"] >= LONG else "",
        ", ".join(f"{kill['after_seconds']:.0f}" for kill in ways["two, killed"]["kills"]),
    ]
