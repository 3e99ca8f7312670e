"""The cost of jobs on a Flink cluster of one machine, on docs/cluster.md."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from allsaid.markdown import table
from pages.results import facts, result

LONG = 30  # seconds of work; a shorter job's pace is not shown
WAYS = {"local": "local run", "one": "one TaskManager", "two": "two", "two, killed": "two, killed"}


def flink() -> str:
    """Return the seconds of each job locally, on one TaskManager and two, and with processes killed."""
    found = result("flink")
    rows = [[name, *_job(ways)] for name, ways in found["jobs"].items()]
    head = ["job", *WAYS.values(), "two against one", "two against one, without the start", "killed after"]
    setup = facts(
        {
            "rows of the table": f"{found['rows of the table']:,}",
            "processor cores": found["processors"],
            "load before and after": " and ".join(map(str, found["load at start and end"])),
            "wanted: pace of two TaskManagers over one": found["wanted, two against one"],
        }
    )
    return f"{table(head, rows)}\n\n{setup}"


def _job(ways: Mapping[str, Any]) -> list[str]:
    seconds, start = ({way: cells[key] for way, cells in ways.items()} for key in ("seconds", "first_seconds"))
    work = {way: seconds[way] - start[way] for way in ways}
    return [
        *(f"{seconds[way]:.0f} ({start[way]:.0f})" for way in WAYS),
        f"{seconds['one'] / seconds['two']:.2f} times",
        f"{work['one'] / work['two']:.2f} times" if work["one"] >= LONG else "",
        ", ".join(f"{kill['after_seconds']:.0f}" for kill in ways["two, killed"]["kills"]),
    ]
