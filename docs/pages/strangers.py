"""The figures of docs/strangers.md."""

from __future__ import annotations

from pages.results import paragraph, result, when


def fuzzed() -> str:
    """How many damaged inputs were tried."""
    found = result("fuzz_sources")["all"]
    return paragraph(
        f"""
        {found["damaged_files"]:,} input files of all sources were damaged at random
        (`benchmarks/corpora/fuzz_sources.py`): {found["failures"] or "none"} of them stopped a run or lost anything
        unsaid. {when("fuzz_sources")}
        """
    )
