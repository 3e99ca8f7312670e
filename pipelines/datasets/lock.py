"""One run at a time on an output folder, on a disk as on an object store, where no file can be made exclusively.

A run writes a small file of its own under ``DIR/locks/`` and looks who else is there. Listing follows writing, so of
two that come at once at least one sees the other; the younger one steps back. The file is written again every few
seconds: one that is no longer belongs to a run that died. So does one whose time is as far ahead, or that holds no sign
at all: each sign is written whole. A run that was taken for dead by mistake finds its file gone, and publishes nothing.
"""

from __future__ import annotations

import json
import os
import re
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from allsaid.console import say
from allsaid.storage import files
from pipelines.datasets.snapshot import LOCKS, RUN_NAME
from schemas.errors import UserError

BEAT = 10.0  # seconds between two signs of life
DEAD = 120.0  # seconds without one after which a run counts as dead
SETTLE = 2.0  # seconds in which a run that came at the same time steps back
_FILE = re.compile(rf"{RUN_NAME}\.json")  # whatever else somebody laid there is no lock


@dataclass(frozen=True)
class Lock:
    """The hold of one run on an output folder."""

    output: str
    path: str  # of the run's own file

    def check(self) -> None:
        """Raise UserError where the file is gone: the run was taken for dead, and another one may have begun."""
        if not files.exists(self.path):
            raise UserError(
                f"This run gave no sign of life for more than {DEAD:.0f} seconds, so it lost its hold on {self.output} "
                "to another one. Nothing was published; start it again."
            )


@contextmanager
def held(output: str, run: str, wait_minutes: float) -> Iterator[Lock]:
    """Hold the folder while the block runs; wait for another run that long, then raise UserError."""
    mine = files.join(output, LOCKS, f"{run.rpartition('/')[2]}.json")
    stop = threading.Event()
    beating = threading.Thread(target=_beat, args=(mine, stop), daemon=True)
    try:
        _wait(output, mine, wait_minutes)
        beating.start()
        yield Lock(output, mine)
    finally:
        stop.set()
        if beating.ident is not None:
            beating.join()
        files.delete([mine])


def _wait(output: str, mine: str, wait_minutes: float) -> None:
    """Take hold of the folder as soon as no other run has it."""
    until = time.monotonic() + wait_minutes * 60
    told = False
    while other := _taken(output, mine):
        if time.monotonic() >= until:
            raise UserError(
                f"Another run, {other}, is writing to {output}. Wait for it (--wait MINUTES), or stop it first."
            )
        if not told:
            say(f"Another run, {other}, is writing to {output}; waiting for it.")
            told = True
        time.sleep(1.0)


def _taken(output: str, mine: str) -> str:
    """Who holds the folder; "" where it is ours from now on."""
    other = _alive(output, mine)
    if other:
        return _name(other)
    _sign(mine)
    other = _alive(output, mine)
    if other and other < mine:
        files.delete([mine])
    elif other:
        time.sleep(SETTLE)
        other = _alive(output, mine)
        if other:
            files.delete([mine])
    return _name(other)


def _name(path: str) -> str:
    return path.rpartition("/")[2].removesuffix(".json")


def _alive(output: str, mine: str) -> str:
    """The path of the first other run's lock that shows life; those of dead runs are removed."""
    folder = files.join(output, LOCKS)
    for path in (files.join(folder, name) for name in files.below(folder) if _FILE.fullmatch(name)):
        if path != mine:
            if _shows_life(path):
                return path
            files.delete([path])
    return ""


def _shows_life(path: str) -> bool:
    """Whether a lock is that of a run that lives; says why, where it is not."""
    try:
        sign = json.loads(files.read_text(path))
        host, process, age = str(sign["host"]), int(sign["process"]), time.time() - float(sign["time"])
    except OSError:
        return files.exists(path)  # it just went; or it belongs to another user
    except (ValueError, LookupError, TypeError, OverflowError):
        why = "holds no sign of a run"
    else:
        if abs(age) < DEAD and (host != socket.gethostname() or _runs(process)):
            return True
        why = "is of a run that died" if age > -DEAD else f"lies {-age:.0f} seconds in the future"
    say(f"The lock {path} {why}; it is taken away.", "warning")
    return False


def _runs(process: int) -> bool:
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return True


def _sign(path: str) -> None:
    sign = {"host": socket.gethostname(), "process": os.getpid(), "time": time.time()}
    files.replace(path, json.dumps(sign).encode())


def _beat(path: str, stop: threading.Event) -> None:
    """Sign until the end; a lock that was taken away is not made again, and a full disk may have room soon."""
    while not stop.wait(BEAT):
        try:
            if not files.exists(path):
                return
            _sign(path)
        except Exception as fault:  # each store has its own
            say(f"The lock {path} could not be renewed ({fault}); trying again.", "warning")
