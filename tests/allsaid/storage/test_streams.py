"""Packed dumps: streams in a row, padding, damage, and files that are small only while they are packed."""

from __future__ import annotations

import bz2
import gzip
import struct
import tracemalloc
import zlib
from collections.abc import Callable, Iterable
from pathlib import Path
from random import Random
from typing import Any

import pytest
import zstandard

from allsaid.storage import streams
from allsaid.storage.streams import LARGE, open_dump, with_content
from schemas.errors import UserError

PACK: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.compress,
    "bzip2": bz2.compress,
    "zstd": zstandard.compress,
}
PACKERS: dict[str, Callable[[], Any]] = {
    "gzip": lambda: zlib.compressobj(9, wbits=31),
    "bzip2": bz2.BZ2Compressor,
    "zstd": lambda: zstandard.ZstdCompressor().compressobj(),
}
NOISE = Random(7).randbytes(70_000)  # does not shrink, and is longer than what is read at a time
BOOKS = "".join(f"{n};Tides of the year {n};a book about the sea\n" for n in range(3000)).encode()
HELD = 64 << 20  # bytes that a stream may hold at most


def read(path: Path, content: bytes) -> tuple[bytes, str]:
    path.write_bytes(content)
    dump, stream = open_dump(str(path))
    with stream:
        return stream.read(), dump.loss


def drain(path: Path, content: bytes) -> tuple[int, str, int]:
    """The number of decompressed bytes, what is lost, and the bytes that were held at most."""
    path.write_bytes(content)
    tracemalloc.start()
    dump, stream = open_dump(str(path))
    size = 0
    with stream:
        while data := stream.read(1 << 16):
            size += len(data)
    held = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return size, dump.loss, held


def in_pieces(kind: str, pieces: Iterable[bytes]) -> bytes:
    packer = PACKERS[kind]()
    return b"".join([*map(packer.compress, pieces), packer.flush()])


@pytest.mark.parametrize("kind", PACK)
@pytest.mark.parametrize("padding", [b"", b"\0" * 3, b"\0" * 100_000], ids=["bare", "padded", "long"])
def test_streams_in_a_row_are_one_file(tmp_path: Path, kind: str, padding: bytes) -> None:
    parts = [BOOKS, NOISE, b"", b"", b"x", BOOKS]
    packed = padding.join(map(PACK[kind], parts)) + padding
    assert read(tmp_path / "books", packed) == (b"".join(parts), "")


@pytest.mark.parametrize("kind", PACK)
def test_thousands_of_empty_streams_are_passed_over(tmp_path: Path, kind: str) -> None:
    assert read(tmp_path / "books", PACK[kind](b"") * 5000 + PACK[kind](BOOKS)) == (BOOKS, "")


def test_plain_files_are_read_as_they_are(tmp_path: Path) -> None:
    for content in (b"", b"x", BOOKS, NOISE, b"\0" * 100_000):
        assert read(tmp_path / "books", content) == (content, "")


@pytest.mark.parametrize("kind", PACK)
def test_a_file_cut_anywhere_keeps_what_stood_before(tmp_path: Path, kind: str) -> None:
    first = PACK[kind](BOOKS[:5000])
    whole = first + PACK[kind](NOISE)
    for cut in (10, len(first) - 1, len(first) + 10, len(whole) // 2, len(whole) - 1):
        found, loss = read(tmp_path / "books", whole[:cut])
        assert (BOOKS[:5000] + NOISE).startswith(found)
        assert len(found) >= (5000 if cut > len(first) else 0)
        assert loss == (
            f"{tmp_path}/books is cut off: its {kind} stream has no end. What was readable, {len(found):,} "
            "decompressed bytes, was read; the rest is lost."
        )


@pytest.mark.parametrize("kind", PACK)
def test_what_stands_behind_the_last_stream_is_told(tmp_path: Path, kind: str) -> None:
    found, loss = read(tmp_path / "books", PACK[kind](BOOKS) + b"These bytes are no stream.")
    assert found == BOOKS
    assert loss.startswith(f"{tmp_path}/books can't be unpacked after {len(BOOKS):,} bytes (")


def test_a_window_that_would_take_gigabytes_is_refused(tmp_path: Path) -> None:
    window = zstandard.FRAME_HEADER + bytes([0, (31 - 10) << 3])  # 2 GiB
    found, loss = read(tmp_path / "books", window + struct.pack("<I", 1 | 1 << 1 | 1000 << 3)[:3] + b"x")
    assert found == b""
    assert loss.endswith("after 0 bytes (zstd decompressor error: Frame requires too much memory for decoding); "
                         "the rest is lost.")  # fmt: skip


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch) -> int:
    """A tenth of the real bound, to make the tests quick."""
    monkeypatch.setattr(streams, "LARGE", LARGE // 10)
    return LARGE // 10


BOMBS = {kind: (kind, b"") for kind in PACK} | {"behind another stream": ("bzip2", bz2.compress(BOOKS))}


@pytest.mark.parametrize(("kind", "before"), BOMBS.values(), ids=list(BOMBS))
def test_a_bomb_ends_in_a_sentence(tmp_path: Path, large: int, kind: str, before: bytes) -> None:
    check_bomb(tmp_path / "books", before + in_pieces(kind, [bytes(1 << 20)] * 40), large)


def test_a_bomb_of_blocks_that_repeat_a_byte_ends_in_a_sentence(tmp_path: Path, large: int) -> None:
    """Of each 4 bytes zstd makes 128 KiB, and it can't be told to stop."""
    block = struct.pack("<I", 1 << 17 << 3 | 1 << 1)[:3] + b"x"
    check_bomb(tmp_path / "books", zstandard.FRAME_HEADER + bytes([0, 17 << 3]) + block * 2000, large)


def check_bomb(path: Path, content: bytes, large: int) -> None:
    size, loss, held = drain(path, content)
    assert large < size < 3 * large
    assert loss == (
        f"{path} unpacks to more than 1,000 times its size, which no text does. "
        f"Its first {size:,} bytes were read; the rest is lost."
    )
    assert held < HELD


@pytest.mark.parametrize("kind", ["gzip", "zstd"])
def test_a_large_file_that_repeats_itself_is_honest(tmp_path: Path, large: int, kind: str) -> None:
    pieces = [BOOKS * 8 + Random(n).randbytes(4000) for n in range(12)]
    size, loss, held = drain(tmp_path / "books", in_pieces(kind, pieces))
    assert (size, loss) == (sum(map(len, pieces)), "")
    assert size > large
    assert held < HELD


@pytest.mark.parametrize(
    ("start", "named"),
    [
        (b"PK\x03\x04", "a zip archive"),
        (b"7z\xbc\xaf'\x1c", "a 7-Zip archive"),
        (b"Rar!\x1a\x07\x00", "a RAR archive"),
        (b"\xfd7zXZ\x00", "packed by xz"),
        (b"a.csv".ljust(257, b"\0") + b"ustar\x0000", "a tar archive"),
    ],
)
def test_archives_that_are_not_read_are_to_be_unpacked(start: bytes, named: str, tmp_path: Path) -> None:
    path = tmp_path / "dump"
    path.write_bytes(start + NOISE[:100])
    with pytest.raises(UserError, match=rf"dump is {named}\. Unpack it, and give the files in it\."):
        with_content([str(path)])
    if named == "a zip archive":
        assert with_content([str(path)], zips=True) == [str(path)]
