"""``allsaid validate DIR``: check a published data set against its schemas, rules and manifest."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from allsaid.storage import files
from allsaid.storage.parquet import open_parquet
from allsaid.storage.run_store import run_folder
from pipelines import sources
from pipelines.datasets.snapshot import published
from pipelines.source import Source
from pipelines.validation import rules
from pipelines.validation.fingerprint import fingerprint
from pipelines.validation.pages import write_pages
from pipelines.validation.rules import PLACES, SPLIT, Outcome, columns_of, derive, with_shared
from schemas.borders import BORDERS, Border
from schemas.checks.rules import DisjointSplits, Unique
from schemas.checks.table import SchemaMismatch, check_schema
from schemas.runs.manifest import MANIFEST_NAME, Manifest

if TYPE_CHECKING:
    from pipelines.validation.suites import Suites

ROWS_AT_ONCE = 4096
SAME_BYTES = "every file has the SHA-256 that it was written with"


@dataclass(frozen=True)
class Part:
    """One Parquet file of the manifest; the last three fields say why the rows can't be checked."""

    path: str  # below the run's folder
    url: str
    rows: int | None  # by the manifest; None if they are not counted by file
    found: int  # in the file; 0 if it can't be read
    unreadable: str = ""
    misfit: str = ""
    changed: bool | None = None  # whether its bytes were changed after it was written; None: unknown

    @property
    def is_sound(self) -> bool:
        return not (self.unreadable or self.misfit or self.changed)


def run(data_dir: str, suites: Suites | None = None) -> list[Outcome]:
    """Check the published data set of ``data_dir`` and write the pages to ``data_dir``/validation/.

    Returns one outcome for each rule, the same with and without suites, which add their own pages. Raises UserError if
    ``data_dir`` has no published data set.
    """
    manifest = published(data_dir)
    folder = run_folder(data_dir, manifest.run)
    outcomes, pages = [], {}
    parts: dict[str, list[Part]] = {}
    for border in borders_of(sources.find(manifest.source)):
        if border.name not in manifest.files:
            continue
        opened = [
            open_part(folder, named["path"], named["rows"], border.schema, named.get("sha256", ""))
            for named in manifest.files[border.name]
        ]
        parts[border.name], found, page = check(border, opened, suites)
        outcomes += found
        if page:
            pages[border.name] = page
    outcomes += [*_sums(manifest, parts), *_without_rows(folder, manifest), *_fingerprint(folder, manifest, parts)]
    title = f"Run {manifest.run} of {manifest.source}, see {MANIFEST_NAME}"
    write_pages(data_dir, title, outcomes, pages)
    return outcomes


def borders_of(source: Source) -> list[Border]:
    """Return all borders, with the rules of this source."""
    return [replace(border, rules=source.rules.get(border.name, border.rules)) for border in BORDERS]


def open_part(folder: str, path: str, rows: int | None, expected: pa.Schema, sha256: str = "") -> Part:
    """Open one file: check its bytes, if their SHA-256 is known, and its footer."""
    url = files.join(folder, *path.split("/"))
    changed = None
    try:
        changed = files.sha256(url) != sha256 if sha256 else None
        with parquet(url) as file:
            schema, found = file.schema_arrow, file.metadata.num_rows
    except (OSError, pa.ArrowException) as fault:
        return Part(path, url, rows, 0, unreadable=str(fault), changed=changed)
    try:
        check_schema(schema, expected, path)
    except SchemaMismatch as fault:
        return Part(path, url, rows, found, misfit=str(fault), changed=changed)
    return Part(path, url, rows, found, changed=changed)


def check(border: Border, parts: list[Part], suites: Suites | None) -> tuple[list[Part], list[Outcome], str]:
    """Return the files, the outcomes of a border's files and rows, and the page of its suite ("" without any).

    The returned files may differ, since some can be found unreadable only by reading their rows. Only where a rule
    compares rows, and for a suite, all files are in memory at once.
    """
    is_whole = suites is not None or any(isinstance(rule, Unique | DisjointSplits) for rule in border.rules)
    checked: list[Part] = []
    found: list[Outcome] = []
    tables: list[pa.Table] = []
    for part in parts:
        try:
            tables += list(_batches(border, part)) if part.is_sound else []
        except (OSError, pa.ArrowException) as fault:
            part = replace(part, unreadable=str(fault))
        checked.append(part)
        if tables and not is_whole:
            found = rules.added(found, _check(border, tables))
            tables = []
    outcomes = _files(border, checked) + found
    if not tables:
        return checked, outcomes, ""
    if suites is None:
        return checked, outcomes + _check(border, tables), ""
    found, page = suites.check(border.name, _joined(border, tables), border.rules, border.place)
    return checked, outcomes + found, page


def _joined(border: Border, tables: list[pa.Table]) -> pa.Table:
    return with_shared(pa.concat_tables(tables).unify_dictionaries(), border.rules)


def _check(border: Border, tables: list[pa.Table]) -> list[Outcome]:
    return rules.check(border.name, _joined(border, tables), border.rules, border.place)


def parquet(url: str) -> pq.ParquetFile:
    return open_parquet(pa.PythonFile(files.open_read(url), mode="r"))


def _files(border: Border, parts: list[Part]) -> list[Outcome]:
    """Return the outcomes of rules about files: they are readable and unchanged, and fit the schema and the counts."""
    readable = [part for part in parts if not part.unreadable]
    hashed = [part for part in parts if part.changed is not None]
    counted = [part for part in readable if part.rows is not None]
    faults = {
        "every file is there and is Parquet": (parts, [p.path for p in parts if p.unreadable]),
        "columns, types and schema version fit": (readable, [p.misfit for p in readable if p.misfit]),
    }
    if hashed:
        faults[SAME_BYTES] = (hashed, [_changed_sentence(p.path) for p in hashed if p.changed])
    if counted:
        wrong = [f"{p.path}: {p.found} rows, counted {p.rows}" for p in counted if p.found != p.rows]
        faults["every file has as many rows as counted"] = (counted, wrong)
    return [
        Outcome(border.name, rule, len(checked), len(failed), tuple(failed[:PLACES]))
        for rule, (checked, failed) in faults.items()
    ]


def _changed_sentence(path: str) -> str:
    return f"{path} was changed after it was written. Run `allsaid ingest` again."


def _batches(border: Border, part: Part) -> Iterator[pa.Table]:
    needed = columns_of(border.rules) | {border.names_row}
    split = re.search(r"split=(\w+)", part.path)
    with parquet(part.url) as file:
        first = 0
        # Threads of Arrow that start right before the process ends may abort it.
        for batch in file.iter_batches(ROWS_AT_ONCE, columns=sorted(needed), use_threads=False):
            rows = np.arange(first, first + len(batch))
            place = {"part": _repeated(part.path, len(batch)), "row": rows, border.names_row: batch[border.names_row]}
            if split:
                place[SPLIT] = _repeated(split[1], len(batch))
            first += len(batch)
            yield pa.table(derive(batch, border.rules) | place)


def _repeated(text: str, rows: int) -> pa.DictionaryArray:
    return pa.DictionaryArray.from_arrays(np.zeros(rows, np.int32), [text])


def _sums(manifest: Manifest, parts: dict[str, list[Part]]) -> list[Outcome]:
    """Check that read = kept + rejected, and that every count of the manifest is the number of its rows."""

    def rows(border: str, folder: str = "") -> int:
        return sum(part.found for part in parts.get(border, []) if folder in part.path)

    sums = [
        ("read = kept + rejected", manifest.read, manifest.kept + manifest.rejected_total),
        ("read is the sum over the inputs", manifest.read, sum(entry["read"] for entry in manifest.inputs)),
        (f"kept is the number of {manifest.unit}", manifest.kept, rows(manifest.unit)),
        ("rejected is the number of rejected rows", manifest.rejected_total, rows("rejected")),
    ]
    sums += [
        (f"split {split} has as many {manifest.unit} as counted", count, rows(manifest.unit, f"split={split}/"))
        for split, count in manifest.splits.items()
    ]
    return [equal("manifest", rule, left, right) for rule, left, right in sums]


def _without_rows(folder: str, manifest: Manifest) -> list[Outcome]:
    """Check the files without rows: those that a later run reuses, and the mapping of a table."""
    kinds = {
        "staged": [named for shard in manifest.shards for named in shard.get("staged", [])],
        "mapping": manifest.files.get("mapping", []),
    }
    outcomes = []
    for kind, hashed in kinds.items():
        changed = [named["path"] for named in hashed if files.damage(folder, named)]
        if hashed:
            places = tuple(map(_changed_sentence, changed[:PLACES]))
            outcomes.append(Outcome(kind, SAME_BYTES, len(hashed), len(changed), places))
    return outcomes


def _fingerprint(folder: str, manifest: Manifest, parts: dict[str, list[Part]]) -> list[Outcome]:
    """Check that the fingerprint matches the rows; skipped if a file is damaged, which is reported already."""
    if not all(part.is_sound for opened in parts.values() for part in opened):
        return []
    found = fingerprint(folder, manifest)
    return [equal("manifest", "the fingerprint matches the rows", manifest.fingerprint, found)]


def equal(border: str, rule: str, left: object, right: object) -> Outcome:
    """Return the outcome of a rule that two figures are equal."""
    return Outcome(border, rule, 1, int(left != right), () if left == right else (f"{left} is not {right}",))
