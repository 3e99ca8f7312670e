"""Zip archives read in place: whole, split and joined again; hostile and damaged ones."""

from __future__ import annotations

import io
import random
import struct
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from allsaid.storage import streams
from allsaid.storage.archives import Archive, find_archives
from schemas.errors import UserError

DIRECTORY_ENTRY, DIRECTORY_END = b"PK\1\2", b"PK\5\6"
FLAGS, METHOD, SIZE, PART, OFFSET = 8, 10, 24, 34, 42  # places in an entry of the directory
NOISE = random.Random(7).randbytes(70_000)  # does not shrink, and is longer than what is read at a time
TEXT = "".join(f"name_{n}:walter\tname_2:extra\n" for n in range(9000)).encode()


def pack(members: Mapping[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", method) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return made.getvalue()


def patch(archive: bytes, place: int, form: str, value: int, entry: int = 0) -> bytes:
    """The archive with another value in an entry of its directory."""
    found = -1
    for _ in range(entry + 1):
        found = archive.index(DIRECTORY_ENTRY, found + 1)
    changed = bytearray(archive)
    struct.pack_into(form, changed, found + place, value)
    return bytes(changed)


def split(archive: bytes, part: int) -> list[bytes]:
    """The archive as Info-ZIP's ``zip -s`` cuts it: a mark before all, places counted from the start of each part."""
    changed = bytearray(b"PK\7\10" + archive)
    end = changed.rindex(DIRECTORY_END)
    entries, size, start = struct.unpack_from("<HII", changed, end + 10)
    start += 4
    place = start
    for _ in range(entries):
        (offset,) = struct.unpack_from("<I", changed, place + OFFSET)
        struct.pack_into("<H", changed, place + PART, (offset + 4) // part)
        struct.pack_into("<I", changed, place + OFFSET, (offset + 4) % part)
        place += 46 + sum(struct.unpack_from("<HHH", changed, place + 28))
    last = (len(changed) - 1) // part
    struct.pack_into("<HHHHII", changed, end + 4, last, start // part, entries, entries, size, start % part)
    return [bytes(changed[begin : begin + part]) for begin in range(0, len(changed), part)]


def write(folder: Path, *parts: bytes) -> list[str]:
    """Parts of an archive as files, the sorted paths."""
    names = [f"a.z{n:02}" for n in range(1, len(parts))] + ["a.zip"]
    for name, data in zip(names, parts, strict=True):
        (folder / name).write_bytes(data)
    return sorted(str(folder / name) for name in names)


def contents(paths: list[str]) -> dict[str, bytes]:
    (parts,) = find_archives(paths)
    found = {}
    with Archive(parts) as archive:
        for name in archive.members:
            unpacked, stream = archive.open(name)
            found[name] = stream.read()
            assert not unpacked.loss
    return found


MEMBERS = {"w/train/train.box": TEXT, "w/train/noise": NOISE, "w/empty": b"", "w/train/größe.sent": b"a b\n"}


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_whole_archives_give_what_was_packed(tmp_path: Path, method: int) -> None:
    assert contents(write(tmp_path, pack(MEMBERS, method))) == MEMBERS


@pytest.mark.parametrize("size", [65_537, 30_011, 4_099])
def test_split_archives_are_joined_by_their_directory(tmp_path: Path, size: int) -> None:
    parts = split(pack(MEMBERS), size)
    assert len(parts) >= 2
    paths = write(tmp_path, *parts)
    with pytest.raises((zipfile.BadZipFile, OSError)), zipfile.ZipFile(paths[-1]) as archive:
        archive.read("w/train/noise")
    assert contents(paths) == MEMBERS


def test_split_parts_joined_by_cat_are_one_archive(tmp_path: Path) -> None:
    assert contents(write(tmp_path, b"".join(split(pack(MEMBERS), 30_011)))) == MEMBERS


def test_archives_cut_up_like_any_file_are_joined(tmp_path: Path) -> None:
    whole = pack(MEMBERS)
    assert contents(write(tmp_path, whole[:40_000], whole[40_000:60_000], whole[60_000:])) == MEMBERS


def test_zip64(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zipfile, "ZIP64_LIMIT", 1000)
    packed = pack(MEMBERS)
    assert b"PK\6\6" in packed
    assert contents(write(tmp_path, packed)) == MEMBERS


def test_an_archive_may_stand_behind_other_bytes(tmp_path: Path) -> None:
    assert contents(write(tmp_path, b"#!/bin/sh\n" + pack(MEMBERS))) == MEMBERS


def test_members_can_be_read_side_by_side(tmp_path: Path) -> None:
    (parts,) = find_archives(write(tmp_path, *split(pack(MEMBERS), 30_011)))
    with Archive(parts) as archive:
        box, noise = archive.open("w/train/train.box")[1], archive.open("w/train/noise")[1]
        halves = [box.read(100_000), noise.read(50_000), box.read(), noise.read()]
    assert halves == [TEXT[:100_000], NOISE[:50_000], TEXT[100_000:], NOISE[50_000:]]


@pytest.mark.parametrize(
    ("archive", "said"),
    [
        (pack(MEMBERS)[:-30], "its end is missing"),
        (b"", "its end is missing"),
        (pack(MEMBERS)[5000:], "a part may be cut off"),
        (pack({"../../etc/passwd": b"x"}), "points outside"),
        (pack({"/etc/passwd": b"x"}), "points outside"),
        (pack({"c:\\windows\\x": b"x"}), "points outside"),
        (pack({"a\\..\\..\\x": b"x"}), "points outside"),
        (split(pack(MEMBERS), 30_011)[-1], "a.z01, "),
        (pack({"größe": b"x"}).replace("ö".encode(), b"\xff\xff"), "directory can't be read"),
    ],
)
def test_archives_that_are_not_read(tmp_path: Path, archive: bytes, said: str) -> None:
    (parts,) = find_archives(write(tmp_path, archive))
    with pytest.raises(UserError, match=said) as raised:
        Archive(parts)
    assert str(raised.value).startswith(parts[0])


def test_a_missing_part_is_named(tmp_path: Path) -> None:
    first, _, *others = paths = write(tmp_path, *split(pack(MEMBERS), 20_011))
    (parts,) = find_archives([first, *others])
    with pytest.raises(UserError, match=rf"not all are there: {paths[1]}\.$"):
        Archive(parts)
    with pytest.raises(UserError, match=r"a\.zip, its last part, is missing"):
        find_archives(paths[:-1])


def _link() -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        link = zipfile.ZipInfo("m")
        link.create_system, link.external_attr = 3, 0o120777 << 16
        archive.writestr(link, "/etc/passwd")
    return made.getvalue()


@pytest.mark.parametrize(
    ("archive", "said"),
    [
        (patch(pack({"m": TEXT}), FLAGS, "<H", 1), "is encrypted"),
        (pack({"m": TEXT}, zipfile.ZIP_BZIP2), "packed by method 12"),
        (_link(), "is a link"),
    ],
)
def test_members_that_are_not_read(tmp_path: Path, archive: bytes, said: str) -> None:
    (parts,) = find_archives(write(tmp_path, archive))
    with Archive(parts) as opened, pytest.raises(UserError, match=said) as raised:
        opened.open("m")
    assert str(raised.value).startswith(f"{parts[0]}/m ")


def test_a_member_of_another_size_than_it_says_is_a_loss(tmp_path: Path) -> None:
    """A bomb that lies about its size unpacks no more than one piece too much."""
    for said, size in ((1000, 1000), (len(TEXT) + 1, len(TEXT))):
        (parts,) = find_archives(write(tmp_path, patch(pack({"m": TEXT}), SIZE, "<I", said)))
        with Archive(parts) as opened:
            unpacked, stream = opened.open("m")
            read = stream.read()
        assert len(read) <= size
        assert unpacked.loss.startswith(f"{parts[0]}/m is damaged after ")


def test_a_bomb_ends_in_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "LARGE", 1 << 20)
    (parts,) = find_archives(write(tmp_path, pack({"m": bytes(1 << 24), "n": TEXT * 8})))
    with Archive(parts) as opened:
        bomb, stream = opened.open("m")
        size = len(stream.read())
        honest, stream = opened.open("n")
        assert (stream.read(), honest.loss) == (TEXT * 8, "")
    assert 1 << 20 < size < 1 << 21
    assert bomb.loss == (
        f"{parts[0]}/m unpacks to more than 1,000 times its size, which no text does. "
        f"Its first {size:,} bytes were read; the rest is lost."
    )


def test_a_damaged_member_gives_what_stands_before(tmp_path: Path) -> None:
    whole = bytearray(pack({"m": NOISE}, zipfile.ZIP_STORED))
    whole[60_000] ^= 1
    (parts,) = find_archives(write(tmp_path, bytes(whole)))
    with Archive(parts) as opened:
        unpacked, stream = opened.open("m")
        assert len(stream.read()) == len(NOISE)
    assert unpacked.loss == (
        f"{parts[0]}/m is damaged after 70,000 of 70,000 bytes (its bytes are not those that were packed)."
    )


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.tuples(st.integers(0, 1 << 20), st.integers(0, 255)), min_size=1, max_size=6),
    st.integers(0, 1 << 20),
    st.sampled_from([400, 10_000]),
)
def test_mutated_archives_end_in_a_sentence(
    tmp_path: Path, changes: list[tuple[int, int]], cut: int, part: int
) -> None:
    whole = bytearray(b"".join(split(pack({"a/m": TEXT[:2000], "a/n": b"1\n"}), part)))
    for place, value in changes:
        whole[-1 - place % len(whole)] = value
    if cut % 3 == 0:
        del whole[cut % len(whole) :]
    paths = write(tmp_path, *(bytes(whole[n : n + part]) for n in range(0, max(1, len(whole)), part)))
    try:
        (parts,) = find_archives(paths)
        with Archive(parts) as archive:
            for name in archive.members:
                unpacked, stream = archive.open(name)
                data = stream.read()
                assert unpacked.loss or len(data) == archive.members[name].size
    except UserError as fault:
        assert str(fault)
