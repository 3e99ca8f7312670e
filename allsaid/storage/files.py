"""File operations with one interface for local disks and object stores."""

from __future__ import annotations

import hashlib
import io
import json
import os
import re
import secrets
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from types import ModuleType, TracebackType
from typing import Any, BinaryIO  # Any: JSON; bytes in any form

from schemas.runs.manifest import FileEntry, FileHash

_SCHEME = re.compile(r"[a-zA-Z][-a-zA-Z0-9+.]*://")


def is_local(path: str) -> bool:
    return _SCHEME.match(path.strip()) is None


def _stores() -> ModuleType:
    """Load the layer below at the first address of an object store: it imports Beam, which takes seconds."""
    return import_module("allsaid.stores.beam")


def join(folder: str, *names: str) -> str:
    # A Path would drop the "./" that the user wrote.
    return os.path.join(folder, *names) if is_local(folder) else _stores().join(folder, *names)  # noqa: PTH118


def open_read(path: str) -> BinaryIO:
    return Path(path).open("rb") if is_local(path) else _stores().open_read(path)


def create(path: str) -> BinaryIO:
    """Open a new file for writing; create the folders above it."""
    if not is_local(path):
        return _stores().create(path)
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    return Path(path).open("wb")


def read_text(path: str) -> str:
    with open_read(path) as stream:
        return stream.read().decode()


def read_json(path: str) -> dict[str, Any] | None:
    """Return the object in a small JSON file; None if the file is missing or damaged, or holds something else."""
    try:
        values = json.loads(read_text(path))
    except (OSError, ValueError, RecursionError):
        return None
    return values if isinstance(values, dict) else None


def write_text(path: str, text: str) -> None:
    with create(path) as stream:
        stream.write(text.encode())


def replace(path: str, content: bytes) -> None:
    """Replace a file atomically, by one put to a store or one rename on a disk; readers see the old or the new file."""
    if not is_local(path):
        with create(path) as stream:
            stream.write(content)
        return
    new = Path(f"{path}.new")
    try:
        with create(str(new)) as stream:
            stream.write(content)
        new.replace(path)
    except BaseException:
        new.unlink(missing_ok=True)  # a full disk leaves it empty
        raise


@contextmanager
def whole(path: str, work: str) -> Iterator[BinaryIO]:
    """Open a new file that gets its name only when it is complete, even if several processes write it and some die.

    Until then it is in the folder ``work``, on the same disk or store, under a unique name.
    """
    new = join(work, f"{path.rpartition('/')[2]}.{secrets.token_hex(4)}.new")
    try:
        with create(new) as stream:
            yield stream
        _rename(new, path)
    except BaseException:
        delete([new])
        raise


def _rename(path: str, target: str) -> None:
    if not is_local(target):
        _stores().rename(path, target)
        return
    Path(target).parent.mkdir(parents=True, exist_ok=True)
    Path(path).replace(target)


def copy(source: str, target: str, work: str) -> None:
    """Copy a file within a disk or within a store; ``work`` as in :func:`whole`."""
    if not is_local(target):
        _stores().copy(source, target)
        return
    with whole(target, work) as stream, open_read(source) as old:
        shutil.copyfileobj(old, stream)


def exists(path: str) -> bool:
    # A Path would raise an error for a name that is invalid on every disk.
    return os.path.exists(path) if is_local(path) else _stores().exists(path)  # noqa: PTH110


def match(pattern: str) -> list[str]:
    """Return the sorted paths of an object store that match a glob."""
    return _stores().match(pattern)


def below(folder: str) -> list[str]:
    """Return the sorted paths of all files below a folder, relative to it; none if it does not exist.

    Links are not followed: files below them do not belong to the folder.
    """
    prefix = folder.rstrip("/") + "/"
    if is_local(folder):
        paths = [join(subfolder, name) for subfolder, _, names in os.walk(prefix) for name in names]
    else:
        paths = [path for path in match(re.sub(r"[*?[\]]", "?", prefix) + "**") if path.startswith(prefix)]
    return sorted(path[len(prefix) :] for path in paths)


def delete(paths: Sequence[str]) -> None:
    """Delete files; missing ones are ignored."""
    stored = [path for path in paths if not is_local(path) and exists(path)]
    for path in filter(is_local, paths):  # Beam would take `[`, `*` and `?` in their names for a glob
        Path(path).unlink(missing_ok=True)
    if stored:
        _stores().delete(stored)


def remove(folder: str, last: str = "") -> None:
    """Delete a folder with all files below it, the file ``last`` after the others. A missing folder is ignored."""
    delete([join(folder, name) for name in below(folder) if name != last])
    if not is_local(folder):
        delete([join(folder, last)])
    elif Path(folder).is_dir():
        shutil.rmtree(folder)


def sha256(url: str) -> str:
    """Return the SHA-256 of a file's raw bytes, read in chunks."""
    digest = hashlib.sha256()
    with open_read(url) as stream:
        while chunk := stream.read(1 << 20):
            digest.update(chunk)
    return digest.hexdigest()


def damage(folder: str, file: FileHash) -> str:
    """Compare a file below ``folder`` with its hash: "missing", "damaged" or "unreadable"; "" if it is intact."""
    path = join(folder, *file["path"].split("/"))
    if not exists(path):
        return "missing"
    try:
        return "" if sha256(path) == file["sha256"] else "damaged"
    except OSError:
        return "unreadable"


class HashedFile(io.RawIOBase):
    """New file whose size and SHA-256 are computed while it is written.

    It gets its name in ``folder`` when its ``with`` block succeeds (:func:`whole`); ``work`` is in ``folder``.
    """

    def __init__(self, folder: str, name: str, work: str) -> None:
        self.name, self.size = name, 0
        self._digest = hashlib.sha256()
        self._whole = whole(join(folder, name), join(folder, work))
        self._stream = self._whole.__enter__()

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self._whole.__exit__(kind, fault, trace)
        finally:
            self.close()

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self._digest.update(data)
        self.size += len(data)
        self._stream.write(data)
        return len(data)

    @property
    def entry(self) -> FileEntry:
        """The file's entry in a manifest."""
        return {"path": self.name, "bytes": self.size, "sha256": self._digest.hexdigest()}
