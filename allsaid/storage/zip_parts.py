"""Parts of a split zip archive, joined in order and read as one stream."""

from __future__ import annotations

import io
from collections.abc import Sequence
from itertools import accumulate
from typing import Any  # Any: a buffer, as the base class has it

from allsaid.storage.files import open_read


class Parts(io.RawIOBase):
    """Several files as one seekable stream."""

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

    def read_at(self, place: int, size: int) -> bytes:
        """Read bytes from a place on; fewer than ``size`` only at the end."""
        self.seek(place)
        data = b""
        while len(data) < size and (chunk := self.read(size - len(data))):
            data += chunk
        return data

    def close(self) -> None:
        for stream in self._streams:
            stream.close()
        super().close()
