"""Download of a public corpus: show licence and citation, download, check each file's SHA-256; nothing is unpacked.

``OUTPUT/fetch.lock.json`` holds the SHA-256 of every file. If the table of corpora has none, the first download is
unverified, and its SHA-256 is recorded; every later one must match.
"""

from __future__ import annotations

import fcntl
import json
import os
import shlex
from dataclasses import asdict, dataclass
from pathlib import Path

from allsaid.console import say
from allsaid.storage.files import replace, sha256
from allsaid.storage.paths import check_folder
from pipelines.fetching.corpora import find
from pipelines.fetching.corpus import Corpus, Download
from pipelines.fetching.download import Patience, download
from schemas.errors import UserError

LOCK_NAME = "fetch.lock.json"
LOCK_VERSION = 1


@dataclass(frozen=True)
class Locked:
    """The lock file's entry of a downloaded file."""

    address: str
    size: int
    sha256: str
    verified: bool  # against the table of corpora; else the hash is that of the first download


def fetch(name: str, output: str) -> list[Path]:
    """Download the corpus ``name`` into the folder ``output``; return the paths of its files.

    Existing files are only checked. Raises UserError for an unknown corpus, one without a public address, an address
    that does not answer, and a file with another hash than expected.
    """
    return fetch_corpus(find(name), output, Patience())


def fetch_corpus(corpus: Corpus, output: str, patience: Patience) -> list[Path]:
    """Download an entry of the table, as :func:`fetch` does."""
    folder = Path(output)
    if "://" in output:
        raise UserError(f"--output {output} is no local folder. Give one; `allsaid ingest` then reads it there.")
    check_folder(output)
    locked = read_lock(folder)
    if not any(file.name in locked for file in corpus.files):
        say(about(corpus))
    if not corpus.files:
        raise UserError(f"There is nothing to download for '{corpus.name}'. {corpus.obtain}")
    for file in corpus.files:
        _obtain(file, folder, locked, patience)
    if corpus.obtain:
        say(corpus.obtain)
    for inputs in corpus.ingests:
        given = " ".join(f"--input {shlex.quote(str(folder / name))}" for name in inputs)
        say(f"Next: allsaid ingest {corpus.name} {given} --output DIR")
    return [folder / file.name for file in corpus.files]


def about(corpus: Corpus) -> str:
    """Return licence and citation, which are shown before the first download."""
    page = f"\nPage: {corpus.page}" if corpus.page else ""
    return (
        f"{corpus.title}. {corpus.what}{page}\nLicence: {corpus.licence}\n"
        f"Please cite: {corpus.paper.reference}\n\n{corpus.paper.bibtex}\n"
    )


def read_lock(folder: Path) -> dict[str, Locked]:
    """Return the lock file's entries by file name; none without a lock file."""
    path = folder / LOCK_NAME
    try:
        lock = json.loads(path.read_text())
        if lock["version"] != LOCK_VERSION:
            raise ValueError(f"version {lock['version']}")
        return {name: Locked(**entry) for name, entry in lock["files"].items()}
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as fault:
        raise UserError(
            f"{path} is no lock file of `allsaid fetch` ({fault}). Restore it, or remove it to start again."
        ) from fault


def _record(folder: Path, name: str, entry: Locked) -> None:
    """Add one file to the lock file, which another download may be writing at the same time."""
    path = folder / LOCK_NAME
    guard = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(guard, fcntl.LOCK_EX)
        files = {name: asdict(entry) for name, entry in sorted({**read_lock(folder), name: entry}.items())}
        replace(str(path), (json.dumps({"version": LOCK_VERSION, "files": files}, indent=2) + "\n").encode())
    finally:
        os.close(guard)


def _obtain(file: Download, folder: Path, locked: dict[str, Locked], patience: Patience) -> None:
    """Download a file unless it exists, and check its hash."""
    target = folder / file.name
    part, note, rejected = (target.with_name(target.name + end) for end in (".part", ".part.json", ".rejected"))
    for path in (target, part, note, rejected):
        if not path.resolve().is_relative_to(folder.resolve()):
            raise UserError(f"{path} leads out of {folder}. Remove the link, or fetch into another folder.")
    present = target.exists()
    if target.is_dir():
        raise UserError(f"{target} is a folder, but should be a file. Move it away, then fetch again.")
    if not present:
        download(file.address, part, file.size, patience)
    found = target if present else part
    digest = sha256(str(found))
    known = file.sha256 or (locked[file.name].sha256 if file.name in locked else "")
    if known and digest != known:
        aside = None if present else part.replace(rejected)
        note.unlink(missing_ok=True)
        raise UserError(_mismatch(file, target, digest, known, aside))
    what = "exists already" if present else "downloaded"
    if known:
        say(f"{target} {what}; its SHA-256 is the expected one.")
    else:
        say(f"{target} {what}, unverified: its SHA-256 is not known. {digest} is recorded and must match from now on.")
    # The lock file is written first: after a kill here, the next run finds the part complete and checks it.
    _record(folder, file.name, Locked(file.address, found.stat().st_size, digest, verified=bool(file.sha256)))
    if not present:
        part.replace(target)
        note.unlink(missing_ok=True)


def _mismatch(file: Download, target: Path, digest: str, known: str, aside: Path | None) -> str:
    """Return the error for a file with an unexpected hash; ``aside``: where its download was moved to."""
    origin = "known for it" if file.sha256 else f"recorded in {LOCK_NAME}"
    fault = f"has the SHA-256 {digest}, but {known} is {origin}."
    if aside is None:
        return f"{target} {fault} Move it away, then fetch again."
    return (
        f"The file from {file.address} {fault} It is damaged or has changed. It was moved to {aside}; nothing else was "
        "changed. Fetch again, or ask its publisher."
    )
