"""A full disk or one that may only be read, played with a small file system of its own."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


@contextmanager
def mounted(folder: Path, options: str) -> Iterator[None]:
    """A small file system of its own at ``folder``, since root may write anywhere else."""
    folder.mkdir(exist_ok=True)
    if subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)], capture_output=True).returncode:
        pytest.skip(
            "A full disk is tried on a small file system of its own, which could not be mounted. Run this test as "
            "root, in a container with the right to mount (docker run --privileged)."
        )
    try:
        yield
    finally:
        # Lazily: a file that a failed run left open (its traceback holds it until it is collected) keeps the disk busy.
        subprocess.run(["umount", "--lazy", str(folder)], check=True)
