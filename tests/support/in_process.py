"""`allsaid` in the test's own process: all that a command does, without the seconds that its start takes."""

from __future__ import annotations

from pathlib import Path

from allsaid.__main__ import main


def allsaid(*words: str) -> int:
    """Run a command line; gives back the exit code."""
    try:
        main(words)
    except SystemExit as end:
        assert end.code is None or isinstance(end.code, int), end.code
        return end.code or 0
    raise AssertionError("The command line did not end.")


def generate(model: Path, given: Path, output: Path, *more: str) -> int:
    """Run `allsaid generate` with Beam's runner in this process; gives back the exit code."""
    asked = ("--model", str(model), "--input", str(given), "--output", str(output), *more)
    return allsaid("generate", *asked, "--direct_running_mode=in_memory")
