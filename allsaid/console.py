"""Messages and results of all packages, for a person at a terminal or for a scheduler's log collector.

As text, messages go to standard error and tables to standard output. After :func:`log_json` each message is one
JSON object on a line of standard error, and :func:`result` prints a command's figures as JSON instead of a table.
Both replace secrets (`public`, `public_values`).
"""

from __future__ import annotations

import json
import logging
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from typing import Any  # Any: figures that become JSON

from rich.console import Console

from allsaid.redaction import public, public_values
from schemas.errors import UserError

# Groups of entry points, in which other packages add to Allsaid.
PLUGIN_KINDS = ("models", "baselines", "judges", "rows", "scorers", "sources", "steps")
PLUGINS = tuple(f"allsaid.{kind}" for kind in PLUGIN_KINDS)
WIDTH = 160  # characters of a table written to a file or a pipe

err = Console(stderr=True, highlight=False, soft_wrap=True)
# In a file or a pipe rich would cut tables at 80 characters.
out = Console(highlight=False, soft_wrap=True, width=None if sys.stdout.isatty() else WIDTH)
_begun = time.monotonic()
_as_json = False
_is_muted = False


class _JsonLogs(logging.Handler):
    """Write the log records of libraries as the same JSON lines."""

    def emit(self, record: logging.LogRecord) -> None:
        say(self.format(record), record.levelname.lower(), logger=record.name)


def log_json() -> None:
    """Write all further messages, including those of libraries, as JSON lines; standard output gets only figures."""
    global _as_json
    _as_json = True
    out.quiet = True
    logging.basicConfig(handlers=[_JsonLogs()], format="%(message)s", level=logging.WARNING, force=True)
    logging.captureWarnings(True)


def mute() -> None:
    """From now on report only warnings and errors: another process of the same job reports the rest."""
    global _is_muted
    _is_muted = True


def say(message: str, level: str = "info", **fields: object) -> None:
    """Print one message to standard error, so that standard output stays data; ``fields`` appear in JSON only."""
    if _is_muted and level == "info":
        return
    if _as_json:
        line = {"time": datetime.now(UTC).isoformat(timespec="milliseconds"), "level": level, "message": message}
        sys.stderr.write(_json(line | fields))
    else:
        err.print(public(message), markup=False)


def _json(line: Mapping[str, Any]) -> str:
    return json.dumps(public_values(line), ensure_ascii=False) + "\n"


def counted(number: int, one: str, several: str = "") -> str:
    """Format a number with its noun: "1 line", "1,204 lines"; ``several`` is a plural other than ``one`` plus s."""
    return f"{number:,} {one if number == 1 else several or one + 's'}"


def result(
    command: str, figures: Mapping[str, Any], title: str, header: Sequence[str], rows: Sequence[Sequence[object]]
) -> None:
    """Print a command's results: a table, or as JSON its ``figures`` with the command's name and seconds."""
    if _as_json:
        line = {"command": command, "seconds": round(time.monotonic() - _begun, 1), **figures}
        sys.stdout.write(_json(line))
    elif rows:
        show_table(title, header, rows)


def answer(command: str, **values: str) -> None:
    """Print the value that a command was asked for, such as a path: bare, or as JSON under its name."""
    if _as_json:
        sys.stdout.write(_json({"command": command} | values))
    else:
        out.print(*map(public, values.values()), markup=False)


def show_table(title: str, header: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Print a table to standard output; the first column and columns with words are left-aligned, figures right."""
    from rich.table import Table

    table = Table(title=public(title) or None, title_justify="left")
    shown = [[public(str(cell)) for cell in row] for row in rows]
    for position, name in enumerate(header):
        words = position == 0 or any(letter.isalpha() for row in shown for letter in row[position])
        table.add_column(name, justify="left" if words else "right", overflow="fold")
    for row in shown:
        table.add_row(*row)
    out.print(table)


class Progress:
    """Count finished work: a bar on a terminal, else a plain line at most every ``every`` seconds."""

    every = 10.0

    def __init__(self, what: str, total: int | None) -> None:
        self.what, self.total, self.done, self.note = what, total, 0, ""
        self._last = time.monotonic()
        self._bar = None
        if err.is_terminal and not _as_json and not _is_muted:
            from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
            from rich.progress import Progress as Bar

            self._bar = Bar(
                TextColumn("{task.description}"),
                BarColumn(),
                MofNCompleteColumn(),
                TimeRemainingColumn(),
                TextColumn("{task.fields[note]}"),
                console=err,
            )
            self._bar.start()
            self._task = self._bar.add_task(what, total=total, note="")

    def advance(self, count: int = 1, note: str = "") -> None:
        """Record ``count`` more units as done; ``note`` is a short figure shown next to them."""
        self.done += count
        self.note = note or self.note
        if self._bar is not None:
            self._bar.update(self._task, advance=count, note=self.note)
        elif count and time.monotonic() - self._last >= self.every:
            self._last = time.monotonic()
            of = f" of {self.total}" if self.total is not None else ""
            note = f", {self.note}" if self.note else ""
            say(f"{self.what}: {self.done}{of}{note}", step=self.what, done=self.done, total=self.total)

    def stop(self) -> None:
        if self._bar is not None:
            self._bar.stop()


@contextmanager
def progress(what: str, total: int | None = None) -> Iterator[Progress]:
    """Show progress of ``total`` units of ``what`` on standard error while the block runs."""
    bar = Progress(what, total)
    try:
        yield bar
    finally:
        bar.stop()


@contextmanager
def watched(watch: Callable[[threading.Event], None]) -> Iterator[None]:
    """Call ``watch`` in a thread while the block runs; its event is set at the end of the block.

    A UserError or OSError in ``watch`` is dropped: the block meets the same error itself if it matters.
    """
    ended = threading.Event()

    def run() -> None:
        with suppress(UserError, OSError):
            watch(ended)

    watcher = threading.Thread(target=run, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        ended.set()
        watcher.join()


def fail(error: UserError) -> int:
    """Print the error for the user and return its exit code."""
    sys.stdout.flush()
    if _as_json:
        say(str(error), "error", exit_code=error.exit_code)
    else:
        err.print(public(f"Error: {error}"), markup=False, style="red" if err.is_terminal else None)
    return error.exit_code


def _package_of(fault: BaseException) -> str:
    """Name the plugin module (of models, steps, …) whose call ended in the fault; "" if no plugin was involved."""
    from importlib.metadata import entry_points  # loaded late, as rich's tables are, to start faster

    points = [point for group in PLUGINS for point in entry_points(group=group)]
    packages = {point.module.partition(".")[0]: point.dist.name for point in points if point.dist}
    modules = [frame.f_globals.get("__name__", "") for frame, _ in traceback.walk_tb(fault.__traceback__)]
    loaded = [name for name in modules if name.partition(".")[0] in packages]
    return f"{loaded[-1]} of the package {packages[loaded[-1].partition('.')[0]]}" if loaded else ""


def crash(fault: BaseException) -> int:
    """Report an unexpected error with its traceback and return the exit code 1."""
    trace = "".join(traceback.format_exception(fault))
    whose = _package_of(fault) or "Allsaid"
    sentence = f"This is a fault of {whose} ({type(fault).__name__}: {fault}). Please report it with its traceback."
    if _as_json:
        say(sentence, "error", exit_code=1, traceback=trace)
    else:
        err.print(public(f"{trace}Error: {sentence}"), markup=False)
    return 1
