"""The files of the WikiBio corpus -> slices: ranges of boxes, with the place of each in every file.

The corpus has line files side by side: ``train/train.box`` has a box a line, ``.nb`` how many lines of ``.sent`` belong
to it, ``.id``, ``.title``, ``.url`` and ``.contributors`` have a line for each box. A quick look at all line ends finds
where each slice begins, so that several processes can read one file.
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
ARCHIVE_SLICES = 8  # of a packed file: each slice unpacks all that stands before it
COUNTED = 1 << 20  # bytes looked at at a time

_NAME = re.compile(r"(?:(.*)/)?([^/.][^/]*)\.(" + "|".join(NEEDED + FURTHER) + ")")


@dataclass(frozen=True)
class Slice(Shard):
    """Boxes ``first`` to ``last`` of one split; ``starts`` and ``names`` belong to ``kinds``."""

    split: str = ""
    kinds: tuple[str, ...] = ()  # NEEDED, then those of FURTHER that are there
    names: tuple[str, ...] = ()  # paths, or names of members where ``packed``
    starts: tuple[int, ...] = ()  # bytes
    packed: bool = False
    sentence: int = 0  # number of the first sentence
    aligned: int = 0  # the first box whose sentences can't be told; the number of boxes where all can
    losses: tuple[str, ...] = ()  # told with the first slice of a split


@dataclass(frozen=True)
class _Numbers:
    """What ``.nb`` says."""

    lines: int
    sentences: int  # a bad number counts 1
    bad: int
    first_bad: int  # line
    marks: Mapping[int, int]  # box that begins a slice -> sentences before it


@dataclass(frozen=True)
class _Count:
    """What a look at the line ends of a file gives."""

    starts: list[int]  # bytes; where the wanted lines begin, as far as they are there
    lines: int
    size: int  # bytes

    def start(self, n: int) -> int:
        """Where the n-th wanted line begins; the file's end where it has no such line."""
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
    """Slices of at most ``boxes`` boxes each (archives: larger ones). Raises UserError for what is no such corpus."""
    plain = _groups(paths, paths, None)
    packed = find_archives(paths)
    if plain and packed:
        raise UserError(f"--input names {packed[0][0]} and unpacked files beside it. Give one of the two.")
    found = [piece for group in plain for piece in _cut(group, boxes)]
    strangers: list[str] = []
    for parts in packed:
        with Archive(parts) as archive:
            groups = _groups(parts, list(archive.members), archive)
            found += [piece for group in groups for piece in _cut(group, boxes)]
        if not groups:
            strangers.append(parts[0])
    if not found:
        raise UserError(
            "--input has no WikiBio corpus: no train.box, valid.box or test.box, plain or in a zip archive."
        )
    for path in strangers:
        say(f"{path} holds no .box file of WikiBio; nothing is read of it.", "warning")
    return found


def _place(archive: Archive | None, name: str) -> str:
    """A file as messages name it, with its archive where it is in one."""
    return f"{archive.path}/{name}" if archive else name


def _groups(files: Sequence[str], names: Sequence[str], archive: Archive | None) -> list[_Group]:
    """The splits among some names of files, in the order of the names."""
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
    """The slices of a split; one without boxes where there are none, for its losses."""
    losses: list[str] = []
    if group.archive is not None:
        boxes = max(boxes, -(-_find_lines(group, "nb", iter(()), []).lines // ARCHIVE_SLICES))
    numbers = _read_numbers(group, boxes, losses)
    lines = {"box": _find_lines(group, "box", count(0, boxes), losses)}
    total = lines["box"].lines
    firsts = range(0, max(total, 1), boxes)
    marks = [numbers.marks.get(first, numbers.sentences) for first in firsts]
    lines["sent"] = _find_lines(group, "sent", iter(marks), losses)
    lines["nb"] = _find_lines(group, "nb", iter(firsts), [])
    losses += _disagreements(group, numbers, total, lines["sent"].lines)
    lines |= _further(group, firsts, total, losses)
    told = not numbers.bad or numbers.sentences == lines["sent"].lines
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
            sentence=marks[n],
            aligned=total if told else numbers.first_bad,
            losses=tuple(losses) if n == 0 else (),
        )


def _further(group: _Group, firsts: Sequence[int], total: int, losses: list[str]) -> dict[str, _Count]:
    """The files beyond the needed ones that have a line for each box."""
    found = {}
    for kind in group.names:
        if kind in FURTHER:
            lines = _find_lines(group, kind, iter(firsts), losses)
            if lines.lines == total:
                found[kind] = lines
            else:
                has = f"{counted(lines.lines, 'line')} for {counted(total, 'box', 'boxes')}"
                losses.append(f"{group.place(kind)} has {has}; it was left aside.")
    return found


def _read_numbers(group: _Group, boxes: int, losses: list[str]) -> _Numbers:
    stream, loss = group.open("nb")
    marks: dict[int, int] = {}
    total = bad = first_bad = 0
    with stream:
        lines = Lines(stream, group.names["nb"], 0, 0)
        while line := lines.next():
            place = lines.number - 1
            if place % boxes == 0:
                marks[place] = total
            number = sentences_of(line)
            if number is None:
                first_bad = first_bad if bad else place
                bad += 1
            total += 1 if number is None else number
    losses += filter(None, [loss()])
    return _Numbers(lines.number - 1, total, bad, first_bad, marks)


def _disagreements(group: _Group, numbers: _Numbers, boxes: int, sentences: int) -> Iterator[str]:
    box, sent, nb = (group.place(kind) for kind in NEEDED)
    if numbers.lines > boxes:
        yield f"{nb} has {counted(numbers.lines - boxes, 'line')} more than {box}; what is left over belongs to no box."
    if numbers.sentences > sentences:
        yield (
            f"{nb} counts {counted(numbers.sentences, 'sentence')}, but {sent} has {sentences:,}: the last boxes are "
            f"rejected, and unless {sent} is cut off, others may stand with a wrong one."
        )
    if numbers.sentences < sentences:
        yield (
            f"{sent} has {counted(sentences - numbers.sentences, 'line')} more than {nb} counts: what is left over "
            f"belongs to no box, and unless {nb} is cut off, others may stand with a wrong one."
        )


def _find_lines(group: _Group, kind: str, wanted: Iterator[int], losses: list[str]) -> _Count:
    """A look at the line ends of a file; ``wanted`` are numbers of lines, in order."""
    stream, loss = group.open(kind)
    starts: list[int] = []
    size = lines = 0
    ended = True
    number = next(wanted, None)
    with stream:
        while chunk := stream.read(COUNTED):
            ends = chunk.count(b"\n")
            while number is not None and number <= lines + ends:
                starts.append(size + _after_line(chunk, number - lines) if number else 0)
                number = next(wanted, None)
            size, lines, ended = size + len(chunk), lines + ends, chunk.endswith(b"\n")
    losses += filter(None, [loss()])
    return _Count(starts, lines + (not ended), size)


def _after_line(chunk: bytes, lines: int) -> int:
    """The byte behind the first ``lines`` lines of a chunk, at least one."""
    return int(np.flatnonzero(np.frombuffer(chunk, np.uint8) == 10)[lines - 1]) + 1
