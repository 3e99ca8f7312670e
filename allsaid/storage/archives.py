"""Members of zip archives, whole or split into ``.z01``, ``.z02``, … ``.zip``, read in place: nothing is extracted.

Format: PKWARE's APPNOTE, sections 4.3 and 4.4. Python's zipfile reads no split archive: the places in its directory
count from the start of the part ("disk") that they name.
"""

from __future__ import annotations

import io
import re
import struct
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, BinaryIO

from allsaid.storage.files import open_read
from allsaid.storage.streams import CHUNK, bomb
from schemas.errors import UserError

MAX_DIRECTORY = 1 << 26  # bytes

_END = struct.Struct("<4sHHHHIIH")
_END64 = struct.Struct("<4sQHHIIQQQQ")
_LOCATOR = struct.Struct("<4sIQI")
_ENTRY = struct.Struct("<4sHHHHHHIIIHHHHHII")
_LOCAL = struct.Struct("<4sHHHHHIIIHH")
_PART = re.compile(r"(.*)\.z(\d{2,})$", re.IGNORECASE)
_STORED, _DEFLATED = 0, 8
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
    start: int  # of its local header, in bytes of all parts one after another


def archives(paths: Sequence[str]) -> list[tuple[str, ...]]:
    """The zip archives among some files, each as its ``.zip`` and its other parts in order.

    Raises UserError where the ``.zip`` is missing, which is the last part and holds the directory.
    """
    parts: dict[str, list[tuple[int, str]]] = {}
    for path in paths:
        if found := _PART.match(path):
            parts.setdefault(found[1], []).append((int(found[2]), path))
    whole = {path[:-4]: path for path in paths if path.lower().endswith(".zip")}
    for stem in parts.keys() - whole.keys():
        raise UserError(f"{parts[stem][0][1]} is a part of a split archive, but {stem}.zip, its last part, is missing.")
    return [(whole[stem], *(path for _, path in sorted(parts.get(stem, [])))) for stem in sorted(whole)]


class Parts(io.RawIOBase):
    """Files one after another, as one stream that can be read and sought."""

    def __init__(self, paths: Sequence[str]) -> None:
        self._streams = [open_read(path) for path in paths]
        self.sizes = [stream.seek(0, io.SEEK_END) for stream in self._streams]
        self.ends = list(accumulate(self.sizes))
        self._place = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, place: int, whence: int = io.SEEK_SET) -> int:
        self._place = place + (0, self._place, self.ends[-1])[whence]
        return self._place

    def readinto(self, buffer: Any) -> int:
        for stream, size, end in zip(self._streams, self.sizes, self.ends, strict=True):
            if self._place < end:
                stream.seek(self._place - (end - size))
                data = stream.read(min(len(buffer), end - self._place))
                buffer[: len(data)] = data
                self._place += len(data)
                return len(data)
        return 0

    def close(self) -> None:
        for stream in self._streams:
            stream.close()
        super().close()


@dataclass(frozen=True)
class _Directory:
    """Where the list of members stands, as the archive's end says."""

    start: int  # in bytes of all parts one after another
    size: int
    part: int  # that it begins in
    offset: int  # within that part
    last_part: int


class Archive:
    """An open zip archive; ``paths`` are its ``.zip`` and its other parts in order.

    Raises UserError for what is no zip, cut off, lacks a part, or has a member that points outside.
    """

    def __init__(self, paths: Sequence[str]) -> None:
        self.path = paths[0]
        self._parts = Parts((*paths[1:], paths[0]))
        try:
            self.members = self._read_members(paths)
        except (struct.error, IndexError, UnicodeDecodeError, ValueError) as fault:
            self.close()
            raise self._damaged("its directory can't be read") from fault
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
        """A member and the buffered stream of its bytes. Raises UserError for what is not to be read."""
        member = self.members[name]
        where = f"{self.path}/{name}"
        if member.encrypted:
            raise UserError(f"{where} is encrypted. Decrypt the archive first.")
        if member.link:
            raise UserError(f"{where} is a link, not a file. Pack the files themselves.")
        if member.method not in (_STORED, _DEFLATED):
            raise UserError(f"{where} is packed by method {member.method}. Pack the archive again with deflate.")
        unpacked = Unpacked(self._parts, member, self._data(member), where)
        return unpacked, io.BufferedReader(unpacked, CHUNK)

    def _data(self, member: Member) -> int:
        """Where a member's packed bytes begin, behind its local header; past the end where there is no such header."""
        header = self._read(member.start, _LOCAL.size)
        if len(header) < _LOCAL.size or not header.startswith(b"PK\3\4"):
            return self._parts.ends[-1]
        *_, name_size, extra_size = _LOCAL.unpack(header)
        return member.start + _LOCAL.size + int(name_size) + int(extra_size)

    def _read(self, place: int, size: int) -> bytes:
        self._parts.seek(place)
        data = b""
        while len(data) < size and (more := self._parts.read(size - len(data))):
            data += more
        return data

    def _damaged(self, what: str) -> UserError:
        return UserError(f"{self.path} is no whole zip archive: {what}. Download it again.")

    def _read_members(self, paths: Sequence[str]) -> dict[str, Member]:
        directory = self._find_directory()
        bases = self._bases(directory, paths)
        members: dict[str, Member] = {}
        for member in self._entries(self._read(directory.start, directory.size), bases):
            if member.name in members:
                raise self._damaged(f"it holds {member.name} twice")
            members[member.name] = member
        return members

    def _find_directory(self) -> _Directory:
        total = self._parts.ends[-1]
        tail_start = max(0, total - _END.size - 0xFFFF)
        tail = self._read(tail_start, total - tail_start)
        place = tail.rfind(b"PK\5\6", 0, max(0, len(tail) - _END.size + 4))
        if place < 0:
            raise self._damaged("its end is missing")
        _, last_part, part, _, _, size, offset, _ = _END.unpack_from(tail, place)
        stop = tail_start + place
        locator = self._read(max(0, stop - _LOCATOR.size), _LOCATOR.size)
        if locator.startswith(b"PK\6\7"):  # zip64
            stop -= _LOCATOR.size + _END64.size
            mark, _, _, _, last_part, part, _, _, size, offset = _END64.unpack(self._read(max(0, stop), _END64.size))
            if mark != b"PK\6\6":
                raise self._damaged("the end of its directory can't be read")
        if not 0 <= size <= min(MAX_DIRECTORY, stop):
            raise self._damaged(f"its directory would have {size:,} bytes")
        return _Directory(stop - size, size, part, offset, last_part)

    def _bases(self, directory: _Directory, paths: Sequence[str]) -> list[int]:
        """Where each part begins in the bytes of all."""
        sizes, last = self._parts.sizes, directory.last_part
        if last == 0:  # never split, or cut up as any file is: places count from its start
            bases = [directory.start - directory.offset]
        elif len(sizes) == last + 1:
            bases = [end - size for end, size in zip(self._parts.ends, sizes, strict=True)]
        elif len(sizes) == 1 and directory.start > directory.offset:  # parts joined by `cat`, all but the last alike
            each = (directory.start - directory.offset) // max(directory.part, 1)
            bases = [each * part for part in range(last + 1)]
        else:
            stem = self.path[:-4]
            missing = [path for n in range(1, last + 1) if (path := f"{stem}.z{n:02}") not in paths]
            raise UserError(f"{self.path} is the last of {last + 1} parts, but not all are there: {_some(missing)}.")
        if bases[directory.part] + directory.offset != directory.start or bases[0] < 0:
            raise self._damaged("its directory does not stand where its end says; a part may be cut off")
        return bases

    def _entries(self, directory: bytes, bases: Sequence[int]) -> Iterator[Member]:
        place = 0
        while place < len(directory):
            entry = _ENTRY.unpack_from(directory, place)
            (mark, made, _, flags, method, _, _, crc, packed, size) = entry[:10]
            name_size, extra_size, comment_size, part, _, attributes, offset = entry[10:]
            if mark != b"PK\1\2":
                raise self._damaged("its directory is damaged")
            place += _ENTRY.size
            name = directory[place : place + name_size].decode("utf-8" if flags & _UTF8 else "cp437")
            extra = directory[place + name_size : place + name_size + extra_size]
            place += name_size + extra_size + comment_size
            self._check_name(name)
            size, packed, offset, part = _wide(extra, [size, packed, offset], part)
            link = made >> 8 == _UNIX and (attributes >> 16) & _KIND == _LINK
            yield Member(name, method, bool(flags & _ENCRYPTED), link, packed, size, crc, bases[part] + offset)

    def _check_name(self, name: str) -> None:
        steps = name.replace("\\", "/").split("/")
        if steps[0] == "" or ".." in steps or name[1:2] == ":" or "\0" in name:
            raise UserError(f"{self.path} holds a member {name!r} that points outside of it. It is not read.")


def _some(names: Sequence[str]) -> str:
    return ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")


def _wide(extra: bytes, narrow: list[int], part: int) -> tuple[int, int, int, int]:
    """Size, packed size, offset and part, those that don't fit their columns from the zip64 field."""
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


class Unpacked(io.RawIOBase):
    """The unpacked bytes of a member. Where it is damaged it ends early, and ``loss`` says what happened."""

    def __init__(self, parts: Parts, member: Member, start: int, where: str) -> None:
        self.where, self.loss = where, ""
        self._parts, self._member = parts, member
        self._start = self._place = start
        self._stop = start + member.packed
        self._unpack = zlib.decompressobj(-15) if member.method == _DEFLATED else None
        self._ready = b""
        self._size = self._crc = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if not self._ready and not self.loss:
            self._ready = self._next()
            self._size += len(self._ready)
            self._crc = zlib.crc32(self._ready, self._crc)
            if self._size > self._member.size:
                self._lose("it has more bytes than the archive says")
            elif not self._ready and (self._size, self._crc) != (self._member.size, self._member.crc):
                self._lose("its bytes are not those that were packed")
            elif lost := bomb(self.where, self._taken(), self._size):
                self.loss = lost
        taken = min(len(buffer), len(self._ready))
        buffer[:taken] = self._ready[:taken]
        self._ready = self._ready[taken:]
        return taken

    def _lose(self, why: str) -> None:
        self._ready = b""
        self.loss = f"{self.where} is damaged after {self._size:,} of {self._member.size:,} bytes ({why})."

    def _taken(self) -> int:
        """Packed bytes that were unpacked so far."""
        return self._place - self._start - len(self._unpack.unconsumed_tail if self._unpack else b"")

    def _next(self) -> bytes:
        """The next unpacked bytes; none at the end."""
        if self._unpack is None:
            return self._packed()
        while not self._unpack.eof:
            packed = self._unpack.unconsumed_tail or self._packed()
            try:
                data = self._unpack.decompress(packed, CHUNK)
            except zlib.error as fault:
                self._lose(str(fault))
                return b""
            if data or not packed:
                return data
        return b""

    def _packed(self) -> bytes:
        self._parts.seek(self._place)
        data = self._parts.read(min(CHUNK, self._stop - self._place)) or b""
        self._place += len(data)
        return data
