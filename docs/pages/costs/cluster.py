"""What jobs cost on a Flink cluster of one machine, on docs/cluster.md."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from allsaid.markdown import table
from pages.results import paragraph, result, when

WAYS = {"local": "local run", "one": "one TaskManager", "two": "two", "two, killed": "two, killed"}


def flink() -> str:
    """Seconds of each job locally, on one TaskManager and two, and with processes killed."""
    found = result("flink")
    start, end = found["load at start and end"]
    text = paragraph(
        f"""
        `benchmarks/flink.py`: seconds of the clock, in brackets those until the first piece of work was done; the table
        has {found["rows of the table"]:,} rows. All ways write the same bytes. With "killed" the job loses a Python
        worker and a TaskManager, after the seconds that the last column names. The whole cluster is one machine of
        {found["processors"]} cores (its load {start} before and {end} after); wanted on two TaskManagers was
        {found["wanted, two against one"]} times the pace of one. {when("flink")}
        """
    )
    rows = [[name, *_job(ways)] for name, ways in found["jobs"].items()]
    return f"{text}\n\n{table(['job', *WAYS.values(), 'two against one', 'killed after'], rows)}"


def _job(ways: Mapping[str, Any]) -> list[str]:
    cells = [f"{ways[way]['seconds']:.0f} ({ways[way]['first_seconds']:.0f})" for way in WAYS]
    pace = ways["one"]["seconds"] / ways["two"]["seconds"]
    return [
        *cells,
        f"{pace:.2f} times",
        ", ".join(f"{kill['after_seconds']:.0f}" for kill in ways["two, killed"]["kills"]),
    ]
