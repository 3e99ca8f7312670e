"""What of an earlier run can be used again: shares whose bytes, settings and code are the same."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

import schemas
from pipelines import files
from pipelines.job import Earlier
from pipelines.snapshot import run_folder
from pipelines.source import Share
from schemas.manifest import Manifest

CHUNK = 1 << 20
LIBRARIES = ("spacy", "pyarrow", "snowballstemmer")  # that cut words, write files, find keywords


@cache
def code_version() -> str:
    """A hash of all code that decides on a data set's content: the rooms `pipelines` and `schemas`, and libraries."""
    digest = hashlib.sha256(json.dumps([version(library) for library in LIBRARIES]).encode())
    for room in (Path(__file__).parent, Path(next(iter(schemas.__path__)))):
        for path in sorted(room.rglob("*.py")):
            digest.update(path.relative_to(room).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


def contents(paths: Sequence[str]) -> dict[str, str]:
    """The SHA-256 of each file's bytes as they lie there."""
    return {path: _content(path) for path in sorted(set(paths))}


def _content(path: str) -> str:
    digest = hashlib.sha256()
    with files.open_read(path) as stream:
        while chunk := stream.read(CHUNK):
            digest.update(chunk)
    return digest.hexdigest()


def fingerprints(
    source: str, shares: Sequence[Share], found: Mapping[str, str], settings: Any, whole: bool
) -> list[str]:
    """A fingerprint of each share: the bytes of its files (``contents``) and their names, the settings and the code.

    ``whole``: every share depends on all of the input.
    """
    every = sorted(found.items()) if whole else []
    common = [source, code_version(), settings, every]
    prints = []
    for share in shares:
        own = {**asdict(share), "bytes": [found[path] for path in share.files]}
        text = json.dumps([common, own], sort_keys=True)
        prints.append(hashlib.sha256(text.encode()).hexdigest()[:32])
    return prints


def earlier(output: str, last: Manifest | None, prints: Sequence[str]) -> tuple[Earlier | None, ...]:
    """For each share the place where the published run has read the very same one."""
    known = {share["fingerprint"]: part for part, share in enumerate(last.shares)} if last else {}
    folder = run_folder(output, last.run) if last else ""
    return tuple(Earlier(folder, known[found]) if found in known else None for found in prints)
