"""The bytes of dumps, plain or packed by gzip, bzip2 or zstd, in memory and time that a small file can't blow up."""

from __future__ import annotations

import bz2
import io
import sys
import zlib
from codecs import BOM_UTF8
from collections.abc import Callable, Sequence
from typing import Any, BinaryIO

import zstandard

from allsaid.console import say
from allsaid.storage.files import open_read
from schemas.errors import UserError

CHUNK = 1 << 15  # bytes read, and bytes unpacked, at a time
FEW = 1 << 9  # bytes that zstd gets at a time: it takes no limit, and makes 128 KiB of 4 bytes (RFC 8878, 3.1.1.2)
LARGE = 100_000_000  # unpacked bytes; below, a bomb does no harm, and a table of blanks does shrink so much
MAX_PACKING = 1000  # times that a large file may shrink: text shrinks far less, and so do logs of one line

_MAGIC = ((b"\x1f\x8b", "gzip"), (b"BZh", "bzip2"), (b"\x28\xb5\x2f\xfd", "zstd"))
_FAULTS = (zlib.error, OSError, EOFError, ValueError, zstandard.ZstdError)  # what the decompressors raise


def is_bomb(packed: int, unpacked: int) -> bool:
    """Whether so few bytes unpack to so many that they are no honest file."""
    return unpacked > max(LARGE, MAX_PACKING * packed)


def bomb(where: str, packed: int, unpacked: int) -> str:
    """What is lost of a file so few bytes of which unpack to so many; "" for an honest one."""
    if not is_bomb(packed, unpacked):
        return ""
    return (
        f"{where} unpacks to more than {MAX_PACKING:,} times its size, which no text does. "
        f"Its first {unpacked:,} bytes were read; the rest is lost."
    )


def _decompressors(kind: str) -> Callable[[], Any]:
    """What makes a decompressor for each stream of a file in turn."""
    if kind == "gzip":
        return lambda: zlib.decompressobj(wbits=31)
    return bz2.BZ2Decompressor if kind == "bzip2" else zstandard.ZstdDecompressor().decompressobj


class Dump(io.RawIOBase):
    """The decompressed bytes of a plain, gzip, bzip2 or zstd file, told apart by their first bytes.

    A file that is cut off, damaged or a bomb ends early: what was readable is read, and ``loss`` says what happened.
    """

    def __init__(self, path: str, last: int | None = None) -> None:
        """``last``: the decompressed byte before which reading ends; None: with the file."""
        self.path, self._last = path, sys.maxsize if last is None else last
        self._stream = open_read(path)
        self._rewind()

    def _rewind(self) -> None:
        self.loss = ""
        self._packed = self._stream.read(FEW)  # read, but not taken yet
        self._read = len(self._packed)  # packed bytes so far
        self._kind = next((kind for magic, kind in _MAGIC if self._packed.startswith(magic)), "")
        self._begin = _decompressors(self._kind)
        self._decompressor: Any = self._begin() if self._kind else None
        self._more = False  # whether the decompressor may hold bytes back
        self._ready = memoryview(b"")
        self._size = 0  # decompressed bytes so far

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if not self._ready and not self.loss:
            self._ready = memoryview(self._next())
        taken = min(len(buffer), len(self._ready), self._last - self._size)
        buffer[:taken] = self._ready[:taken]
        self._ready = self._ready[taken:]
        self._size += taken
        return taken

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._size

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        """Go to a byte counted from the first; of a packed file all before it is unpacked."""
        if whence != io.SEEK_SET:
            raise io.UnsupportedOperation("A dump is only read from a byte on that is counted from the first.")
        if not self._kind:
            self._stream.seek(offset)
            self._packed, self._ready, self._size = b"", memoryview(b""), offset
        if offset < self._size:
            self._stream.seek(0)
            self._rewind()
        while self._size < offset and self.read(min(offset - self._size, CHUNK)):
            pass
        return self._size

    def _next(self) -> bytes:
        """The next decompressed bytes; none at the end."""
        while self._fill():
            if self._decompressor is None:
                data, self._packed = self._packed, b""
            else:
                data = self._decompress()
            if data or self.loss:
                return data
        return b""

    def _fill(self) -> bool:
        """Have packed bytes to take, or bytes that are held back; False at the end."""
        if not self._packed and not self._more:
            self._packed = self._stream.read(FEW if self._kind == "zstd" else CHUNK)
            self._read += len(self._packed)
            if not self._packed and self._decompressor is not None and not self._decompressor.eof:
                self.loss = (
                    f"{self.path} is cut off: its {self._kind} stream has no end. What was readable, "
                    f"{self._size:,} decompressed bytes, was read; the rest is lost."
                )
        return bool(self._packed) or self._more

    def _decompress(self) -> bytes:
        """The next bytes; a file may be several compressed streams in a row, padded with zeros."""
        if self._decompressor.eof:
            self._packed = self._packed.lstrip(b"\0")
            if not self._packed:
                return b""
            self._decompressor = self._begin()
        unpack = self._decompressor
        try:
            data: bytes = unpack.decompress(self._packed, *(() if self._kind == "zstd" else (CHUNK,)))
        except _FAULTS as fault:
            self.loss = f"{self.path} can't be unpacked after {self._size:,} bytes ({fault}); the rest is lost."
            return b""
        self._packed = unpack.unused_data or getattr(unpack, "unconsumed_tail", b"")
        self._more = bool(data) and not unpack.eof
        self.loss = bomb(self.path, self._read - len(self._packed), self._size + len(data))
        return data

    def close(self) -> None:
        self._stream.close()
        super().close()


def with_content(paths: Sequence[str]) -> list[str]:
    """The files that hold anything; each of the others is told. Raises UserError where none does."""
    full = []
    for path in paths:
        try:
            head, loss = head_of(path, CHUNK)
        except OSError as fault:
            raise UserError(f"{path} can't be read: {fault}") from fault
        if loss or len(head) == CHUNK or head.removeprefix(BOM_UTF8).strip():
            full.append(path)
    if not full:
        raise UserError(f"{paths[0]} is empty. Give a file that holds something.")
    for path in sorted({*paths} - {*full}):
        say(f"{path} is empty; nothing is read of it.", "warning")
    return full


def head_of(path: str, size: int) -> tuple[bytes, str]:
    """The first bytes of a dump, ``size`` or all that there are, and what is lost where it ends before its time."""
    dump, stream = open_dump(path)
    with stream:
        return stream.read(size), dump.loss


def open_dump(path: str, first: int = 0, last: int | None = None) -> tuple[Dump, BinaryIO]:
    """A dump and the buffered stream of its bytes, from ``first`` to before ``last``, counted decompressed."""
    dump = Dump(path, last)
    if first:
        dump.seek(first)
    return dump, io.BufferedReader(dump, CHUNK)


def plain_size(path: str) -> int | None:
    """The bytes of a file that is not packed; None of another."""
    with open_read(path) as stream:
        head = stream.read(len(_MAGIC[-1][0]))
        return None if any(head.startswith(magic) for magic, _ in _MAGIC) else stream.seek(0, io.SEEK_END)
