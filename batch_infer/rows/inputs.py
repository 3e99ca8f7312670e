"""Rows of the input, prepared as training data is. A row at fault is kept, with a sentence in ``error``."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pyarrow as pa

from allsaid.modeling.tasks.contract import ReadsRows, RefersToTable
from batch_infer.rows import parts
from batch_infer.rows.earlier import Index, Numbers, row_hash
from batch_infer.rows.hashes import NOWHERE
from batch_infer.rows.ids import id_hash
from batch_infer.rows.kinds import json_lines, tables
from batch_infer.rows.kinds.preparation import preparation_of
from batch_infer.rows.kinds.raw import NAMES, RowFault, act_words, is_texts, raw_words
from batch_infer.rows.kinds.turns import TableFile
from batch_infer.rows.machine import check_fault
from batch_infer.rows.sources import EXAMPLES, ID, LINES, TABLE, Part, Source
from pipelines.linking.phrases import Pass
from schemas.errors import UserError

NO_TEXT = "No text of the row was given."  # of a row whose texts are to be proven
_PREPARED = ("goal", "agenda", "goal_tokens", "agenda_tokens", "tokens")


@dataclass(frozen=True)
class Row:
    """One row of the input, prepared as training data is; ``error`` is the reason if it can't become a text."""

    goal: str
    agenda: list[str]
    goal_tokens: list[str] = field(default_factory=list)
    agenda_tokens: list[list[str]] = field(default_factory=list)
    reference_tokens: list[str] = field(default_factory=list)  # of an example's reference text
    error: str | None = None
    unfamiliar: list[str] = field(default_factory=list)  # goal and values that the model has never seen
    finding_counts: Mapping[str, int] = field(default_factory=dict)  # of a table's row: finding in its cells -> count
    content_hash: bytes = b""  # by which a later run finds the row; b"" if it can't become a text
    id: str = ""
    submitted: tuple[str, ...] = ()  # texts of another author, to be proven
    omissible: tuple[str, ...] = ()  # of a table's row: lines of columns whose values texts may leave out
    ignored: tuple[str, ...] = ()  # of a table's row: lines of ignored columns, which a text may state
    task_row: object = None  # the row in the task's own type, if the task reads rows; goal and agenda are for display

    @property
    def prompt(self) -> Any:  # of the type of the task, which is known only at run time
        """The input from which the task generates a text."""
        return self if self.task_row is None else self.task_row


@dataclass(frozen=True)
class PartRows:
    """A part of N rows. Only rows without texts from an earlier run are prepared."""

    part: Part
    rows: list[Row]  # only the prepared ones: their entry in ``earlier_rows`` is NOWHERE
    carried: pa.Table  # N, the input's id and kept columns, unchanged
    earlier_rows: Numbers  # N, the number of each row in the index of the earlier run, or NOWHERE


def read(
    part: Part, source: Source, phrases: Sequence[Pass], doubled: Collection[bytes], earlier: Index | None = None
) -> PartRows:
    """Return the part's rows in order.

    ``phrases`` is the model's phrase table: passes, each of which joins pairs of words. ``doubled``: the hashes of the
    part's ids that occur in several rows.
    """
    if source.kind == TABLE:
        return _read_table(part, source, doubled, earlier)
    if source.kind == EXAMPLES and source.task:
        return _read_examples(part, source.id_column, source.task, doubled)
    if source.kind == LINES:
        return _read_lines(part, source, phrases, doubled, earlier)
    columns = pa.schema([source.id_column, *source.kept])
    names = _columns(source)
    wanted = {*names, *columns.names} - (set() if source.has_ids else {ID})
    found = parts.read_table(part, None if source.task else sorted(wanted))
    if not source.has_ids:
        labels = [f"{part.label}:{part.first + place}" for place in range(part.rows)]
        found = found.append_column(source.id_column, pa.array(labels))
    records = found.select(names or found.column_names).to_pylist()
    ids = found.column(ID).to_pylist()
    faults = [_id_fault(value, doubled, needed=True) if source.has_ids else None for value in ids]
    return _rows(part, source, records, found.select(columns.names).cast(columns), phrases, faults, earlier)


def _read_lines(
    part: Part, source: Source, phrases: Sequence[Pass], doubled: Collection[bytes], earlier: Index | None
) -> PartRows:
    lines = list(parts.read_lines(part))
    given_ids = [json_lines.own_id(line.values) for line in lines]
    ids = [value or f"{part.label}:{line.number}" for value, line in zip(given_ids, lines, strict=True)]
    kept = [json_lines.column((line.values.get(column.name) for line in lines), column.type) for column in source.kept]
    faults = [line.fault or _id_fault(value, doubled) for line, value in zip(lines, given_ids, strict=True)]
    carried = _carried(source, ids, kept)
    return _rows(part, source, [line.values for line in lines], carried, phrases, faults, earlier)


def _carried(source: Source, ids: Sequence[str], kept: Sequence[pa.Array]) -> pa.Table:
    columns = pa.schema([source.id_column, *source.kept])
    return pa.Table.from_arrays([pa.array(ids, pa.string()), *kept], schema=columns)


def _rows(
    part: Part,
    source: Source,
    records: Sequence[dict[str, object]],
    carried: pa.Table,
    phrases: Sequence[Pass],
    faults: Sequence[str | None],
    earlier: Index | None,
) -> PartRows:
    """Prepare the rows of a part, which are given as ``records``: column -> value."""
    ids = carried.column(ID).to_pylist()
    # A row that refers to a table is not reused: the table may have changed, and the hash does not contain it.
    content_hashes = [
        b"" if fault or source.referred_table else row_hash(row_id, _used(source, values))
        for row_id, values, fault in zip(ids, records, faults, strict=True)
    ]

    def prepare(row: int) -> Row:
        if source.task:
            return row_of_task(source.task, records[row] | {ID: ids[row]}, faults[row], source.referred_table)
        if source.kind == EXAMPLES:
            return _example_row(records[row], faults[row])
        return raw_row(records[row], phrases, source.is_act, faults[row])

    return _with_earlier(part, carried, content_hashes, earlier, prepare)


def _used(source: Source, values: Mapping[str, object]) -> Sequence[object]:
    """Return the values that a row's texts are generated from."""
    return sorted(values.items()) if source.task else [values.get(name) for name in _columns(source)]


def row_of_task(
    task: ReadsRows, values: Mapping[str, object], fault: str | None = None, table: TableFile | None = None
) -> Row:
    """Return a row as read by the task; ``table`` is the table that the row refers to."""
    if fault is not None:
        return Row("", [], error=fault)
    try:
        preparation = preparation_of(task)
        if preparation is not None:
            tables_of_row = (table,) if isinstance(task, RefersToTable) else ()
            values = preparation.prepare(values, *tables_of_row)
        task_row = task.read_row(values)
        title, lines = task.show(task_row)
        return Row(title, lines, task_row=task_row)
    except UserError as error:
        return Row("", [], error=str(error))
    except Exception as error:  # a third-party module may raise anything for an unexpected row
        check_fault(error)
        return Row("", [], error=f"The task '{task}' can't read the row ({type(error).__name__}: {error}).")


def _read_examples(part: Part, id_column: pa.Field, task: ReadsRows, doubled: Collection[bytes]) -> PartRows:
    """Read examples of a task that reads rows itself. A later run can't reuse them, since they have no hash."""
    found = list(parts.part_examples(part, task))
    carried = pa.table({ID: [row.id for row in found]}, schema=pa.schema([id_column]))

    def prepare(row: int) -> Row:
        title, lines = task.show(found[row])
        fault = _id_fault(found[row].id, doubled, needed=True)
        return Row(title, lines, reference_tokens=list(found[row].tokens), error=fault, task_row=found[row])

    return _with_earlier(part, carried, [b""] * len(found), None, prepare)


def _with_earlier(
    part: Part, carried: pa.Table, content_hashes: Sequence[bytes], earlier: Index | None, prepare: Callable[[int], Row]
) -> PartRows:
    """Return the part with the places of rows in an earlier run; ``prepare`` returns the row of a number.

    Only rows without a place are prepared. The hash of a row that can't become a text is b"".
    """
    earlier_rows = earlier.open().find(content_hashes) if earlier else np.full(len(content_hashes), NOWHERE)
    new = np.flatnonzero(earlier_rows == NOWHERE)
    ids = carried.column(ID).take(new).to_pylist()
    rows = []
    for number, row_id in zip(new.tolist(), ids, strict=True):
        row = prepare(number)
        rows.append(replace(row, id=str(row_id), content_hash=b"" if row.error else content_hashes[number]))
    return PartRows(part, rows, carried, earlier_rows)


def _read_table(part: Part, source: Source, doubled: Collection[bytes], earlier: Index | None) -> PartRows:
    found = list(parts.table_rows(part))
    given_ids = [tables.id_of(row, source.mapping) for row in found]
    ids = [value or parts.name_of(part, row) for value, row in zip(given_ids, found, strict=True)]
    faults = [_id_fault(value, doubled, source.has_ids) for value in given_ids]
    content_hashes = [
        b"" if fault else row_hash(row_id, tables.content_of(row, source.mapping))
        for row_id, row, fault in zip(ids, found, faults, strict=True)
    ]
    kept = [pa.array([tables.shown(row, column.name) for row in found], pa.string()) for column in source.kept]
    return _with_earlier(
        part,
        _carried(source, ids, kept),
        content_hashes,
        earlier,
        lambda row: _record_row(found[row], source.mapping, faults[row]),
    )


def table_rows(rows: Sequence[Mapping[str, object]], columns: Sequence[str], mapping: str) -> list[Row]:
    """Return rows of a table that is not in a file, read by the model's mapping; ids are ignored."""
    return [_record_row(row, mapping, None) for row in tables.rows_of(rows, columns, mapping)]


def _record_row(row: tables.TableRow, mapping: str, id_fault: str | None) -> Row:
    record = tables.record(row, mapping)
    items = [[token] for token in record.placeholders]
    fault = record.fault or id_fault
    words = list(record.goal_tokens)
    return Row(
        record.goal,
        list(record.agenda),
        words,
        items,
        error=fault,
        finding_counts=record.figures,
        omissible=record.omissible,
        ignored=record.ignored,
    )


def _columns(source: Source) -> tuple[str, ...]:
    """Return the columns that a row is made of; none if the task reads all."""
    if source.task:
        return ()
    return _PREPARED if source.kind == EXAMPLES else NAMES


def _id_fault(value: object, doubled: Collection[bytes], needed: bool = False) -> str | None:
    if value is None:
        return "The row has no id, though the others have." if needed else None
    is_doubled = id_hash(value) in doubled
    return f"The id '{value}' is in several rows; each row needs its own id." if is_doubled else None


def _example_row(values: Mapping[str, Any], fault: str | None) -> Row:  # Any: by the schema of the file
    goal, agenda, *tokens = (values[name] for name in _PREPARED)
    return Row(goal, agenda, error=fault) if fault else Row(goal, agenda, *tokens)


def raw_row(
    values: Mapping[str, object], phrases: Sequence[Pass], is_act: bool = False, fault: str | None = None
) -> Row:
    """Return a row of goal and agenda."""
    written, items = values.get("goal"), values.get("agenda")
    goal = written if isinstance(written, str) else ""
    agenda = items if is_texts(items) else []
    if fault is not None:
        return Row(goal, agenda, error=fault)
    try:
        words = act_words(written, items) if is_act else raw_words(written, items, phrases)
    except RowFault as error:
        return Row(goal, agenda, error=str(error))
    return Row(goal, agenda, *words)
