"""The bytes of dumps: plain files, and those packed by gzip, bzip2 or zstd."""

from __future__ import annotations

import bz2
import io
import zlib
from typing import Any, BinaryIO

import zstandard

from pipelines.files import open_read

CHUNK = 1 << 15  # bytes read from a compressed file at a time

_MAGIC = ((b"\x1f\x8b", "gzip"), (b"BZh", "bzip2"), (b"\x28\xb5\x2f\xfd", "zstd"))
_FAULTS = (zlib.error, OSError, EOFError, ValueError, zstandard.ZstdError)  # what the decompressors raise


def _decompressor(kind: str) -> Any:
    if kind == "gzip":
        return zlib.decompressobj(wbits=31)
    return bz2.BZ2Decompressor() if kind == "bzip2" else zstandard.ZstdDecompressor().decompressobj()


class Dump(io.RawIOBase):
    """The decompressed bytes of a plain, gzip, bzip2 or zstd file, told apart by their first bytes.

    A file that is cut off or damaged ends early: what was readable is read, and ``loss`` says what happened.
    """

    def __init__(self, path: str) -> None:
        self.path, self.loss = path, ""
        self._stream = open_read(path)
        self._waiting = self._stream.read(CHUNK)
        self._kind = next((kind for magic, kind in _MAGIC if self._waiting.startswith(magic)), "")
        self._unpack: Any = _decompressor(self._kind) if self._kind else None
        self._ready = b""
        self._size = 0  # decompressed bytes so far

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._ready and not self.loss:
            packed = self._waiting or self._stream.read(CHUNK)
            self._waiting = b""
            if not packed:
                self._finish()
                break
            self._ready = packed if self._unpack is None else self._decompress(packed)
        taken = min(len(buffer), len(self._ready))
        buffer[:taken] = self._ready[:taken]
        self._ready = self._ready[taken:]
        self._size += taken
        return taken

    def _decompress(self, packed: bytes) -> bytes:
        """The next bytes; a file may be several compressed streams in a row, padded with zeros."""
        if self._unpack.eof:
            packed = packed.lstrip(b"\0")
            if not packed:
                return b""
            self._unpack = _decompressor(self._kind)
        try:
            data = self._unpack.decompress(packed)
        except _FAULTS as fault:
            self.loss = f"{self.path} is damaged after {self._size:,} decompressed bytes ({fault}); the rest is lost."
            return b""
        if self._unpack.eof:
            self._waiting = self._unpack.unused_data
        return data

    def _finish(self) -> None:
        if self._unpack is not None and not self._unpack.eof:
            self.loss = (
                f"{self.path} is cut off: its {self._kind} stream has no end. What was readable, "
                f"{self._size:,} decompressed bytes, was read; the rest is lost."
            )

    def close(self) -> None:
        self._stream.close()
        super().close()


def open_dump(path: str) -> tuple[Dump, BinaryIO]:
    """A dump and the buffered stream of its bytes."""
    dump = Dump(path)
    return dump, io.BufferedReader(dump, CHUNK)
