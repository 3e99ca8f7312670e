"""The figures of docs/strangers.md."""

from __future__ import annotations

from pages.results import paragraph, result, when


def fuzzed() -> str:
    """How many damaged inputs were tried."""
    found = result("fuzz_sources")["all"]
    faults = f"{found['failures']} of them" if found["failures"] else "none of them"
    tried = (
        f"{found['damaged_files']:,} input files of all sources were damaged at random (`benchmarks/fuzz_sources.py`):"
    )
    return paragraph(tried, f"{faults} stopped a run or lost anything unsaid.", when("fuzz_sources"))
