"""Reader of dumps, plain or packed by gzip, bzip2 or zstd, with bounded memory and time.

A file with a higher compression ratio than text can have (a decompression bomb) is read in part only.
"""

from __future__ import annotations

import bz2
import io
import sys
import zlib
from codecs import BOM_UTF8
from collections.abc import Callable, Sequence
from typing import Any, BinaryIO  # Any: decompressors of several libraries, without a common type

import zstandard

from allsaid.console import say
from allsaid.storage.files import open_read
from schemas.errors import UserError

CHUNK = 1 << 15  # bytes read, and bytes unpacked, at a time
# Bytes given to zstd at a time. Its decompressor can't limit the output, and 4 bytes may unpack to 128 KiB (RFC 8878,
# section 3.1.1.2).
ZSTD_CHUNK = 1 << 9
LARGE = 100_000_000  # unpacked bytes from which on the ratio is checked; a small table of blanks may have a high one
MAX_PACKING = 1000  # maximum compression ratio of a large file; text has far less, even repeated log lines

_MAGIC = ((b"\x1f\x8b", "gzip"), (b"BZh", "bzip2"), (b"\x28\xb5\x2f\xfd", "zstd"))
_ZIP = b"PK\x03\x04"
# First bytes of archives that can't be read.
_ARCHIVES = {
    _ZIP: "a zip archive",
    b"7z\xbc\xaf\x27\x1c": "a 7-Zip archive",
    b"Rar!\x1a\x07": "a RAR archive",
    b"\xfd7zXZ\x00": "packed by xz",
}
_TAR, _TAR_AT = b"ustar", 257
_FAULTS = (zlib.error, OSError, EOFError, ValueError, zstandard.ZstdError)  # errors of the decompressors


def is_bomb(packed: int, unpacked: int) -> bool:
    """Return whether the ratio of unpacked to packed bytes is too high for a file of text."""
    return unpacked > max(LARGE, MAX_PACKING * packed)


def bomb_loss(where: str, packed: int, unpacked: int) -> str:
    """Explain which part of a decompression bomb is lost; "" for any other file."""
    if not is_bomb(packed, unpacked):
        return ""
    return (
        f"{where} unpacks to more than {MAX_PACKING:,} times its size, which no text does. "
        f"Its first {unpacked:,} bytes were read; the rest is lost."
    )


def _decompressors(kind: str) -> Callable[[], Any]:
    """Return a factory of decompressors, one for each stream of a file in turn."""
    if kind == "gzip":
        return lambda: zlib.decompressobj(wbits=31)
    return bz2.BZ2Decompressor if kind == "bzip2" else zstandard.ZstdDecompressor().decompressobj


class Dump(io.RawIOBase):
    """The decompressed bytes of a plain, gzip, bzip2 or zstd file, recognised by its first bytes.

    A file that is truncated, damaged or a bomb ends early: the readable part is read, and ``loss`` explains the rest.
    """

    def __init__(self, path: str, end: int | None = None) -> None:
        """Open a file; ``end``: the number of decompressed bytes after which to stop, None for all."""
        self.path, self._end = path, sys.maxsize if end is None else end
        self._stream = open_read(path)
        self._rewind()

    def _rewind(self) -> None:
        self.loss = ""
        self._packed = self._stream.read(ZSTD_CHUNK)  # read, but not yet decompressed
        self._read = len(self._packed)  # packed bytes so far
        self._kind = next((kind for magic, kind in _MAGIC if self._packed.startswith(magic)), "")
        self._make_decompressor = _decompressors(self._kind)
        self._decompressor: Any = self._make_decompressor() if self._kind else None
        self._may_hold_more = False  # whether the decompressor may return more without new input
        self._ready = memoryview(b"")
        self._size = 0  # decompressed bytes so far

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if not self._ready and not self.loss:
            self._ready = memoryview(self._next())
        size = min(len(buffer), len(self._ready), self._end - self._size)
        buffer[:size] = self._ready[:size]
        self._ready = self._ready[size:]
        self._size += size
        return size

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._size

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        """Go to a decompressed byte, counted from the first; a packed file is unpacked up to there."""
        if whence != io.SEEK_SET:
            raise io.UnsupportedOperation("A dump supports only positions counted from its first byte.")
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
        """Return the next decompressed bytes; none at the end."""
        while self._fill():
            if self._decompressor is None:
                data, self._packed = self._packed, b""
            else:
                data = self._decompress()
            if data or self.loss:
                return data
        return b""

    def _fill(self) -> bool:
        """Read packed bytes if they are needed; return whether there may be more output."""
        if not self._packed and not self._may_hold_more:
            self._packed = self._stream.read(ZSTD_CHUNK if self._kind == "zstd" else CHUNK)
            self._read += len(self._packed)
            if not self._packed and self._decompressor is not None and not self._decompressor.eof:
                self.loss = (
                    f"{self.path} is cut off: its {self._kind} stream has no end. What was readable, "
                    f"{self._size:,} decompressed bytes, was read; the rest is lost."
                )
        return bool(self._packed) or self._may_hold_more

    def _decompress(self) -> bytes:
        """Return the next bytes; a file may be several compressed streams in a row, padded with zeros."""
        if self._decompressor.eof:
            self._packed = self._packed.lstrip(b"\0")
            if not self._packed:
                return b""
            self._decompressor = self._make_decompressor()
        unpack = self._decompressor
        try:
            data: bytes = unpack.decompress(self._packed, *(() if self._kind == "zstd" else (CHUNK,)))
        except _FAULTS as fault:
            self.loss = f"{self.path} can't be unpacked after {self._size:,} bytes ({fault}); the rest is lost."
            return b""
        self._packed = unpack.unused_data or getattr(unpack, "unconsumed_tail", b"")
        self._may_hold_more = bool(data) and not unpack.eof
        self.loss = bomb_loss(self.path, self._read - len(self._packed), self._size + len(data))
        return data

    def close(self) -> None:
        self._stream.close()
        super().close()


def with_content(paths: Sequence[str], zips: bool = False) -> list[str]:
    """Return the files that are not empty, and report the others.

    zips: whether zip archives, such as workbooks, are accepted. Raises UserError if all files are empty, or if one is
    an archive that is not accepted.
    """
    full = []
    for path in paths:
        try:
            head, loss = head_of(path, CHUNK)
        except OSError as fault:
            raise UserError(f"{path} can't be read: {fault}") from fault
        archive = archive_in(head)
        if archive and not (zips and head.startswith(_ZIP)):
            raise UserError(f"{path} is {archive}")
        if loss or len(head) == CHUNK or head.removeprefix(BOM_UTF8).strip():
            full.append(path)
    if not full:
        raise UserError(f"{paths[0]} is empty. Give a file that has content.")
    for path in sorted({*paths} - {*full}):
        say(f"{path} is empty; it is skipped.", "warning")
    return full


def archive_in(head: bytes) -> str:
    """Return the kind of archive that begins with these bytes, and a remedy; "" for another file."""
    archive = next((kind for magic, kind in _ARCHIVES.items() if head.startswith(magic)), "")
    if head[_TAR_AT : _TAR_AT + len(_TAR)] == _TAR:
        archive = "a tar archive"
    return f"{archive}. Unpack it, and give the files in it." if archive else ""


def head_of(path: str, size: int) -> tuple[bytes, str]:
    """Return the first ``size`` bytes of a dump, or all it has, and its ``loss`` if it ends early."""
    dump, stream = open_dump(path)
    with stream:
        return stream.read(size), dump.loss


def open_dump(path: str, first: int = 0, end: int | None = None) -> tuple[Dump, BinaryIO]:
    """Return a dump and its buffered stream of the decompressed bytes ``first`` to ``end`` - 1."""
    dump = Dump(path, end)
    if first:
        dump.seek(first)
    return dump, io.BufferedReader(dump, CHUNK)


def plain_size(path: str) -> int | None:
    """Return the size in bytes of a file that is not packed; None for a packed one."""
    with open_read(path) as stream:
        head = stream.read(len(_MAGIC[-1][0]))
        return None if any(head.startswith(magic) for magic, _ in _MAGIC) else stream.seek(0, io.SEEK_END)
