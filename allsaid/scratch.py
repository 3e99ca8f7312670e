"""Temporary folders: removed when the process ends, or by a later process if this one was killed."""

from __future__ import annotations

import atexit
import fcntl
import shutil
import tempfile
from pathlib import Path
from typing import BinaryIO

from allsaid.disk import temporary_faults

PREFIX = "allsaid-"
_HELD = ".held"  # file that the owner of a folder locks; the system releases the lock of a killed process
_held: dict[Path, BinaryIO] = {}


def folder(purpose: str) -> Path:
    """Return a new folder, named after its purpose, and remove those that killed processes left."""
    with temporary_faults():
        _sweep()
        new = Path(tempfile.mkdtemp(prefix=f".{PREFIX}"))  # others see it under its final name only, when it is locked
        stream = (new / _HELD).open("wb")
        fcntl.flock(stream, fcntl.LOCK_EX)
        path = new.rename(new.with_name(f"{PREFIX}{purpose}-{new.name.removeprefix(f'.{PREFIX}')}"))
    _held[path] = stream
    atexit.register(remove, path)
    return path


def remove(path: Path) -> None:
    """Remove a folder of this process, unless it was kept."""
    if path in _held:
        shutil.rmtree(path, ignore_errors=True)
        _held.pop(path).close()


def keep(path: Path) -> None:
    """Leave a folder of this process to the user."""
    (path / _HELD).unlink()
    _held.pop(path).close()


def _sweep() -> None:
    for lock_file in Path(tempfile.gettempdir()).glob(f"{PREFIX}*/{_HELD}"):
        try:
            with lock_file.open("rb") as stream:
                fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(lock_file.parent, ignore_errors=True)
        except OSError:  # its process lives, or it is another user's
            continue
