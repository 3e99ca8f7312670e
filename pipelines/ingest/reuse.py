"""Reuse of earlier runs: shards whose bytes, settings and code are unchanged are not read again.

The files of an earlier run are hashed before they are reused, since sizes alone don't show damage. Hashing takes a
small part of the time of reading the dump.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from functools import cache
from importlib.metadata import version
from pathlib import Path

from allsaid.console import say
from allsaid.storage import files
from allsaid.storage.run_store import run_folder
from pipelines import sources
from pipelines.closure import closure, package_root
from pipelines.ingest import assembly
from pipelines.ingest.job import Earlier, Part
from pipelines.source import Shard
from schemas import borders
from schemas.checks.json_value import JsonValue
from schemas.errors import UserError
from schemas.runs.manifest import Manifest

ROOT = Path(__file__).resolve().parents[2]
REPORTED = 5  # most damaged files that are named
# Libraries that tokenize, write files and stem; that read workbooks, markup and broken text.
LIBRARIES = ("spacy", "pyarrow", "snowballstemmer", "openpyxl", "beautifulsoup4", "ftfy", "charset-normalizer")


@cache
def code_version(source: str) -> str:
    """Return a hash of the code that the content of this source's data sets depends on, and of library versions.

    The code is the source's module and that of the assembly, with their imports, and the source's rows of the table of
    borders, so that a new source or border changes nothing for the others. For a source of another package, it includes
    the modules of that package that are imported.
    """
    module = sources.module_of(source)
    modules = closure((module, assembly.__name__), ROOT, without=(borders.__name__,), others=package_root(module))
    border_rows = [(border.name, border.by_split) for border in borders.BORDERS if border.row.__module__ in modules]
    digest = hashlib.sha256(json.dumps([version(library) for library in LIBRARIES]).encode())
    digest.update(repr(border_rows).encode())
    for name, path in sorted(modules.items()):
        digest.update(name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


def content_hashes(paths: Iterable[str]) -> dict[str, str]:
    """Return the SHA-256 of each input file's raw bytes; raise UserError if one can't be read."""
    hashes = {}
    for path in sorted(set(paths)):
        try:
            hashes[path] = files.sha256(path)
        except OSError as fault:
            raise UserError(f"{path} can't be read: {fault}") from fault
    return hashes


def fingerprints(
    source: str, shards: Sequence[Shard], hashes: Mapping[str, str], settings: Mapping[str, JsonValue], whole: bool
) -> list[str]:
    """Return a fingerprint of each shard: of the names and ``hashes`` of its files, the settings and the code.

    ``whole``: every shard depends on all of the input.
    """
    all_files = sorted(hashes.items()) if whole else []
    common = [source, code_version(source), settings, all_files]
    prints = []
    for shard in shards:
        content = {**asdict(shard), "bytes": [hashes[path] for path in shard.files]}
        text = json.dumps([common, content], sort_keys=True)
        prints.append(hashlib.sha256(text.encode()).hexdigest()[:32])
    return prints


def damaged(output: str, manifest: Manifest) -> dict[str, Part | None]:
    """Find and report the files of a run that are missing or damaged.

    Returns each path with the shard that the file was made from, None for a file of the whole input.
    """
    entries = [entry for file_entries in manifest.files.values() for entry in file_entries]
    entries += [entry for shard in manifest.shards for entry in shard["staged"]]
    folder = run_folder(output, manifest.run)
    parts: dict[str, Part | None] = {}
    for entry in entries:
        if damage := files.damage(folder, entry):
            match, remedy = re.search(r"part-(\d+)\.", entry["path"]), "it is made again"
            part = int(match[1]) if match else None
            if part is not None:
                remedy = f"its shard of {manifest.shards[part]['file']} is read again"
            parts[entry["path"]] = part
            if len(parts) <= REPORTED:
                say(f"{files.join(folder, entry['path'])} is {damage}; {remedy}.", "warning")
    if len(parts) > REPORTED:
        say(f"{len(parts) - REPORTED:,} more files of this run are missing or damaged.", "warning")
    return parts


def earlier(
    output: str, runs: Sequence[tuple[Manifest, Mapping[str, Part | None]]], prints: Sequence[str]
) -> tuple[Earlier | None, ...]:
    """Return the undamaged shard of the ``runs`` for each fingerprint; None if there is none.

    Each run is given with the result of :func:`damaged`.
    """
    known = {
        shard["fingerprint"]: Earlier(run_folder(output, run.run), part)
        for run, damage in runs
        for part, shard in enumerate(run.shards)
        if part not in set(damage.values())
    }
    return tuple(map(known.get, prints))
