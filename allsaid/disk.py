"""Error messages for folders that can't be written: an output, and the folder for temporary files."""

from __future__ import annotations

import errno
import os
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

from schemas.errors import UserError

FULL = (errno.ENOSPC, errno.EDQUOT)
READ_ONLY = (errno.EROFS, errno.EACCES, errno.EPERM)
_SHORT = re.compile(r"\d+ requested and \d+ written")  # NumPy's error on a full disk
_PROBE = 1 << 20  # bytes


@contextmanager
def disk_faults(output: str, option: str = "--output") -> Iterator[None]:
    """Replace an error of the block by UserError if a full or read-only output folder caused it."""
    try:
        yield
    except UserError:
        raise
    except BaseException as fault:
        if sentence := disk_fault(fault, output, option):
            raise UserError(sentence) from fault
        raise


def disk_fault(fault: BaseException, output: str, option: str = "--output") -> str:
    """Explain an error caused by an output folder that can't be written; "" for any other error.

    Only the text of the error is searched, since a worker process reports nothing else.
    """
    problem = _problem(str(fault), READ_ONLY)
    if problem == "is full":
        return f"{option} {output} is full. Make room or give another folder; what was published before is unchanged."
    return f"{option} {output} {problem}. Give a folder that you may write to." if problem else ""


@contextmanager
def temporary_faults() -> Iterator[None]:
    """Replace an error of the block, which writes temporary files alone, by UserError if these can't be written.

    Libraries may hide the cause of their error (MLflow: "Failed to download"), so that a file is written as a test.
    """
    try:
        yield
    except UserError:
        raise
    except Exception as fault:
        if tempfile.tempdir is None:  # Python found none
            raise UserError(f"No folder for temporary files can be written. Set TMPDIR to one. {fault}") from fault
        if problem := _problem(str(fault), (errno.EROFS,)) or _problem(_probe(), READ_ONLY):
            raise UserError(
                f"The folder for temporary files, {tempfile.gettempdir()}, {problem}. Make room there, or set "
                "TMPDIR to another folder."
            ) from fault
        raise


def full_disk(fault: BaseException) -> str:
    """Explain an unexpected error that a full or read-only disk caused; "" for any other error."""
    problem = _problem(str(fault), (errno.EROFS,)) if isinstance(fault, OSError) else ""
    if not problem:
        return ""
    return (
        f"A disk {problem}: {fault}. `df` shows which folder it is: one that the command writes to, or the one "
        f"for temporary files, {_temporary()}, which TMPDIR names. Make room there, or give another folder."
    )


def _problem(text: str, read_only: tuple[int, ...]) -> str:
    """Return what an error's text says of a folder, as the end of a sentence; "" if nothing."""
    if any(os.strerror(code) in text for code in FULL) or _SHORT.search(text):
        return "is full"
    named = next((name for name in map(os.strerror, read_only) if name in text), "")
    return f"can't be written ({named})" if named else ""


def _probe() -> str:
    """Return the error of a small temporary file; "" if there is room for it."""
    try:
        with tempfile.TemporaryFile(buffering=0) as file:
            file.write(bytes(_PROBE))
            file.write(b"\n")
    except OSError as fault:
        return str(fault)
    return ""


def _temporary() -> str:
    try:
        return tempfile.gettempdir()
    except OSError:  # no folder that can be written
        return os.environ.get("TMPDIR", "/tmp")
