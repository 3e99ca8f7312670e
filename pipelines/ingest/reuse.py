"""What of an earlier run can be used again: shards whose bytes, settings and code are the same.

An earlier run's files are hashed before they are used, and before a run says that nothing is to do: sizes alone would
miss what a disk does. To hash them takes a small part of the time that reading the dump took.
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
from typing import Any

from allsaid.console import say
from allsaid.storage import files
from pipelines import sources
from pipelines.closure import closure, home_of
from pipelines.datasets.snapshot import run_folder
from pipelines.ingest.job import Earlier, Part
from pipelines.source import Shard
from schemas.borders import BORDERS
from schemas.errors import UserError
from schemas.runs.manifest import Manifest

ROOT = Path(__file__).resolve().parents[2]
WIRING = ("pipelines.ingest.transforms", "pipelines.ingest.assembly")
TABLE_OF_BORDERS = "schemas.borders"
TOLD = 5  # damaged files that are named
# That cut words, write files, find keywords; that read workbooks, markup and broken text.
LIBRARIES = ("spacy", "pyarrow", "snowballstemmer", "openpyxl", "beautifulsoup4", "ftfy", "charset-normalizer")


@cache
def code_version(source: str) -> str:
    """A hash of the code that decides on what this source's data sets hold, and of the versions of libraries.

    It is the source's own module with all that it imports, the wiring, and of the table of borders its own rows: a
    further source or border changes nothing for the others. Of another package's source it is what that package has.
    """
    names = (sources.module_of(source), *WIRING)
    files = closure(names, ROOT, without=(TABLE_OF_BORDERS,), others=home_of(names[0]))
    borders = [border for border in BORDERS if border.row.__module__ in files]
    digest = hashlib.sha256(json.dumps([version(library) for library in LIBRARIES]).encode())
    digest.update(repr([(border.name, border.by_split) for border in borders]).encode())
    for name, path in sorted(files.items()):
        digest.update(name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


def contents(paths: Iterable[str]) -> dict[str, str]:
    """The SHA-256 of each input file's bytes as they lie there."""
    found = {}
    for path in sorted(set(paths)):
        try:
            found[path] = files.sha256(path)
        except OSError as fault:
            raise UserError(f"{path} can't be read: {fault}") from fault
    return found


def fingerprints(
    source: str, shards: Sequence[Shard], found: Mapping[str, str], settings: Any, whole: bool
) -> list[str]:
    """A fingerprint of each shard: the bytes of its files (``contents``) and their names, the settings and the code.

    ``whole``: every shard depends on all of the input.
    """
    every = sorted(found.items()) if whole else []
    common = [source, code_version(source), settings, every]
    prints = []
    for shard in shards:
        own = {**asdict(shard), "bytes": [found[path] for path in shard.files]}
        text = json.dumps([common, own], sort_keys=True)
        prints.append(hashlib.sha256(text.encode()).hexdigest()[:32])
    return prints


def damaged(output: str, manifest: Manifest) -> dict[str, Part | None]:
    """The files of a run that are missing or damaged, told to the user; each with the shard that it was made of."""
    named = [entry for entries in manifest.files.values() for entry in entries]
    named += [entry for shard in manifest.shards for entry in shard.get("staged", ())]
    folder = run_folder(output, manifest.run)
    found: dict[str, Part | None] = {}
    for entry in named:
        path = files.join(folder, entry["path"])
        if fault := _fault(path, entry):
            part, again = _part(entry["path"]), "it is made again"
            if part is not None:
                again = f"its shard of {manifest.shards[part]['file']} is read again"
            found[entry["path"]] = part
            if len(found) <= TOLD:
                say(f"{path} is {fault}; {again}.", "warning")
    if len(found) > TOLD:
        say(f"So it is with {len(found) - TOLD:,} more files of this run.", "warning")
    return found


def _part(path: str) -> Part | None:
    """The shard that a run's file was made of; None for one that was made of all."""
    named = re.search(r"part-(\d+)\.", path)
    return int(named[1]) if named else None


def _fault(path: str, entry: Mapping[str, Any]) -> str:
    """What is wrong with a file that a manifest names; those of older versions know no hash."""
    if not files.exists(path):
        return "missing"
    try:
        return "damaged" if "sha256" in entry and files.sha256(path) != entry["sha256"] else ""
    except OSError:
        return "not readable"


def earlier(
    output: str, found: Sequence[tuple[Manifest, Mapping[str, Part | None]]], prints: Sequence[str]
) -> tuple[Earlier | None, ...]:
    """For each shard the place where one of the runs found has read the very same one, and it is not damaged."""
    known = {
        shard["fingerprint"]: Earlier(run_folder(output, run.run), part)
        for run, harmed in found
        for part, shard in enumerate(run.shards)
        if part not in set(harmed.values())
    }
    return tuple(known.get(one) for one in prints)
