"""The figures of docs/schedule.md."""

from __future__ import annotations

from pages.results import paragraph, result, when


def taken_over() -> str:
    """How fast a night takes rows over, and what it searched where a hundredth had changed."""
    found = result("nights")
    rows, changed = found["runs"]["unchanged"]["input_rows"], found["runs"]["a hundredth changed"]
    rate, start = found["rows taken over a second"], found["start, seconds"]
    return paragraph(
        f"Of a shop's {rows:,} rows {rate:,} a second are taken over by one process, beside a start of {start} seconds "
        f"of processor time. With a hundredth changed {changed['taken_over']:,} are taken over, {changed['searched']} "
        f"searched (`python -m benchmarks.speed.nights`). {when('nights')}"
    )
