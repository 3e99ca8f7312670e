"""The files of the WikiBio corpus -> slices: ranges of boxes, with the place of each in every file.

The corpus has parallel files: ``train/train.box`` has one box per line, ``.nb`` the number of its lines in ``.sent``;
``.id``, ``.title``, ``.url`` and ``.contributors`` have one line per box. Planning counts the lines of all files to
find the beginning of each slice, so that several processes can read one file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import BinaryIO

import numpy as np

from allsaid.console import counted, say
from allsaid.storage.archives import Archive, find_archives
from pipelines.lines import Lines
from pipelines.source import Shard
from pipelines.sources.wikibio.lines import open_at, sentences_of
from schemas.errors import UserError

SPLITS = {"train": "train", "valid": "dev", "test": "test"}
NEEDED = ("box", "sent", "nb")
FURTHER = ("id", "title", "url", "contributors")
ARCHIVE_SLICES = 8  # of a file in an archive; few, since each slice decompresses all bytes before it
CHUNK = 1 << 20  # bytes read at a time

_NAME = re.compile(r"(?:(.*)/)?([^/.][^/]*)\.(" + "|".join(NEEDED + FURTHER) + ")")


@dataclass(frozen=True)
class Slice(Shard):
    """Boxes ``first`` to ``last`` of one split; ``starts`` and ``names`` belong to ``kinds``."""

    split: str = ""
    kinds: tuple[str, ...] = ()  # NEEDED, then the existing ones of FURTHER
    names: tuple[str, ...] = ()  # paths, or names of members if ``packed``
    starts: tuple[int, ...] = ()  # bytes
    packed: bool = False  # whether the files are in an archive
    sentence: int = 0  # number of the first sentence
    aligned: int = 0  # the first box whose sentences are unknown; if none is, the number of boxes
    losses: tuple[str, ...] = ()  # of the split, reported with its first slice


@dataclass(frozen=True)
class _Numbers:
    """The content of ``.nb``."""

    lines: int
    sentences: int  # a bad number counts 1
    bad: int
    first_bad: int  # line
    before: Mapping[int, int]  # first box of a slice -> sentences before it


@dataclass(frozen=True)
class _LineStarts:
    """The number of lines in a file, and the starts of some of them."""

    starts: list[int]  # bytes; of the requested lines that the file has
    lines: int
    size: int  # bytes

    def start(self, n: int) -> int:
        """Return the start of the n-th requested line; the file's end if it does not have the line."""
        return self.starts[n] if n < len(self.starts) else self.size


@dataclass(frozen=True)
class _Group:
    """The files of one split."""

    split: str
    files: tuple[str, ...]
    names: Mapping[str, str]  # kind -> path or member
    archive: Archive | None

    def place(self, kind: str) -> str:
        return _place(self.archive, self.names[kind])

    def open(self, kind: str) -> tuple[BinaryIO, Callable[[], str]]:
        return open_at(self.archive, self.names[kind], 0)


def slices(paths: Sequence[str], boxes: int) -> list[Slice]:
    """Return slices of at most ``boxes`` boxes each, of more in archives; raise UserError for another corpus."""
    plain = _groups(paths, paths, None)
    packed = find_archives(paths)
    if plain and packed:
        raise UserError(f"--input names {packed[0][0]} and unpacked files beside it. Give one of the two.")
    found = [piece for group in plain for piece in _cut(group, boxes)]
    others: list[str] = []
    for parts in packed:
        with Archive(parts) as archive:
            groups = _groups(parts, list(archive.members), archive)
            found += [piece for group in groups for piece in _cut(group, boxes)]
        if not groups:
            others.append(parts[0])
    if not found:
        raise UserError(
            "--input has no WikiBio corpus: no train.box, valid.box or test.box, plain or in a zip archive."
        )
    for path in others:
        say(f"{path} has no .box file of WikiBio; it is skipped.", "warning")
    return found


def _place(archive: Archive | None, name: str) -> str:
    """Return a file's name for messages, after the archive's path if the file is in an archive."""
    return f"{archive.path}/{name}" if archive else name


def _groups(files: Sequence[str], names: Sequence[str], archive: Archive | None) -> list[_Group]:
    """Return the splits among names of files, in the order of the names."""
    found: dict[tuple[str, str], dict[str, str]] = {}
    for name in names:
        if parts := _NAME.fullmatch(name):
            found.setdefault((parts[1] or "", parts[2]), {})[parts[3]] = name
    return [_group(stem, kinds, files, archive) for (_, stem), kinds in found.items() if "box" in kinds]


def _group(stem: str, names: dict[str, str], files: Sequence[str], archive: Archive | None) -> _Group:
    box = _place(archive, names["box"])
    if stem not in SPLITS:
        raise UserError(f"{box} belongs to no split: its name must be {', '.join(SPLITS)}. Leave it out.")
    for kind in NEEDED:
        if kind not in names:
            raise UserError(f"{box} has no {stem}.{kind} beside it. Add it, or leave the .box file out.")
    ordered = {kind: names[kind] for kind in NEEDED + FURTHER if kind in names}
    return _Group(SPLITS[stem], tuple(files) if archive else tuple(ordered.values()), ordered, archive)


def _cut(group: _Group, boxes: int) -> Iterator[Slice]:
    """Yield the slices of a split; if it has no boxes, one empty slice that carries its losses."""
    losses: list[str] = []
    if group.archive is not None:
        boxes = max(boxes, -(-_find_lines(group, "nb", iter(()), []).lines // ARCHIVE_SLICES))
    numbers = _read_numbers(group, boxes, losses)
    lines = {"box": _find_lines(group, "box", count(0, boxes), losses)}
    total = lines["box"].lines
    firsts = range(0, max(total, 1), boxes)
    before = [numbers.before.get(first, numbers.sentences) for first in firsts]
    lines["sent"] = _find_lines(group, "sent", iter(before), losses)
    lines["nb"] = _find_lines(group, "nb", iter(firsts), [])
    losses += _disagreements(group, numbers, total, lines["sent"].lines)
    lines |= _further(group, firsts, total, losses)
    is_aligned = not numbers.bad or numbers.sentences == lines["sent"].lines
    for n, first in enumerate(firsts):
        yield Slice(
            files=group.files,
            first=first,
            last=min(first + boxes, total),
            split=group.split,
            kinds=tuple(lines),
            names=tuple(group.names[kind] for kind in lines),
            starts=tuple(found.start(n) for found in lines.values()),
            packed=group.archive is not None,
            sentence=before[n],
            aligned=total if is_aligned else numbers.first_bad,
            losses=tuple(losses) if n == 0 else (),
        )


def _further(group: _Group, firsts: Sequence[int], total: int, losses: list[str]) -> dict[str, _LineStarts]:
    """Return the line starts of the optional files that have one line per box."""
    found = {}
    for kind in group.names:
        if kind in FURTHER:
            lines = _find_lines(group, kind, iter(firsts), losses)
            if lines.lines == total:
                found[kind] = lines
            else:
                has = f"{counted(lines.lines, 'line')} for {counted(total, 'box', 'boxes')}"
                losses.append(f"{group.place(kind)} has {has}; it was ignored.")
    return found


def _read_numbers(group: _Group, boxes: int, losses: list[str]) -> _Numbers:
    stream, loss = group.open("nb")
    before: dict[int, int] = {}
    total = bad = first_bad = 0
    with stream:
        lines = Lines(stream, group.names["nb"], 0, 0)
        while line := lines.next():
            place = lines.number - 1
            if place % boxes == 0:
                before[place] = total
            number = sentences_of(line)
            if number is None:
                first_bad = first_bad if bad else place
                bad += 1
            total += 1 if number is None else number
    losses += filter(None, [loss()])
    return _Numbers(lines.number - 1, total, bad, first_bad, before)


def _disagreements(group: _Group, numbers: _Numbers, boxes: int, sentences: int) -> Iterator[str]:
    box, sent, nb = (group.place(kind) for kind in NEEDED)
    if numbers.lines > boxes:
        yield f"{nb} has {counted(numbers.lines - boxes, 'line')} more than {box}; the last ones belong to no box."
    if numbers.sentences > sentences:
        yield (
            f"{nb} counts {counted(numbers.sentences, 'sentence')}, but {sent} has {sentences:,}: the last boxes are "
            f"rejected, and unless {sent} is cut off, others may have a wrong one."
        )
    if numbers.sentences < sentences:
        yield (
            f"{sent} has {counted(sentences - numbers.sentences, 'line')} more than {nb} counts: the last ones belong "
            f"to no box, and unless {nb} is cut off, boxes may have a wrong one."
        )


def _find_lines(group: _Group, kind: str, numbers: Iterator[int], losses: list[str]) -> _LineStarts:
    """Count the lines of a file and find the starts of the lines with these numbers, which ascend."""
    stream, loss = group.open(kind)
    starts: list[int] = []
    size = lines = 0
    ended = True
    number = next(numbers, None)
    with stream:
        while chunk := stream.read(CHUNK):
            ends = chunk.count(b"\n")
            while number is not None and number <= lines + ends:
                starts.append(size + _after_line(chunk, number - lines) if number else 0)
                number = next(numbers, None)
            size, lines, ended = size + len(chunk), lines + ends, chunk.endswith(b"\n")
    losses += filter(None, [loss()])
    return _LineStarts(starts, lines + (not ended), size)


def _after_line(chunk: bytes, lines: int) -> int:
    """Return the byte after the first ``lines`` lines of a chunk, at least one."""
    return int(np.flatnonzero(np.frombuffer(chunk, np.uint8) == 10)[lines - 1]) + 1
