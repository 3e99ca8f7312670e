"""Stream of the unpacked bytes of one zip member."""

from __future__ import annotations

import io
import zlib
from typing import Any  # Any: a buffer, as the base class has it

from allsaid.storage.streams import CHUNK, bomb_loss
from allsaid.storage.zip_directory import Member
from allsaid.storage.zip_parts import Parts

STORED, DEFLATED = 0, 8  # the methods that can be unpacked


class Unpacked(io.RawIOBase):
    """The unpacked bytes of a member. A damaged member ends early, and ``loss`` explains why."""

    def __init__(self, parts: Parts, member: Member, start: int, where: str) -> None:
        self.where, self.loss = where, ""
        self._parts, self._member = parts, member
        self._start = self._place = start
        self._stop = start + member.packed
        self._unpack = zlib.decompressobj(-15) if member.method == DEFLATED else None
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
            elif loss := bomb_loss(self.where, self._consumed(), self._size):
                self.loss = loss
        size = min(len(buffer), len(self._ready))
        buffer[:size] = self._ready[:size]
        self._ready = self._ready[size:]
        return size

    def _lose(self, why: str) -> None:
        self._ready = b""
        self.loss = f"{self.where} is damaged after {self._size:,} of {self._member.size:,} bytes ({why})."

    def _consumed(self) -> int:
        """Return the number of packed bytes that were unpacked so far."""
        return self._place - self._start - len(self._unpack.unconsumed_tail if self._unpack else b"")

    def _next(self) -> bytes:
        """Return the next unpacked bytes; none at the end."""
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
