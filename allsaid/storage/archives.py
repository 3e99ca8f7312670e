"""Members of zip archives, whole or split into ``.z01``, ``.z02``, … ``.zip``, read without extraction."""

from __future__ import annotations

import io
import re
import struct
from collections.abc import Sequence
from typing import BinaryIO

from allsaid.storage.streams import CHUNK
from allsaid.storage.zip_directory import Member, read_members
from allsaid.storage.zip_parts import Parts
from allsaid.storage.zip_stream import DEFLATED, STORED, Unpacked
from schemas.errors import UserError

_LOCAL = struct.Struct("<4sHHHHHIIIHH")
_PART = re.compile(r"(.*)\.z(\d{2,})$", re.IGNORECASE)


def find_archives(paths: Sequence[str]) -> list[tuple[str, ...]]:
    """Return the zip archives among some files, each as its ``.zip`` and its other parts in order.

    Raises UserError if the ``.zip``, which is the last part and holds the directory, is missing.
    """
    parts: dict[str, list[tuple[int, str]]] = {}
    for path in paths:
        if numbered := _PART.match(path):
            parts.setdefault(numbered[1], []).append((int(numbered[2]), path))
    last_parts = {path[:-4]: path for path in paths if path.lower().endswith(".zip")}
    for stem in parts.keys() - last_parts.keys():
        raise UserError(f"{parts[stem][0][1]} is a part of a split archive, but {stem}.zip, its last part, is missing.")
    return [(last_parts[stem], *(path for _, path in sorted(parts.get(stem, [])))) for stem in sorted(last_parts)]


class Archive:
    """Open zip archive; ``paths`` are its ``.zip`` and its other parts in order.

    Raises UserError if it is no zip, is truncated, lacks a part, or has a member that points outside.
    """

    def __init__(self, paths: Sequence[str]) -> None:
        self.path = paths[0]
        self._parts = Parts((*paths[1:], paths[0]))
        try:
            self.members = read_members(self._parts, paths)
        except UserError:
            self.close()
            raise

    def __enter__(self) -> Archive:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._parts.close()

    def open(self, name: str) -> tuple[Unpacked, BinaryIO]:
        """Open a member: its unpacked stream, unbuffered and buffered. Raises UserError if it can't be read."""
        member = self.members[name]
        where = f"{self.path}/{name}"
        if member.encrypted:
            raise UserError(f"{where} is encrypted. Decrypt the archive first.")
        if member.link:
            raise UserError(f"{where} is a link, not a file. Pack the files themselves.")
        if member.method not in (STORED, DEFLATED):
            raise UserError(f"{where} is packed by method {member.method}. Pack the archive again with deflate.")
        unpacked = Unpacked(self._parts, member, self._data_start(member), where)
        return unpacked, io.BufferedReader(unpacked, CHUNK)

    def _data_start(self, member: Member) -> int:
        """Return where a member's packed bytes begin, after its local header; if it has none, the archive's end."""
        header = self._parts.read_at(member.start, _LOCAL.size)
        if len(header) < _LOCAL.size or not header.startswith(b"PK\3\4"):
            return self._parts.ends[-1]
        *_, name_size, extra_size = _LOCAL.unpack(header)
        return member.start + _LOCAL.size + int(name_size) + int(extra_size)
