"""What damaged input files do, on docs/figures.md."""

from __future__ import annotations

from pages.results import facts, result


def fuzzed() -> str:
    """Return the number of damaged inputs, and of those that stopped a run or lost a record without a message."""
    found = result("fuzz_sources")["all"]
    return facts(
        {"damaged input files": f"{found['damaged_files']:,}", "stopped a run or lost records": found["failures"]}
    )
