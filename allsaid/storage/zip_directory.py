"""Directory of a zip archive: the list of its members, at the archive's end.

Format: PKWARE's APPNOTE, sections 4.3 and 4.4. Python's zipfile can't read a split archive: the offsets in its
directory count from the start of the part ("disk") that they name.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from allsaid.storage.zip_parts import Parts
from schemas.errors import UserError

MAX_DIRECTORY = 1 << 26  # bytes

_END = struct.Struct("<4sHHHHIIH")
_END64 = struct.Struct("<4sQHHIIQQQQ")
_LOCATOR = struct.Struct("<4sIQI")
_ENTRY = struct.Struct("<4sHHHHHHIIIHHHHHII")
_ENCRYPTED, _UTF8 = 0x1, 0x800
_UNIX, _LINK, _KIND = 3, 0o120000, 0o170000


@dataclass(frozen=True)
class Member:
    name: str
    method: int
    encrypted: bool
    link: bool
    packed: int  # bytes
    size: int
    crc: int
    start: int  # of its local header, in bytes of all parts joined


def read_members(parts: Parts, paths: Sequence[str]) -> dict[str, Member]:
    """Read the members of an archive by name; ``paths`` are its ``.zip`` and its other parts in order.

    Raises UserError if it is no zip, is truncated, lacks a part, or has a member that points outside.
    """
    reader = _Reader(paths[0], parts)
    try:
        return reader.members(paths)
    except (struct.error, IndexError, UnicodeDecodeError, ValueError) as fault:
        raise reader.damaged("its directory can't be read") from fault


@dataclass(frozen=True)
class _Directory:
    """Location of the list of members, as read from the archive's end."""

    start: int  # in bytes of all parts joined
    size: int
    part: int  # in which it begins
    offset: int  # within that part
    last_part: int


@dataclass(frozen=True)
class _Reader:
    """Finds the directory of an archive and reads its entries."""

    path: str  # of the ``.zip``
    parts: Parts

    def damaged(self, what: str) -> UserError:
        return UserError(f"{self.path} is no whole zip archive: {what}. Download it again.")

    def members(self, paths: Sequence[str]) -> dict[str, Member]:
        directory = self._find_directory()
        bases = self._bases(directory, paths)
        members: dict[str, Member] = {}
        for member in self._entries(self.parts.read_at(directory.start, directory.size), bases):
            if member.name in members:
                raise self.damaged(f"it holds {member.name} twice")
            members[member.name] = member
        return members

    def _find_directory(self) -> _Directory:
        total = self.parts.ends[-1]
        tail_start = max(0, total - _END.size - 0xFFFF)
        tail = self.parts.read_at(tail_start, total - tail_start)
        place = tail.rfind(b"PK\5\6", 0, max(0, len(tail) - _END.size + 4))
        if place < 0:
            raise self.damaged("its end is missing")
        _, last_part, part, _, _, size, offset, _ = _END.unpack_from(tail, place)
        stop = tail_start + place
        locator = self.parts.read_at(max(0, stop - _LOCATOR.size), _LOCATOR.size)
        if locator.startswith(b"PK\6\7"):  # zip64
            stop -= _LOCATOR.size + _END64.size
            mark, _, _, _, last_part, part, _, _, size, offset = _END64.unpack(
                self.parts.read_at(max(0, stop), _END64.size)
            )
            if mark != b"PK\6\6":
                raise self.damaged("the end of its directory can't be read")
        if not 0 <= size <= min(MAX_DIRECTORY, stop):
            raise self.damaged(f"its directory would have {size:,} bytes")
        return _Directory(stop - size, size, part, offset, last_part)

    def _bases(self, directory: _Directory, paths: Sequence[str]) -> list[int]:
        """Compute where each part begins in the joined bytes."""
        sizes, last = self.parts.sizes, directory.last_part
        if last == 0:  # one archive, perhaps split without change into several files: offsets count from its start
            bases = [directory.start - directory.offset]
        elif len(sizes) == last + 1:
            bases = [end - size for end, size in zip(self.parts.ends, sizes, strict=True)]
        elif len(sizes) == 1 and directory.start > directory.offset:  # parts joined by `cat`, equal but for the last
            each = (directory.start - directory.offset) // max(directory.part, 1)
            bases = [each * part for part in range(last + 1)]
        else:
            stem = self.path[:-4]
            missing = [path for n in range(1, last + 1) if (path := f"{stem}.z{n:02}") not in paths]
            raise UserError(f"{self.path} is the last of {last + 1} parts, but not all are there: {_listed(missing)}.")
        if bases[directory.part] + directory.offset != directory.start or bases[0] < 0:
            raise self.damaged("its directory is not where its last bytes say; a part may be cut off")
        return bases

    def _entries(self, directory: bytes, bases: Sequence[int]) -> Iterator[Member]:
        place = 0
        while place < len(directory):
            entry = _ENTRY.unpack_from(directory, place)
            mark, made_by, _, flags, method, _, _, crc, packed, size = entry[:10]
            name_size, extra_size, comment_size, part, _, attributes, offset = entry[10:]
            if mark != b"PK\1\2":
                raise self.damaged("its directory is damaged")
            place += _ENTRY.size
            name = directory[place : place + name_size].decode("utf-8" if flags & _UTF8 else "cp437")
            extra = directory[place + name_size : place + name_size + extra_size]
            place += name_size + extra_size + comment_size
            self._check_name(name)
            size, packed, offset, part = _wide(extra, [size, packed, offset], part)
            link = made_by >> 8 == _UNIX and (attributes >> 16) & _KIND == _LINK
            yield Member(name, method, bool(flags & _ENCRYPTED), link, packed, size, crc, bases[part] + offset)

    def _check_name(self, name: str) -> None:
        steps = name.replace("\\", "/").split("/")
        if steps[0] == "" or ".." in steps or name[1:2] == ":" or "\0" in name:
            raise UserError(f"{self.path} holds a member {name!r} that points outside of it. It is not read.")


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")


def _wide(extra: bytes, narrow: list[int], part: int) -> tuple[int, int, int, int]:
    """Return size, packed size, offset and part; values too large for their columns come from the zip64 field."""
    place = 0
    while place + 4 <= len(extra):
        kind, length = struct.unpack_from("<HH", extra, place)
        place += 4
        if kind == 1:
            for position, value in enumerate(narrow):
                if value == 0xFFFFFFFF:
                    (narrow[position],) = struct.unpack_from("<Q", extra, place)
                    place += 8
            if part == 0xFFFF:
                (part,) = struct.unpack_from("<I", extra, place)
            break
        place += length
    return narrow[0], narrow[1], narrow[2], part
