"""What every room says to the person at the terminal, or to the collector of a scheduler's logs.

As text, news goes to standard error and tables to standard output. After :func:`log_json` each piece of news is one
JSON object on a line of standard error, and :func:`result` prints a command's figures as JSON instead of a table.
"""

from __future__ import annotations

import json
import logging
import os
import re
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import cache
from typing import Any
from urllib.parse import unquote

from rich.console import Console
from rich.table import Table

WIDTH = 160  # characters of a table that goes into a file or a pipe

err = Console(stderr=True, highlight=False, soft_wrap=True)
# Into a file or a pipe tables are as wide as they like; rich would cut them at 80 characters.
out = Console(highlight=False, soft_wrap=True, width=None if sys.stdout.isatty() else WIDTH)
_begun = time.monotonic()
_as_json = False
_stopped_by = 0  # the signal that asked for the end
_stop_means = ""  # what a stop would mean just now
at_stop: list[Callable[[], None]] = []  # called when a stop is asked for, before anything is cleaned up

# Variables whose values are secret, and those that hold an address whose password is.
SECRETS = (
    "MLFLOW_TRACKING_PASSWORD",
    "MLFLOW_TRACKING_TOKEN",
    "AWS_SECRET_ACCESS_KEY",
    "AWS_SESSION_TOKEN",
    "AZURE_STORAGE_CONNECTION_STRING",
)
ADDRESSES = ("MLFLOW_TRACKING_URI", "MLFLOW_REGISTRY_URI")
HIDDEN = "***"
_given: set[str] = set()  # secrets of the command line
_ADDRESS = re.compile(r"(?s)([\w+.-]+://)(?!\[)([^/?#]*:.*|[^/?#]*)@(.*)")
# What stands before the host. A path as in "models:/recipes@champion" is none.
_USERINFO = re.compile(
    r"""(?<=:/)(?:
        /?(?!\[)[^\s/?#]*:(?:  # a user, and after the colon a password up to the last @
            (?!\s|\d+(?:\W|$))(?:(?!://).)*  # of the line: it may hold blanks
            |\S*  # of the word where a port may stand: "http://host:5000 has no cook@inn"
        )
        |/[^\s/?#]*  # a user alone
    )@""",
    re.VERBOSE,
)
_QUERY = re.compile(r"(://[^\s?]*)\?[^\s=]*=\S*")


def address_parts(address: str) -> tuple[str, str, str, str]:
    """An address as scheme, user, password and the rest; user and password as they are written, "" where it has none.

    The last ``@`` stands before the host: all before it is user and password, whatever characters they have.
    """
    found = _ADDRESS.fullmatch(address)
    if found is None:
        return "", "", "", address
    user, _, password = found[2].partition(":")
    return found[1], user, password, found[3]


def hide(secret: str | None) -> None:
    """From now on :func:`public` hides this value, too."""
    if secret:
        _given.add(secret)


def public(text: str) -> str:
    """``text`` as it may be printed or stored: the one rule for all that leaves this process.

    User, password and query go from every address, whatever characters the password has. The values of
    :data:`SECRETS`, the passwords of :data:`ADDRESSES` and what :func:`hide` was given become ``***`` wherever they
    stand, each letter plain, escaped or percent-encoded; but for what could be any word ("test") or is shorter still.
    """
    values = {os.environ.get(name, "") for name in SECRETS} | _given
    values |= {address_parts(os.environ.get(name, ""))[2] for name in ADDRESSES}
    values |= {unquote(value) for value in values}
    told = frozenset(value for value in values if len(value) >= (8 if value.isalnum() else 4))
    if told:
        text = _any_of(told).sub(HIDDEN, text)
    return _QUERY.sub(r"\1", _USERINFO.sub(lambda found: "/" * found[0].startswith("/"), text))


@cache
def _any_of(secrets: frozenset[str]) -> re.Pattern[str]:
    longest_first = sorted(secrets, key=lambda secret: (-len(secret), secret))
    return re.compile("|".join("".join(map(_forms, secret)) for secret in longest_first), re.IGNORECASE)


def _forms(letter: str) -> str:
    encoded = "".join(f"%{byte:02X}" for byte in letter.encode())
    return rf"(?:\\?{re.escape(letter)}|{encoded}{'|[+]' * (letter == ' ')})"


def public_values(values: Any) -> Any:
    """Plain data with each text in it :func:`public`; what is no plain data becomes such a text."""
    if isinstance(values, Mapping):
        return {public(str(key)): public_values(value) for key, value in values.items()}
    if isinstance(values, list | tuple):
        return [public_values(value) for value in values]
    return values if isinstance(values, int | float | None) else public(str(values))


class _PublicRecord(logging.LogRecord):
    """What a library logs, without secrets."""

    def __init__(self, *given: Any, **more: Any) -> None:
        super().__init__(*given, **more)
        if self.exc_info and self.exc_info[1]:  # the formatter takes this text where it is there
            self.exc_text = public("".join(traceback.format_exception(self.exc_info[1]))).rstrip("\n")

    def getMessage(self) -> str:
        return public(super().getMessage())


class UserError(Exception):
    """A fault of the run that its user can mend.

    The message is one or more plain sentences: the thing, the place and the remedy.
    The command line prints it without a traceback and exits with ``exit_code``.
    """

    exit_code = 1


def guard_logs() -> None:
    """From now on what libraries log is :func:`public`, its tracebacks too, wherever it is written."""
    logging.setLogRecordFactory(_PublicRecord)


class _JsonLogs(logging.Handler):
    """What libraries log, in the same lines."""

    def emit(self, record: logging.LogRecord) -> None:
        say(self.format(record), record.levelname.lower(), logger=record.name)


def log_json() -> None:
    """From now on write news as JSON lines, those of libraries too, and nothing but figures to standard output."""
    global _as_json
    _as_json = True
    out.quiet = True
    logging.basicConfig(handlers=[_JsonLogs()], format="%(message)s", level=logging.WARNING, force=True)
    logging.captureWarnings(True)


def say(message: str, level: str = "info", **fields: object) -> None:
    """Print one line of news to standard error, so that standard output stays data; ``fields`` stand in JSON only."""
    if _as_json:
        line = {"time": datetime.now(UTC).isoformat(timespec="milliseconds"), "level": level, "message": message}
        sys.stderr.write(_json(line | fields))
    else:
        err.print(public(message), markup=False)


def _json(line: Mapping[str, Any]) -> str:
    return json.dumps(public_values(line), ensure_ascii=False) + "\n"


def counted(number: int, one: str, several: str = "") -> str:
    """A number with its noun: "1 line", "1,204 lines"; ``several`` where that is not ``one`` with an s."""
    return f"{number:,} {one if number == 1 else several or one + 's'}"


def result(
    command: str, figures: Mapping[str, Any], title: str, header: Sequence[str], rows: Sequence[Sequence[object]]
) -> None:
    """End a command with what it reached: a table, or in JSON its ``figures`` with the command and its seconds."""
    if _as_json:
        line = {"command": command, "seconds": round(time.monotonic() - _begun, 1), **figures}
        sys.stdout.write(_json(line))
    elif rows:
        show_table(title, header, rows)


def answer(command: str, path: str) -> None:
    """Print the path that a command was asked for."""
    if _as_json:
        sys.stdout.write(_json({"command": command, "path": path}))
    else:
        out.print(public(path), markup=False)


def show_table(title: str, header: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Print a table to standard output; first column left, others right."""
    table = Table(title=public(title) or None, title_justify="left")
    for position, name in enumerate(header):
        table.add_column(name, justify="left" if position == 0 else "right", overflow="fold")
    for row in rows:
        table.add_row(*(public(str(cell)) for cell in row))
    out.print(table)


class Progress:
    """Counts finished work; a bar on a terminal, else a plain line at most every ten seconds."""

    def __init__(self, what: str, total: int | None, every: float = 10.0) -> None:
        self.what, self.total, self.done, self.note = what, total, 0, ""
        self._every, self._last = every, time.monotonic()
        self._bar = None
        if err.is_terminal and not _as_json:
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
        """Record ``count`` more units as done; ``note`` is a short figure shown beside them."""
        self.done += count
        self.note = note or self.note
        if self._bar is not None:
            self._bar.update(self._task, advance=count, note=self.note)
        elif count and time.monotonic() - self._last >= self._every:
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
def signals_caught() -> Iterator[None]:
    """While the block runs Ctrl-C and SIGTERM raise KeyboardInterrupt, and :func:`end` knows that they came.

    Libraries turn a KeyboardInterrupt into faults of their own: what it ends as does not say that it was one.
    """
    before = {number: signal.signal(number, _stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _stop(number: int, _: object) -> None:
    global _stopped_by
    _stopped_by = number
    threading.excepthook = lambda _: None  # what other threads now say is no more than that
    while at_stop:
        at_stop.pop()()
    raise KeyboardInterrupt


@contextmanager
def when_stopped(sentence: str) -> Iterator[None]:
    """Say what a stop means that comes while the block runs."""
    global _stop_means
    before, _stop_means = _stop_means, sentence
    yield  # a block that was stopped leaves its sentence to be told
    _stop_means = before


def end(fault: BaseException) -> int:
    """Tell how a command ended that did not end by itself; gives back its exit code."""
    if _stopped_by or isinstance(fault, KeyboardInterrupt):
        say(f"Stopped. {_stop_means}".strip(), "warning")
        return 128 + (_stopped_by or signal.SIGINT)
    if isinstance(fault, SystemExit):
        return fault.code if isinstance(fault.code, int) else int(fault.code is not None)
    return fail(fault) if isinstance(fault, UserError) else _crash(fault)


def _crash(fault: BaseException) -> int:
    """Tell a fault that no user can mend, with where it happened."""
    trace = "".join(traceback.format_exception(fault))
    sentence = f"This is a fault of Allsaid ({type(fault).__name__}: {fault}). Please report it with its traceback."
    if _as_json:
        say(sentence, "error", exit_code=1, traceback=trace)
    else:
        err.print(public(f"{trace}Error: {sentence}"), markup=False)
    return 1


def fail(error: UserError) -> int:
    """Print the error as the user should read it and give back its exit code."""
    sys.stdout.flush()
    if _as_json:
        say(str(error), "error", exit_code=error.exit_code)
    else:
        err.print(public(f"Error: {error}"), markup=False, style="red" if err.is_terminal else None)
    return error.exit_code
