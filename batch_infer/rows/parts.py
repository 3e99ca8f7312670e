"""Read the rows of one part of an input, and their ids, from its file.

`Part` explains ``start``, ``first`` and ``skipped``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

import pyarrow as pa

from allsaid.modeling.data.dataset import DataSet
from allsaid.modeling.tasks.contract import Learned, ReadsRows
from allsaid.storage import files
from allsaid.storage.parquet import batches, groups_from, open_parquet
from batch_infer.rows.kinds import json_lines, tables
from batch_infer.rows.sources import EXAMPLES, ID, LINES, TABLE, Part, Source
from pipelines.sources.records.tables.layout import Start


def input_ids(part: Part, source: Source) -> list[object]:
    """Return the ids that the input has, to be checked for duplicates; an id made from file and row is unique."""
    return [given_id for given_id, _ in _ids(part, source) if given_id is not None]


def output_ids(part: Part, source: Source) -> list[str]:
    """Return the id of each row in the output."""
    return [str(name if given_id is None else given_id) for given_id, name in _ids(part, source)]


def _ids(part: Part, source: Source) -> Iterator[tuple[object, str]]:
    """Yield for each row its id in the input, or None, and the id for the output if it has none."""
    if source.kind == TABLE:
        for row in table_rows(part):
            yield tables.id_of(row, source.mapping), name_of(part, row)
    elif source.kind == EXAMPLES and source.task:
        yield from ((example.id, "") for example in part_examples(part, source.task))
    elif source.kind == LINES:
        for line in read_lines(part):
            yield json_lines.own_id(line.values), f"{part.label}:{line.number}"
    elif source.has_ids:
        yield from ((value, "") for value in read_table(part, [ID]).column(ID).to_pylist())
    else:
        yield from ((None, f"{part.label}:{part.first + place}") for place in range(part.rows))


def name_of(part: Part, row: tables.TableRow) -> str:
    """Return the id, made from file and row, for a table's row that has none.

    A ``row`` that is a string reports damage at the end of the table.
    """
    return f"{part.label}:{'end' if isinstance(row, str) else row.number}"


def part_examples(part: Part, task: ReadsRows) -> Iterator[Learned]:
    """Yield the part's examples; reading starts at the data set's first, which costs little compared with decoding."""
    every = task.examples(DataSet(part.path), part.label)
    return islice(every, part.start, part.start + part.rows)


def table_rows(part: Part) -> Iterator[tables.TableRow]:
    assert part.layout is not None
    return tables.read(part.path, part.layout, Start(part.start, part.first), part.skipped, part.rows)


def read_table(part: Part, columns: Sequence[str] | None) -> pa.Table:
    """Read the part's rows from a Parquet file, and only the row groups that contain them."""
    with files.open_read(part.path) as stream, open_parquet(stream) as parquet:
        groups, place = groups_from(parquet, part.start)
        found: list[pa.RecordBatch] = []
        for batch in batches(parquet, columns, groups):
            first, last = max(part.start - place, 0), min(part.start + part.rows - place, batch.num_rows)
            if last <= 0:
                break
            if first < last:
                found.append(batch.slice(first, last - first))
            place += batch.num_rows
        return pa.Table.from_batches(found)


def read_lines(part: Part) -> Iterator[json_lines.Line]:
    lines = json_lines.read(part.path, part.label, part.start, part.first, part.skipped + part.rows)
    return islice(lines, part.skipped, None)
