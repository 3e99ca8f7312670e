"""`allsaid` in the test's own process: all that a command does, without the seconds that its start takes."""

from __future__ import annotations

from allsaid.__main__ import main


def allsaid(*words: str) -> int:
    """Run a command line; gives back the exit code."""
    try:
        main(words)
    except SystemExit as end:
        assert end.code is None or isinstance(end.code, int), end.code
        return end.code or 0
    raise AssertionError("The command line did not end.")
