"""Rows of the input, prepared as training data is. A row at fault stays a row, with a sentence in ``error``."""

from __future__ import annotations

import hashlib
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib import import_module
from itertools import islice
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from allsaid.console import UserError
from batch_infer.rows import json_lines, tables
from batch_infer.rows.earlier import Earlier, Place, content_hash
from batch_infer.rows.sources import EXAMPLES, ID, LINES, TABLE, Part, Source
from pipelines.language.phrases import Pass
from pipelines.language.text import latin_share
from pipelines.recipes.examples import MIN_LATIN, goal_words, item_tokens
from pipelines.sources.records.tables.layout import Start
from pipelines.storage import files
from pipelines.storage.parquet import batches, groups_from
from schemas.example import MAX_ITEMS
from training.tasks.dataset import DataSet

_RAW = ("goal", "agenda")
_PREPARED = ("goal", "agenda", "goal_tokens", "agenda_tokens", "tokens")


@dataclass(frozen=True)
class Row:
    """One row of the input, prepared as training data is; ``error`` says why it can't become a text."""

    goal: str
    agenda: list[str]
    goal_tokens: list[str] = field(default_factory=list)
    agenda_tokens: list[list[str]] = field(default_factory=list)
    true_tokens: list[str] = field(default_factory=list)  # of an example's own text
    error: str | None = None
    unfamiliar: list[str] = field(default_factory=list)  # goal and values that the model has never seen
    figures: Mapping[str, int] = field(default_factory=dict)  # of a table's row: what was found in its cells
    content: bytes = b""  # the hash by which a later run finds the row again; b"" of one that can't become a text
    place: Place | None = None  # where an earlier run wrote its texts; all else but `content` is then left out
    id: str = ""
    own: Any = None  # of a task that reads its own rows: what it has read; goal and agenda are then what it shows

    @property
    def prompt(self) -> Any:
        """What the task makes a text from."""
        return self if self.own is None else self.own


class RowFault(Exception):
    """A sentence on what is wrong with a row."""


def read_ids(part: Part, source: Source) -> list[bytes]:
    """Hashes of the ids that the input itself gives; names after file and row can't meet."""
    if source.kind == TABLE:
        found = [tables.id_of(one, source.mapping) for one in _table_rows(part)]
    elif source.kind == EXAMPLES and source.task:
        found = [one.id for one in _own_examples(part, source)]
    elif source.kind == LINES:
        found = [json_lines.own_id(line.values) for line in _lines(part)]
    else:
        found = _table(part, [ID]).column(ID).to_pylist() if source.has_ids else []
    return [id_hash(value) for value in found if value is not None]


def id_hash(value: Any) -> bytes:
    return hashlib.blake2b(repr(value).encode(), digest_size=16).digest()


def read(
    part: Part, source: Source, table: Sequence[Pass], doubled: Container[bytes], earlier: Earlier | None = None
) -> tuple[list[Row], pa.Table]:
    """The part's rows in order, and their id and kept columns unchanged.

    ``table`` is the model's phrase table, ``doubled`` are the hashes of ids that stand in several rows; a row that an
    ``earlier`` run has written texts of is not prepared.
    """
    columns = pa.schema([source.id_column, *source.kept])
    if source.kind == TABLE:
        return _read_records(part, source, doubled, columns, earlier)
    if source.kind == EXAMPLES and source.task:
        return _read_examples(part, source, doubled)
    if source.kind == LINES:
        lines = list(_lines(part))
        own = [json_lines.own_id(line.values) for line in lines]
        ids = [value or f"{part.label}:{line.number}" for value, line in zip(own, lines, strict=True)]
        kept = [json_lines.column((line.values.get(one.name) for line in lines), one.type) for one in source.kept]
        faults = [line.fault or _id_fault(value, doubled) for line, value in zip(lines, own, strict=True)]
        rows = _rows(source, [line.values for line in lines], ids, table, faults, earlier)
        return rows, pa.Table.from_arrays([pa.array(ids, pa.string()), *kept], schema=columns)
    found = _table(part, None if source.task else sorted(_needed(source)))
    if not source.has_ids:
        names = [f"{part.label}:{part.first + place}" for place in range(part.rows)]
        found = found.append_column(source.id_column, pa.array(names))
    given = found.column(ID).to_pylist()
    records = found.select(_names(source) or found.column_names).to_pylist()
    faults = [_id_fault(value, doubled, needed=True) if source.has_ids else None for value in given]
    return _rows(source, records, given, table, faults, earlier), found.select(columns.names).cast(columns)


def _rows(
    source: Source,
    records: Sequence[dict[str, Any]],
    ids: Sequence[Any],
    table: Sequence[Pass],
    faults: Sequence[str | None],
    earlier: Earlier | None,
) -> list[Row]:
    rows = []
    for values, row_id, fault in zip(records, ids, faults, strict=True):
        held = sorted(values.items()) if source.task else [values.get(name) for name in _names(source)]
        content = content_hash(row_id, held)
        place = earlier.find(content) if earlier and fault is None else None
        if place:
            row = Row("", [], place=place)
        elif source.task:
            row = own_row(source.task, values | {ID: row_id}, fault)
        else:
            row = _row(source, values, table, fault)
        rows.append(_named(row, content))
    return rows


def own_row(task: str, values: Mapping[str, Any], fault: str | None = None) -> Row:
    """A row as a task reads it; a module is given by its name."""
    reader = import_module(task)
    if fault is not None:
        return Row("", [], error=fault)
    try:
        read = reader.read_row(values)
        title, lines = reader.show(read)
        return Row(title, lines, own=read)
    except UserError as error:
        return Row("", [], error=str(error))
    except Exception as error:  # whatever a stranger's module does with a row that it doesn't expect
        return Row("", [], error=f"The task '{task}' can't read the row ({type(error).__name__}: {error}).")


def _read_examples(part: Part, source: Source, doubled: Container[bytes]) -> tuple[list[Row], pa.Table]:
    """Examples of a task's own; a later run finds none of them again, since nothing tells what they hold."""
    found = list(_own_examples(part, source))
    rows = []
    for one in found:
        title, lines = import_module(source.task).show(one)
        fault = _id_fault(one.id, doubled, needed=True)
        rows.append(Row(title, lines, true_tokens=one.tokens, error=fault, own=one))
    return rows, pa.table({ID: [one.id for one in found]}, schema=pa.schema([source.id_column]))


def _own_examples(part: Part, source: Source) -> Iterator[Any]:
    """The part's examples; they are read from the first on, which costs little beside the search."""
    every = import_module(source.task).examples(DataSet(part.path), part.label)
    return islice(every, part.start, part.start + part.rows)


def _named(row: Row, content: bytes) -> Row:
    return row if row.error else replace(row, content=content)


def _read_records(
    part: Part, source: Source, doubled: Container[bytes], columns: pa.Schema, earlier: Earlier | None
) -> tuple[list[Row], pa.Table]:
    rows, ids, found = [], [], list(_table_rows(part))
    for one in found:
        own = tables.id_of(one, source.mapping)
        number = "end" if isinstance(one, str) else one.number
        ids.append(own or f"{part.label}:{number}")
        content = content_hash(ids[-1], tables.content_of(one, source.mapping))
        fault = _id_fault(own, doubled, source.has_ids)
        place = earlier.find(content) if earlier and fault is None else None
        rows.append(_named(Row("", [], place=place) if place else _record_row(one, source.mapping, fault), content))
    kept = [pa.array([tables.shown(one, column.name) for one in found], pa.string()) for column in source.kept]
    return rows, pa.Table.from_arrays([pa.array(ids, pa.string()), *kept], schema=columns)


def table_rows(rows: Sequence[Mapping[str, Any]], columns: Sequence[str], mapping: str) -> list[Row]:
    """Rows of a table that stand in no file, by the model's mapping; their ids are not looked at."""
    return [_record_row(row, mapping, None) for row in tables.rows_of(rows, columns, mapping)]


def _record_row(row: tables.TableRow, mapping: str, id_fault: str | None) -> Row:
    one = tables.record(row, mapping)
    items = [[token] for token in one.placeholders]
    fault = one.fault or id_fault
    return Row(one.goal, list(one.agenda), list(one.goal_tokens), items, error=fault, figures=one.figures)


def _table_rows(part: Part) -> Iterator[tables.TableRow]:
    assert part.layout is not None
    return tables.read(part.path, part.layout, Start(part.start, part.first), part.rows)


def _names(source: Source) -> tuple[str, ...]:
    """The columns that a row is made of; none where a task reads all."""
    if source.task:
        return ()
    return _PREPARED if source.kind == EXAMPLES else _RAW


def _needed(source: Source) -> set[str]:
    columns = {*_names(source), *(column.name for column in source.kept)}
    return columns | {ID} if source.has_ids else columns


def _id_fault(value: Any, doubled: Container[bytes], needed: bool = False) -> str | None:
    if value is None:
        return "The row has no id, though the others have." if needed else None
    is_doubled = id_hash(value) in doubled
    return f"The id '{value}' stands in several rows; each needs its own." if is_doubled else None


def raw_row(values: dict[str, Any], table: Sequence[Pass]) -> Row:
    """A row of goal and agenda that stands in no file."""
    return _row(Source(LINES, pa.field(ID, pa.string()), False, (), ""), values, table, None)


def _row(source: Source, values: dict[str, Any], table: Sequence[Pass], fault: str | None) -> Row:
    written: Any = values.get("goal")
    items: Any = values.get("agenda")
    goal: str = written if isinstance(written, str) else ""
    agenda: list[str] = items if _is_texts(items) else []
    try:
        if fault is not None:
            raise RowFault(fault)
        if source.kind == EXAMPLES:
            return Row(goal, agenda, values["goal_tokens"], values["agenda_tokens"], values["tokens"])
        return Row(goal, agenda, *_prepare(written, items, table))
    except RowFault as error:
        return Row(goal, agenda, error=str(error))


def _prepare(goal: Any, agenda: Any, table: Sequence[Pass]) -> tuple[list[str], list[list[str]]]:
    """Goal and agenda tokens of a raw row, made by the functions that make training data."""
    if not isinstance(goal, str) or not goal.strip():
        raise RowFault("The row has no goal, a text such as 'pico de gallo'.")
    if not _is_texts(agenda):
        raise RowFault("The row has no agenda, a list of texts.")
    if not 0 < len(agenda) <= MAX_ITEMS:
        raise RowFault(f"The agenda has {len(agenda)} items; a text can be asked for 1 to {MAX_ITEMS}.")
    share = latin_share(" ".join([goal, *agenda]))
    if share < MIN_LATIN:
        raise RowFault(f"{share:.0%} of the letters of goal and agenda are Latin; at least {MIN_LATIN:.0%} must be.")
    goal_tokens = goal_words(goal)
    if not goal_tokens:
        raise RowFault(f"The goal '{goal}' has no word.")
    agenda_tokens = [item_tokens(line, table) for line in agenda]
    for number, (line, tokens) in enumerate(zip(agenda, agenda_tokens, strict=True), start=1):
        if not tokens:
            raise RowFault(f"Item {number} of the agenda, '{line}', names nothing.")
    return goal_tokens, agenda_tokens


def _is_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _table(part: Part, columns: Sequence[str] | None) -> pa.Table:
    """The part's rows of a Parquet file; only the row groups that hold some are read."""
    with files.open_read(part.path) as stream, pq.ParquetFile(stream) as parquet:
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


def _lines(part: Part) -> Iterator[json_lines.Line]:
    return json_lines.read(part.path, part.label, part.start, part.first, part.rows)
