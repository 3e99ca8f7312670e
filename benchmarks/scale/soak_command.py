"""Commands of `soak.py`: each is a process of its own, forked from one that has imported all of Allsaid.

A command can stop itself before its n-th change of files, so that a seed reproduces the moment of a fault.
"""

from __future__ import annotations

import atexit
import json
import os
import signal
import sys
import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from allsaid.stores import s3
from benchmarks.watched import family

MODULES = (  # all that the commands import
    "apache_beam.runners.portability.fn_api_runner.fn_runner",
    "mlflow.store.tracking.sqlalchemy_store",
    "mlflow.tracking",
    "allsaid.language.spacy_tokenizer",
    "allsaid.modeling.models.checklist",
    "allsaid.stores.beam",
    "batch_infer.commands.nightly_file",
    "batch_infer.job.validate",
    "batch_infer.nights.night",
    "batch_infer.report.report",
    "evaluation.compare.trace",
    "pipelines.ingest.run",
    "pipelines.ingest.transforms",
    "pipelines.validation.validate",
    "training.commands.train",
    "training.runs.run",
)
CHANGES = {"os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.symlink"}  # audit events of CPython
SECONDS = 600  # that a command may take on a busy machine
ORPHANS = 60  # seconds after which no process of an ended command may run
PATIENCE = 5.0  # seconds of retries for a store that refuses requests


@dataclass(frozen=True)
class Ended:
    """A command that has ended."""

    code: int  # below 0: killed by this signal
    output: str  # standard output and standard error
    changes: int  # of files; 0 if it was killed
    peak_megabytes: int
    cpu_seconds: float
    reached: bool  # whether it reached its stop

    def answer(self, key: str) -> Any:
        """Return a value of the JSON object that the command wrote to standard output."""
        objects = [json.loads(line) for line in self.output.splitlines() if line.startswith("{")]
        return next(found[key] for found in objects if key in found)


def preload() -> None:
    """Import what the commands need, once."""
    for name in MODULES:
        import_module(name)
    s3.PATIENCE = PATIENCE


def allsaid(*words: str) -> Callable[[], None]:
    """Return the command line as a function."""

    def run() -> None:
        from allsaid.__main__ import main

        main(words)

    return run


def run(
    command: Callable[[], None],
    log: Path,
    stop: int = 0,
    act: Callable[[int], None] | None = None,
    watch: Callable[[int], None] | None = None,
) -> Ended:
    """Run a command in a process group of its own.

    stop: before this change of files it stops, and goes on when ``act``, which gets its process id, has returned.
    watch: called again and again with the process id while the command runs.
    """
    sys.stdout.flush()
    begun = time.monotonic()
    child = os.fork()
    if child == 0:
        _be(command, log, stop)
    reached = False
    while True:
        found, status, used = os.wait4(child, os.WUNTRACED | os.WNOHANG)
        if found and os.WIFSTOPPED(status):
            reached = True
            if act is not None:
                act(child)
            os.kill(child, signal.SIGCONT)
        elif found:
            break
        elif time.monotonic() > begun + SECONDS:
            os.killpg(child, signal.SIGKILL)
        if watch is not None:
            watch(child)
        time.sleep(0.005)
    _await_orphans(child)
    count = Path(f"{log}.changes")
    changes = int(count.read_text()) if count.exists() else 0
    count.unlink(missing_ok=True)
    return Ended(
        os.waitstatus_to_exitcode(status),
        log.read_text(),
        changes,
        round(used.ru_maxrss / 1024),
        round(used.ru_utime + used.ru_stime, 1),
        reached,
    )


def _be(command: Callable[[], None], log: Path, stop: int) -> None:
    """Be the child process: run the command and exit."""
    code = 70
    try:
        os.setsid()
        with log.open("wb") as stream:
            os.dup2(stream.fileno(), 1)
            os.dup2(stream.fileno(), 2)
        changes = _count_changes(stop)
        try:
            command()
            code = 0
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else int(end.code is not None)
        except Exception:
            traceback.print_exc()
            code = 1
        atexit._run_exitfuncs()
        Path(f"{log}.changes").write_text(str(changes[0]))
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(code)


def _count_changes(stop: int) -> list[int]:
    """Count the changes of files of this process in the list's only number; stop the process before one of them."""
    changes = [0]

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if event in CHANGES or (event == "open" and _writes(arguments)):
            changes[0] += 1
            if changes[0] == stop:
                os.kill(os.getpid(), signal.SIGSTOP)

    sys.addaudithook(hook)
    return changes


def _writes(arguments: Sequence[Any]) -> bool:
    return isinstance(arguments[2], int) and bool(arguments[2] & (os.O_WRONLY | os.O_RDWR))


def _await_orphans(session: int) -> None:
    """Wait for the other processes of an ended command; raise AssertionError if they don't end by themselves."""
    end = time.monotonic() + ORPHANS
    while left := _session(session):
        assert time.monotonic() < end, f"processes {left} outlived their command"
        time.sleep(0.1)


def _session(session: int) -> list[int]:
    """Return the live processes of a session."""
    found = []
    for folder in Path("/proc").iterdir():
        try:
            after_name = (folder / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if after_name[3] == str(session) and after_name[0] not in "ZX":
            found.append(int(folder.name))
    return found


def workers(launcher: int) -> list[int]:
    """Return the processes below a command's own."""
    return [process for process in family(launcher) if process != launcher]
