"""The figures of docs/nightly.md."""

from __future__ import annotations

from pages.results import facts, result


def taken_over() -> str:
    """Return the speed of taking over rows, and the rows searched after a hundredth has changed."""
    found = result("nights")
    changed = found["runs"]["a hundredth changed"]
    return facts(
        {
            "rows": f"{found['runs']['unchanged']['input_rows']:,}",
            "rows taken over a second, by one process": f"{found['rows taken over a second']:,}",
            "start, seconds of processor time": found["start, seconds"],
            "rows taken over after a hundredth has changed": f"{changed['taken_over']:,}",
            "rows searched then": changed["searched"],
        }
    )
