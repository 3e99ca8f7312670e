"""The lock of an output folder, for disks and object stores, without exclusive creation of files.

A run writes its own lock file below ``DIR/locks/``, then lists the others. So of two runs that start at once, at least
one sees the other; the younger one withdraws. A run renews its file every few seconds. It counts as dead if its file
was not renewed for long, has a time far in the future, or is invalid (files are replaced atomically). Then its file is
removed. A run that was taken for dead by mistake finds its file gone, and publishes nothing.
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
from allsaid.storage.run_store import LOCKS, RUN_NAME
from schemas.errors import UserError

BEAT = 10.0  # seconds between two renewals
DEAD = 120.0  # seconds without renewal after which a run counts as dead
SETTLE = 2.0  # seconds for a run that started at the same time to withdraw
_FILE = re.compile(rf"{RUN_NAME}\.json")  # other files in the folder are no locks


@dataclass(frozen=True)
class Lock:
    """The lock of one run on an output folder."""

    output: str
    path: str  # of the run's own file

    def check(self) -> None:
        """Raise UserError if the file is gone: the run was taken for dead, and another one may have started."""
        if not files.exists(self.path):
            raise UserError(
                f"This run did not renew its lock on {self.output} for more than {DEAD:.0f} seconds and lost it to "
                "another run. Nothing was published; start it again."
            )


@contextmanager
def held(output: str, run: str, wait_minutes: float) -> Iterator[Lock]:
    """Lock the folder while the block runs; raise UserError if another run holds it for over ``wait_minutes``."""
    own_file = files.join(output, LOCKS, f"{run.rpartition('/')[2]}.json")
    stop = threading.Event()
    renewal = threading.Thread(target=_renew, args=(own_file, stop), daemon=True)
    try:
        _acquire(output, own_file, wait_minutes)
        renewal.start()
        yield Lock(output, own_file)
    finally:
        stop.set()
        if renewal.ident is not None:
            renewal.join()
        files.delete([own_file])


def _acquire(output: str, own_file: str, wait_minutes: float) -> None:
    """Lock the folder as soon as no other run has it."""
    until = time.monotonic() + wait_minutes * 60
    is_reported = False
    while other := _try_to_acquire(output, own_file):
        if time.monotonic() >= until:
            raise UserError(
                f"Another run, {other}, is writing to {output}. Wait for it (--wait MINUTES), or stop it first."
            )
        if not is_reported:
            say(f"Another run, {other}, is writing to {output}; waiting for it.")
            is_reported = True
        time.sleep(1.0)


def _try_to_acquire(output: str, own_file: str) -> str:
    """Lock the folder and return "", or return the name of the run that has it."""
    other = _find_other(output, own_file)
    if not other:
        _write(own_file)
        other = _find_other(output, own_file)
        if other > own_file:  # a younger run, which withdraws
            time.sleep(SETTLE)
            other = _find_other(output, own_file)
        if other:
            files.delete([own_file])
    return other.rpartition("/")[2].removesuffix(".json")


def _find_other(output: str, own_file: str) -> str:
    """Return the path of another live run's lock, "" if there is none; remove the locks of dead runs."""
    folder = files.join(output, LOCKS)
    for path in (files.join(folder, name) for name in files.below(folder) if _FILE.fullmatch(name)):
        if path != own_file:
            if _is_alive(path):
                return path
            files.delete([path])
    return ""


def _is_alive(path: str) -> bool:
    """Return whether a lock belongs to a live run; report the reason if it doesn't."""
    try:
        lock = json.loads(files.read_text(path))
        host, process, age = str(lock["host"]), int(lock["process"]), time.time() - float(lock["time"])
    except OSError:
        return files.exists(path)  # it was just removed, or belongs to another user
    except (ValueError, LookupError, TypeError, OverflowError):
        why = "is damaged"
    else:
        if abs(age) < DEAD and (host != socket.gethostname() or _is_running(process)):
            return True
        why = "is of a dead run" if age > -DEAD else f"is {-age:.0f} seconds in the future"
    say(f"The lock {path} {why}; it is removed.", "warning")
    return False


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:  # another user's process
        pass
    return True


def _write(path: str) -> None:
    lock = {"host": socket.gethostname(), "process": os.getpid(), "time": time.time()}
    files.replace(path, json.dumps(lock).encode())


def _renew(path: str, stop: threading.Event) -> None:
    """Renew the lock until ``stop`` is set or the file is gone; after an error, such as a full disk, try again."""
    while not stop.wait(BEAT):
        try:
            if not files.exists(path):
                return
            _write(path)
        except Exception as fault:  # each store has its own
            say(f"The lock {path} could not be renewed ({fault}); trying again.", "warning")
