"""Inputs of the batch job and their rows: examples of a data set, raw agendas, or a user's own table.

The input is cut into parts, each a range of rows in one file. A part becomes one output file.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import pyarrow as pa

from allsaid.console import say
from allsaid.modeling.data.dataset import DataSet
from allsaid.modeling.tasks.contract import ReadsRows
from allsaid.storage import files
from allsaid.storage.parquet import check_size, open_parquet
from allsaid.storage.paths import absolute, expand, is_folder
from allsaid.storage.run_store import run_folder
from allsaid.storage.streams import plain_size, with_content
from batch_infer.rows.kinds import json_lines, tables
from batch_infer.rows.kinds.places import Places
from batch_infer.rows.kinds.turns import TableFile
from pipelines.datasets import snapshot
from pipelines.sources import cuts
from pipelines.sources.records.columns import MODELS_MAPPING
from pipelines.sources.records.mapping import read_mapping
from pipelines.sources.records.tables.encoding import encoding_sentences
from pipelines.sources.records.tables.layout import Layout
from schemas.checks.table import VERSION_KEY, check_schema
from schemas.errors import UserError
from schemas.example import EXAMPLE, SPLITS
from schemas.runs.manifest import MANIFEST_NAME
from schemas.texts.generated import CELLS, GENERATED

EXAMPLES, AGENDAS, LINES, TABLE = "examples", "agendas", "lines", "table"
TARGET_PARTS = 64  # approximate number of parts of an input
MIN_BATCHES, MAX_BATCHES = 2, 100  # least and greatest number of batches in a part
ID, TEXT = "id", "text"


@dataclass(frozen=True)
class SourceFile:
    path: str
    label: str  # names rows without an id
    rows: int  # 0 before the survey of a large table (`survey.py`)
    places: Places | None = field(default=None, repr=False)  # in JSON lines and tables
    layout: Layout | None = None  # of a table


@dataclass(frozen=True)
class Part:
    """Rows that one worker processes into one output file."""

    number: int
    path: str
    label: str
    start: int  # first row; in JSON lines and tables the offset at which reading starts
    first: int  # number of the row or line there, from 1
    rows: int
    layout: Layout | None = None  # of a table
    skipped: int = 0  # rows from `start` to the part's first row


@dataclass(frozen=True)
class Source:
    """The columns of an input; all files of an input are of one kind."""

    kind: str  # EXAMPLES, AGENDAS, LINES or TABLE
    id_column: pa.Field  # rows without an id are named after file and line, or row in Excel and Parquet
    has_ids: bool
    kept: tuple[pa.Field, ...]
    fingerprint: str  # of the content
    mapping: str = ""  # the mapping of a TABLE, as YAML
    task: ReadsRows | None = None  # the task that reads the rows, if they are not agendas
    referred_table: TableFile | None = None  # the table that the rows refer to, if the task needs one
    is_act: bool = False  # whether raw agendas are the slots of acts

    @property
    def names(self) -> tuple[str, str]:
        """The names of the columns of ids and texts in the input."""
        mapping = read_mapping(self.mapping, MODELS_MAPPING) if self.mapping else None
        return (mapping and mapping.id) or ID, (mapping and mapping.text) or TEXT


def find(
    where: str,
    split: str,
    keep: Sequence[str],
    mapping: str = "",
    encoding: str = "",
    sheet: str = "",
    task: ReadsRows | None = None,
    table: TableFile | None = None,
    named_by: str = MODELS_MAPPING,
) -> tuple[Source, list[SourceFile]]:
    """Find the kind of the input, its files and their rows; raise :class:`UserError` for a fault.

    The rows of a large table are left to its survey. The fingerprint is computed first, to detect later changes.

    A file that is not a data set is a user's table if there is a ``mapping``, which errors call ``named_by``. For these
    tables, ``encoding`` and ``sheet`` are found if they are empty. ``task`` is a task that reads rows of other columns.
    ``table`` is the table that rows outside a data set refer to.
    """
    for name in keep:
        if name in GENERATED.names or (table and name == CELLS):
            raise UserError(f"--keep {name}: the output has a column of that name already. Leave it out.")
    if is_data_set(where):
        if split not in SPLITS:
            raise UserError(f"--split {split}: a data set has the splits {', '.join(SPLITS)}.")
        return _find_examples(where, split, keep, task) if task else _find_split(where, split, keep)
    if where and files.is_local(where) and is_folder(where):
        raise UserError(f"--input {where} is a folder without a published data set. Give one, or a glob of files.")
    inputs = expand([where])
    if inputs.losses:
        raise UserError(inputs.losses[0])
    paths = with_content(inputs.paths, zips=True)
    endings = {Path(path).suffix for path in paths}
    is_parquet = endings == {".parquet"}
    if mapping and not task and not (is_parquet and VERSION_KEY in (_schema(paths[0])[0].metadata or {})):
        return _find_tables(paths, keep, mapping, encoding, sheet, named_by)
    if not is_parquet and endings != {".jsonl"}:
        raise UserError(
            f"--input {where} must name files that all end in .parquet, or all in .jsonl; {paths[0]} is there. "
            "A table is read by the mapping that a model trained on `allsaid ingest records` has; this model has none."
        )
    find_rows = _find_parquet if is_parquet else _find_lines
    source, found = find_rows(paths, keep, task)
    return replace(source, referred_table=table), found


def is_data_set(where: str) -> bool:
    return files.exists(files.join(where, MANIFEST_NAME))


def cut(found: Sequence[SourceFile], batch: int, limit: int | None, rows_per_file: int | None = None) -> list[Part]:
    """Cut files into non-empty parts of whole batches; a second run makes the same parts.

    A part has at most ``rows_per_file`` rows, or one batch if that is larger. By default the size of a part depends
    on the number of all rows.
    """
    left = sum(file.rows for file in found)
    left = left if limit is None else min(left, limit)
    batches = min(max(-(-left // (TARGET_PARTS * batch)), MIN_BATCHES), MAX_BATCHES)
    size = batch * (max(rows_per_file // batch, 1) if rows_per_file else batches)
    parts: list[Part] = []
    for file in found:
        for begin in range(0, min(file.rows, left), size):
            rows = min(size, file.rows - begin, left - begin)
            start, first, skipped = file.places.before(begin) if file.places else (begin, begin + 1, 0)
            parts.append(Part(len(parts), absolute(file.path), file.label, start, first, rows, file.layout, skipped))
        left -= min(file.rows, left)
    return parts


def scanned(file: SourceFile) -> SourceFile:
    """Return a file with the number and places of its rows; a table without them is read to its end."""
    if file.layout is None or file.places is not None:
        return file
    places = tables.scan(file.path, file.layout)
    return replace(file, rows=places.rows, places=places)


def _find_examples(where: str, split: str, keep: Sequence[str], task: ReadsRows) -> tuple[Source, list[SourceFile]]:
    """Return the examples that a task reads from a data set, as if they came from one file."""
    if keep:
        raise UserError(f"--keep {keep[0]}: the rows that the task '{task}' reads have no columns. Leave it out.")
    data = DataSet(where)
    rows = sum(1 for _ in task.examples(data, split))
    if not rows:
        raise UserError(f"The data set {where} has no examples in split {split}. Choose another with --split.")
    source = Source(EXAMPLES, GENERATED.field(ID), True, (), data.manifest.fingerprint, task=task)
    return source, [SourceFile(where, split, rows)]


def _find_split(where: str, split: str, keep: Sequence[str]) -> tuple[Source, list[SourceFile]]:
    manifest = snapshot.published(where)
    folder = run_folder(where, manifest.run)
    entries = [entry for entry in manifest.files["examples"] if entry["path"].startswith(f"examples/split={split}/")]
    if not entries:
        raise UserError(f"The data set {where} has no examples in split {split}. Choose another with --split.")
    found = [
        SourceFile(files.join(folder, *entry["path"].split("/")), entry["path"], entry["rows"])
        for entry in sorted(entries, key=lambda entry: entry["path"])
    ]
    for file in found:
        check_schema(_schema(file.path)[0], EXAMPLE, file.path)
    return Source(EXAMPLES, EXAMPLE.field(ID), True, _kept(EXAMPLE, keep, where), manifest.fingerprint), found


def _find_parquet(paths: Sequence[str], keep: Sequence[str], task: ReadsRows | None) -> tuple[Source, list[SourceFile]]:
    fingerprint = files_hash(paths)
    schemas = [_schema(path) for path in paths]
    schema = schemas[0][0]
    for path, (other, _) in zip(paths, schemas, strict=True):
        if not other.equals(schema):
            raise UserError(f"{path} has other columns than {paths[0]}. Give files of one schema at a time.")
    kind = EXAMPLES if VERSION_KEY in (schema.metadata or {}) and not task else AGENDAS
    if kind == EXAMPLES:
        check_schema(schema, EXAMPLE, paths[0])
    elif not task:
        _check_agendas(schema, paths[0])
    rows = [count for _, count in schemas]
    if not sum(rows):
        raise UserError(f"{paths[0]} has no row. Give an input that has some.")
    has_ids = ID in schema.names
    id_column = schema.field(ID) if has_ids else GENERATED.field(ID)
    source = Source(kind, id_column, has_ids, _kept(schema, keep, paths[0]), fingerprint, task=task)
    return source, [SourceFile(*file) for file in zip(paths, _labels(paths), rows, strict=True)]


def _check_agendas(schema: pa.Schema, path: str) -> None:
    for name, content in (("goal", "text"), ("agenda", "a list of texts")):
        if name not in schema.names:
            raise UserError(f"{path} has no column '{name}' ({content}). It has {', '.join(schema.names)}.")
        kind = schema.field(name).type
        is_list = pa.types.is_list(kind) or pa.types.is_large_list(kind)
        inner = kind.value_type if is_list else kind
        is_text = pa.types.is_string(inner) or pa.types.is_large_string(inner) or pa.types.is_string_view(inner)
        if not is_text or is_list != (name == "agenda"):
            raise UserError(f"{path}: column '{name}' must be {content}, but is {kind}.")


def _find_lines(paths: Sequence[str], keep: Sequence[str], task: ReadsRows | None) -> tuple[Source, list[SourceFile]]:
    fingerprint = files_hash(paths)
    scans = [json_lines.scan(path) for path in paths]
    found = [
        SourceFile(path, label, places.rows, places)
        for path, label, places in zip(paths, _labels(paths), scans, strict=True)
    ]
    if not sum(file.rows for file in found):
        raise UserError(f"{paths[0]} is empty. Give an input that has rows.")
    kept: list[pa.Field] = []
    if keep:
        lines = (line for file in found for line in json_lines.read(file.path, file.label, 0, 1, file.rows))
        kept, there = json_lines.fields(lines, keep)
        for name in set(keep) - there:
            raise UserError(f"--keep {name}: no line of {paths[0]} has it. They have {', '.join(sorted(there))}.")
    return Source(LINES, GENERATED.field(ID), True, tuple(kept), fingerprint, task=task), found


def _find_tables(
    paths: Sequence[str], keep: Sequence[str], mapping: str, encoding: str, sheet: str, named_by: str
) -> tuple[Source, list[SourceFile]]:
    """Find a user's tables, in any format that `allsaid ingest records` reads; they need no text."""
    fingerprint, found = files_hash(paths), []
    for path, label in zip(paths, _labels(paths), strict=True):
        layout = tables.look_at(path, mapping, encoding, sheet, named_by)
        for note in layout.notes:
            say(note, "warning")
        for name in keep:
            if name not in layout.columns:
                raise UserError(f"--keep {name}: {path} has no such column. It has {', '.join(layout.columns)}.")
        file = SourceFile(path, label, 0, layout=layout)
        found.append(file if (plain_size(path) or 0) > cuts.SHARD_BYTES else scanned(file))
    for sentence in encoding_sentences({file.path: file.layout.encoding for file in found if file.layout}):
        say(sentence, "warning")
    if not any(file.rows or file.places is None for file in found):
        sheets = found[0].layout.sheet_sentence if found[0].layout else ""
        raise UserError(f"{paths[0]} has no row. Give an input that has some.{sheets}")
    kept = tuple(pa.field(name, pa.string()) for name in keep)
    has_ids = bool(tables.mapping_of(mapping).id)
    return Source(TABLE, GENERATED.field(ID), has_ids, kept, fingerprint, mapping), found


def _schema(path: str) -> tuple[pa.Schema, int]:
    """Return the schema and the number of rows of a Parquet file."""
    try:
        with files.open_read(path) as stream, open_parquet(stream) as parquet:
            check_size(parquet.metadata)
            return parquet.schema_arrow, parquet.metadata.num_rows
    except (OSError, ValueError, pa.ArrowException) as fault:
        raise UserError(f"{path} can't be read as Parquet ({fault}).") from fault


def _kept(schema: pa.Schema, keep: Sequence[str], where: str) -> tuple[pa.Field, ...]:
    for name in keep:
        if name not in schema.names:
            raise UserError(f"--keep {name}: {where} has no such column. It has {', '.join(schema.names)}.")
    return tuple(schema.field(name) for name in keep)


def _labels(paths: Sequence[str]) -> list[str]:
    """Return file names, or whole paths if two files share a name."""
    names = [Path(path).name for path in paths]
    return names if len(set(names)) == len(names) else list(paths)


def files_hash(paths: Sequence[str]) -> str:
    """Return a hash of the files' names and bytes, 32 hex digits."""
    total = hashlib.sha256()
    for path, label in zip(paths, _labels(paths), strict=True):
        content = hashlib.sha256()
        with files.open_read(path) as stream:
            while block := stream.read(1 << 20):
                content.update(block)
        total.update(f"{label}\n{content.hexdigest()}\n".encode())
    return total.hexdigest()[:32]
