"""Expansion of ``--input``: files, folders with everything below them, and globs."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from allsaid.console import say
from allsaid.storage import files
from schemas.errors import UserError

NAMED = 5  # most paths in a message
# Files that systems and open programs leave in a folder: hidden ones, "~$catalogue.xlsx" while Excel has it open.
_NO_DATA = re.compile(r"\.|~\$|(?:Thumbs\.db|desktop\.ini|__MACOSX)$", re.IGNORECASE)

# A part of a glob: a wildcard, a set of characters in brackets, or one character. A "]" may be in a set as its first.
_GLOB_PART = re.compile(r"\*\*/|\*\*|[*?]|\[(!?+)(\][^\]]*|[^\]]+)\]|.", re.DOTALL)
# Wildcards mean what they mean to Beam in an object store, except that "**/" may also match no folder.
_WILDCARDS = {"**/": r"(?:.*/)?", "**": ".*", "*": r"[^/\\]*", "?": "."}


@dataclass(frozen=True)
class Inputs:
    """The files of an input."""

    paths: list[str] = field(default_factory=list)  # sorted, each once
    losses: list[str] = field(default_factory=list)  # a sentence about each file or folder that can't be read


def expand(patterns: Sequence[str], output: str = "", option: str = "--input") -> Inputs:
    """Return the files that the patterns name, except those below ``output``; ``option`` gave them.

    The name of an existing file or folder is taken literally. Linked folders are read, each once.
    Raises UserError if a pattern names nothing that can be read.
    """
    paths: dict[str, str] = {}  # by absolute path
    losses: list[str] = []
    for pattern in patterns:
        if not pattern:
            raise UserError(f"{option} is given without a path. Name a file, a folder or a glob.")
        try:
            matched = _local(pattern) if files.is_local(pattern) else Inputs(_stored(pattern))
        except (OSError, ValueError) as fault:
            raise UserError(f"{option} {shown(pattern)} can't be read: {fault}") from fault
        outside = [path for path in matched.paths if not (output and _is_below(path, output))]
        if matched.paths and not outside:
            raise UserError(f"{option} {pattern} lies in --output {output}. Give another folder for one of the two.")
        if not matched.paths:
            raise UserError(matched.losses[0] if matched.losses else _nothing(pattern, option))
        paths |= {absolute(path): path for path in outside}
        losses += matched.losses
    return Inputs(sorted(paths.values()), losses)


def _nothing(pattern: str, option: str) -> str:
    if files.is_local(pattern) and is_folder(pattern):
        return f"{option} {shown(pattern)} is a folder without a file to read. Put your files there, or name others."
    where = "" if not files.is_local(pattern) or Path(pattern).is_absolute() else f" in {Path.cwd()}"
    return f"{option} {shown(pattern)} matches no file{where}. Check the path, and quote the pattern."


def absolute(path: str) -> str:
    """Return the absolute path, valid in any working directory; links in it are not resolved."""
    return str(Path(path).absolute()) if path and files.is_local(path) else path


def _is_below(path: str, folder: str) -> bool:
    """Return whether a file is below a folder, after resolving links and dots in both."""
    real, above = (os.path.realpath(name) if files.is_local(name) else name for name in (path, folder))
    return real.startswith(above.rstrip("/") + "/")


def is_folder(path: str) -> bool:
    """Return whether a local path is a folder; a path that is invalid on every file system is not."""
    try:
        return Path(path).is_dir()
    except OSError:
        return False


def check_folder(output: str, option: str = "--output") -> None:
    """Raise UserError if the value of an option can't be a folder to write to."""
    if not output:
        raise UserError(f"{option} is given without a path. Name a folder.")
    try:
        if not files.is_local(output):
            files.exists(output)
            return
        existing = next(path for path in (Path(output), *Path(output).absolute().parents) if path.exists())
    except (OSError, ValueError) as fault:
        raise UserError(f"{option} {shown(output)} can't be written: {fault}") from fault
    if not existing.is_dir():
        place = "is a file" if existing == Path(output) else f"lies below the file {existing}"
        raise UserError(f"{option} {output} {place}. Give a folder.")


def shown(path: str) -> str:
    """Return a path as printable text; bytes that are not UTF-8 become backslash escapes."""
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def _stored(pattern: str) -> list[str]:
    """Return the files of an object store that a pattern names."""
    if files.exists(pattern):
        return [pattern]
    stored = [files.join(pattern, name) for name in files.below(pattern)] or [
        *files.match(pattern),
        *(files.match(pattern.replace("**/", "")) if "**/" in pattern else ()),
    ]
    return _data_of(path for path in stored if not path.endswith("/"))  # an object that marks a folder


def _local(pattern: str) -> Inputs:
    """Return the local files that a pattern names."""
    local = Path(pattern)
    if not local.is_dir() and (local.exists() or local.is_symlink()):
        if fault := _fault(pattern):
            raise UserError(fault)
        return Inputs([pattern])
    losses: list[str] = []
    data = _data_of(_walk([pattern], losses) if local.is_dir() else _matching(pattern, losses))
    faults = {path: _fault(path) for path in data}
    return Inputs([path for path in data if not faults[path]], losses + [fault for fault in faults.values() if fault])


def _matching(pattern: str, losses: list[str]) -> Iterator[str]:
    """Yield the files that match a glob, and those below folders that match it."""
    top = next(folder for folder in Path(pattern).parents if folder.is_dir())
    pattern_below = Path(pattern).relative_to(top)
    if "**" not in pattern:
        yield from _walk(sorted(map(str, top.glob(str(pattern_below)))), losses)
        return
    fits = re.compile(_GLOB_PART.sub(_to_regex, str(pattern_below)), re.DOTALL).fullmatch
    yield from (str(path) for path in map(Path, _walk([str(top)], losses)) if fits(str(path.relative_to(top))))


def _to_regex(part: re.Match[str]) -> str:
    """Return the regular expression for a part of a glob."""
    inverted, members = part.groups()
    if members is None:
        return _WILDCARDS.get(part[0]) or re.escape(part[0])
    members = members.replace("\\", r"\\")
    return f"[^{members}]" if inverted else rf"[\{members}]" if members[0] == "^" else f"[{members}]"


def _walk(tops: Sequence[str], losses: list[str]) -> Iterator[str]:
    """Yield files and the files below folders; a folder that is reached by several links is read once.

    A folder whose name shows that it holds no data, such as ``.git``, is yielded itself instead of its files.
    """

    def lose(fault: OSError) -> None:
        losses.append(f"{shown(fault.filename)} can't be read: {fault.strerror}.")

    seen: set[str] = set()
    for top in tops:
        if not Path(top).is_dir():
            yield top
            continue
        for subfolder, folders, names in os.walk(top, onerror=lose, followlinks=True):
            real = os.path.realpath(subfolder)
            if real in seen:
                folders.clear()
                continue
            seen.add(real)
            names += filter(_NO_DATA.match, folders)
            # Real folders come before links, so that files keep their paths in the real folder.
            folders[:] = sorted({*folders} - {*names}, key=lambda name: (Path(subfolder, name).is_symlink(), name))
            yield from (files.join(subfolder, name) for name in names)


def _data_of(paths: Iterable[str]) -> list[str]:
    """Return the paths of files that may hold data; report the others."""
    data: list[str] = []
    aside: list[str] = []
    for path in paths:
        special = Path(path).exists() and not Path(path).is_file()  # a pipe, a socket, a folder that holds no data
        (aside if special or _NO_DATA.match(Path(path).name) else data).append(path)
    if aside:
        more = f" and {len(aside) - NAMED:,} more" if len(aside) > NAMED else ""
        say(f"Skipped, since they hold no data: {', '.join(map(shown, sorted(aside)[:NAMED]))}{more}.")
    return data


def _fault(path: str) -> str:
    """Explain in a sentence why a local file can't be read; "" if it can."""
    if shown(path) != path:
        return f"{shown(path)} can't be read, since its name is not UTF-8 text. Rename it."
    if not Path(path).exists():
        return f"{path} is a broken link. Fix it, or remove it."
    if not Path(path).is_file():
        return f"{path} is not a regular file, and can't be read twice. Write its content to a file first."
    if not os.access(path, os.R_OK):
        return f"{path} can't be read: permission denied. Ask for the right to read it, or leave it out of --input."
    return ""
