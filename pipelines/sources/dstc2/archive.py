"""The files of DSTC2's calls and lists, read from the official archive or from the extracted tree.

A call is a folder ``data/Mar13_S0A1/voip-…/`` with ``log.json`` (what the system said and heard) and ``label.json``
(later transcriptions and annotations). The lists ``scripts/config/dstc2_{train,dev,test}.flist`` name the calls of a
split as ``Mar13_S0A1/voip-…``; in the archive they follow the calls.
"""

from __future__ import annotations

import re
import tarfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from allsaid.storage.streams import open_dump
from pipelines.source import Unreadable
from schemas.errors import UserError

MAX_FILE = 1 << 24  # bytes of a log, label or list; the corpus's own are far smaller
MAX_MEMBER = 1 << 30  # bytes of any file in an archive; it must be decompressed to be skipped
MAX_NAME = 1 << 16  # bytes of a member's long name, which tarfile reads at once

_CALL = re.compile(r"(?:^|/)([^/]+/[^/]+)/(log|label)\.json$")
_LIST = re.compile(r"(?:^|/)[^/]*(train|dev|test)[^/]*\.flist$")
_ARCHIVE = re.compile(r"\.(?:tar(?:\.(?:gz|bz2|zst))?|tgz|tbz2?)$", re.IGNORECASE)
_FAULTS = (tarfile.TarError, ValueError, OverflowError, OSError)  # what tarfile raises for a damaged archive


@dataclass
class RawCall:
    """The files of a call; files that are not next to each other in an archive make two calls."""

    folder: str  # "Mar13_S0A1/voip-…", as the lists name it
    file: str  # the archive; in a tree its log, or its label if it has no log
    offset: int  # of its first file, in bytes of the decompressed archive; 0 in a tree
    parts: dict[str, bytes | None] = field(default_factory=dict)  # "log", "label"; None for one that is too large

    @property
    def session(self) -> str:
        return self.folder.partition("/")[2]


@dataclass(frozen=True)
class CallList:
    """A list of the calls of one split."""

    split: str
    folders: tuple[str, ...]


@dataclass(frozen=True)
class _File:
    path: str
    container: str  # the archive that it is read from; in a tree the file itself
    offset: int
    content: bytes | None  # None if it is too large


def is_archive(path: str) -> bool:
    return _ARCHIVE.search(path) is not None


def call_folder(path: str) -> str:
    """Return the folder of a call's log or label as the lists name it; "" for another file."""
    found = _CALL.search(path)
    return found[1] if found else ""


def is_list(path: str) -> bool:
    return _LIST.search(path) is not None


def scan(paths: Sequence[str]) -> Iterator[RawCall | CallList | Unreadable]:
    """Yield the calls and lists of archives and of a tree's files, in their order."""
    call: RawCall | None = None
    for found in (found for path in paths for found in (_archived(path) if is_archive(path) else _loose(path))):
        if isinstance(found, Unreadable):
            yield found
        elif split := _LIST.search(found.path):
            lines = (found.content or b"").decode(errors="replace").split("\n")
            yield CallList(split[1], tuple(line.strip() for line in lines if line.strip()))
        elif part := _CALL.search(found.path):
            if call is None or call.folder != part[1] or part[2] in call.parts:
                if call is not None:
                    yield call
                call = RawCall(part[1], found.container, found.offset)
            call.parts[part[2]] = found.content
            call.file = found.container if part[2] == "log" else call.file
    if call is not None:
        yield call


def _loose(path: str) -> Iterator[_File]:
    with open_dump(path)[1] as stream:
        content = stream.read(MAX_FILE + 1)
    shown = path.encode(errors="replace").decode()  # a name may have bytes that are not UTF-8
    yield _File(shown, shown, 0, content if len(content) <= MAX_FILE else None)


class _Member(tarfile.TarInfo):
    """A member that raises errors; tarfile itself would treat a damaged header as the end of the archive."""

    @classmethod
    def fromtarfile(cls, tarfile_: tarfile.TarFile) -> _Member:
        try:
            return super().fromtarfile(tarfile_)
        except tarfile.EOFHeaderError:  # type: ignore[attr-defined]
            raise  # a block of zeros: the end
        except tarfile.HeaderError as fault:
            raise tarfile.ReadError(f"a header can't be read: {fault}") from fault

    def _proc_member(self, archive: tarfile.TarFile) -> tarfile.TarInfo:
        if not (self.isreg() or self.isdir() or self.issym() or self.islnk()) and self.size > MAX_NAME:
            # Members of other types hold the long name of the next member as their content.
            raise tarfile.ReadError(f"a member's name would have {self.size:,} bytes")
        return super()._proc_member(archive)  # type: ignore[misc]


def _archived(path: str) -> Iterator[_File | Unreadable]:
    dump, stream = open_dump(path)  # dump.loss: a sentence if the stream ended early
    place = 0
    try:
        with (
            stream,
            tarfile.open(fileobj=stream, mode="r|", tarinfo=_Member, encoding="utf-8", errors="replace") as tar,
        ):
            for member in tar:
                tar.members = []  # type: ignore[attr-defined]  # tarfile would keep all in memory
                place = member.offset
                if member.size > MAX_MEMBER:
                    raise tarfile.ReadError(
                        f"{member.name} would have {member.size:,} bytes; {MAX_MEMBER:,} are allowed"
                    )
                if not member.isreg() or not (_CALL.search(member.name) or _LIST.search(member.name)):
                    continue
                content = tar.extractfile(member) if member.size <= MAX_FILE else None
                yield _File(member.name, path, member.offset_data, None if content is None else content.read())
    except _FAULTS as fault:
        yield Unreadable(
            dump.loss or f"{path} is damaged after byte {place:,} of its content ({fault}); the rest is lost."
        )


def check_archive(path: str) -> None:
    """Raise UserError for a file that does not begin as a tar archive."""
    dump, stream = open_dump(path)
    try:
        with stream, tarfile.open(fileobj=stream, mode="r|"):
            pass
    except _FAULTS as fault:
        reason = dump.loss or f"{path} is no tar archive ({fault})."
        raise UserError(f"{reason} Give DSTC2's tar.gz, or the folder it holds.") from fault
