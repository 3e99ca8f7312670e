"""The survey of large tables: each worker counts the rows of a shard and finds places where reading may begin.

The launcher only finds the borders of shards, which takes little time and bounded memory.
"""

from __future__ import annotations

import pipelines.beam  # noqa: F401  before Beam itself

# isort: split
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain

import apache_beam as beam
from apache_beam.options.pipeline_options import PipelineOptions

from allsaid.storage import files
from allsaid.storage.paths import absolute
from allsaid.storage.streams import open_dump
from batch_infer.rows.kinds import places
from batch_infer.rows.kinds.places import Places
from batch_infer.rows.sources import SourceFile
from pipelines.ingest.runner import make_pipeline, worker_faults
from pipelines.source import Shard
from pipelines.sources import cuts
from pipelines.sources.records.tables.csv_rows import line_reader
from pipelines.sources.records.tables.cuts import cut_table
from pipelines.sources.records.tables.layout import END, EXCEL, Layout, Start
from pipelines.sources.records.tables.rows import PARQUET, read_table
from schemas.errors import UserError


@dataclass(frozen=True)
class _Look:
    """A shard to survey, and the file for the result."""

    path: str
    shard: Shard
    layout: Layout
    most: int  # places to record, at most


def survey(found: Sequence[SourceFile], beam_options: PipelineOptions, work: str) -> list[SourceFile]:
    """Return the files with their rows; workers look at tables that were too large for `sources.find`.

    work: folder for the files of workers, as in :func:`files.whole`. Raises UserError if there are no rows.
    """
    looks_by_file = [_looks(file, files.join(work, f"survey-{number}")) for number, file in enumerate(found)]
    looks = [*chain.from_iterable(looks_by_file)]
    if not looks:
        return [*found]
    with worker_faults(beam_options), make_pipeline(beam_options) as pipeline:
        _ = (
            pipeline
            | "Shards of tables" >> beam.Create(looks)
            | "Each shard of a table" >> beam.Reshuffle()
            | "Rows of shards" >> beam.Map(_look, absolute(work))
        )
    surveyed = [_joined(file, file_looks) for file, file_looks in zip(found, looks_by_file, strict=True)]
    if not sum(file.rows for file in surveyed):
        raise UserError(f"{found[0].path} has no row. Give an input that has some.")
    return surveyed


def _looks(file: SourceFile, prefix: str) -> list[_Look]:
    """Return the shards of a table that was not read yet; [] for other files."""
    if file.layout is None or file.places is not None:
        return []
    path = absolute(file.path)
    shards = cut_table(path, file.layout, cuts.SHARD_BYTES)
    most = max(places.MOST // len(shards) // 2 * 2, 2)
    return [_Look(absolute(f"{prefix}-{place}.json"), shard, file.layout, most) for place, shard in enumerate(shards)]


def _look(look: _Look, work: str) -> None:
    """Write the survey of a shard: its rows, places and lines, and whether it is damaged."""
    shard_places, is_damaged, shard = Places(look.most), False, look.shard
    for row in read_table(shard.file, look.layout, start=Start(shard.first), last=shard.last):
        if isinstance(row, str):
            is_damaged = True
        else:
            shard_places.add(row.offset, row.number)
    lines = _lines(shard, look.layout)
    found = {"rows": shard_places.rows, "kept": shard_places.kept(), "lines": lines, "is_damaged": is_damaged}
    with files.whole(look.path, work) as stream:
        stream.write(json.dumps(found).encode())


def _lines(shard: Shard, layout: Layout) -> int:
    """Return the number of lines of a shard, to number rows of later shards; 0 if rows contain their number."""
    if layout.kind in (PARQUET, EXCEL):
        return 0
    _, stream = open_dump(shard.file, end=shard.last)
    with stream:
        stream.seek(shard.first)
        return sum(1 for _ in iter(line_reader(stream, layout), b""))


def _joined(file: SourceFile, looks: Sequence[_Look]) -> SourceFile:
    """Return a file with the rows of all shards; a damaged file has one row more, as in `tables.scan`."""
    if not looks:
        return file
    joined, lines, is_damaged = Places(), 0, False
    for found in (json.loads(files.read_text(look.path)) for look in looks):
        joined.extend(found["rows"], found["kept"], lines)
        lines += found["lines"]
        is_damaged |= found["is_damaged"]
    if is_damaged:
        joined.add(END.offset, END.number)
    return replace(file, rows=joined.rows, places=joined)
