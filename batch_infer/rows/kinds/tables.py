"""A user's own table of new records, read by the model's mapping; no text is needed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import islice
from typing import Any  # Any: a cell of any type that a file has

from allsaid.modeling.saved.model_folder import Bundle
from batch_infer.rows.kinds.form import SUGGESTED, Field, such_as
from batch_infer.rows.kinds.places import Places
from pipelines.linking.delex import item_tokens
from pipelines.source import RecordFault
from pipelines.sources.mappings import is_missing
from pipelines.sources.records.cells import Cleaner
from pipelines.sources.records.columns import MODELS_MAPPING, check_columns, layout_of
from pipelines.sources.records.mapping import Column, TableMapping, read_mapping
from pipelines.sources.records.mapping_keys import LIST, NUMBER, YES_NO
from pipelines.sources.records.supervision import goal_tokens, slots_of
from pipelines.sources.records.tables.encoding import check_encoding
from pipelines.sources.records.tables.layout import END, Cells, Layout, Row, Start, TableFault, cell_text
from pipelines.sources.records.tables.rows import read_table
from pipelines.sources.records.values import values_of
from schemas.act import Slot, agenda_line, parse_agenda_line, unquoted
from schemas.errors import UserError
from schemas.example import MAX_ITEMS

LONGEST = 100  # most characters of a cell whose parsed values are cached: longer cells rarely recur
TableRow = Row | str  # a sentence if it could not be read


@dataclass(frozen=True)
class Record:
    """A row as read by the mapping, or its fault."""

    id: str | None
    goal: str = ""
    agenda: tuple[str, ...] = ()  # L lines, as in training data
    goal_tokens: tuple[str, ...] = ()
    placeholders: tuple[str, ...] = ()  # L
    fault: str | None = None
    number: int = 0  # of its line, or its row in Excel and Parquet; 0 if it could not be read
    figures: Mapping[str, int] = field(default_factory=dict)  # findings in the cells, as counted by ingest
    omissible: tuple[str, ...] = ()  # lines of `may_omit` columns, whose values texts may leave out
    ignored: tuple[str, ...] = ()  # lines of ignored columns, and of the id


@lru_cache(maxsize=16)
def mapping_of(written: str) -> TableMapping:
    """Return a model's mapping, given as YAML, without the text column, which new records lack."""
    mapping = read_mapping(written, MODELS_MAPPING)
    return replace(mapping, text="", ignored=mapping.ignored.union(mapping.names_of(mapping.text)))


def look_at(path: str, mapping: str, encoding: str = "", sheet: str = "", named_by: str = MODELS_MAPPING) -> Layout:
    """Return the layout of a table file; raise UserError if it is not a table, or lacks a column of the mapping.

    ``named_by``: the name of the mapping in errors.
    """
    try:
        return layout_of(path, mapping_of(mapping), named_by, check_encoding(encoding), sheet)
    except TableFault as fault:
        raise UserError(str(fault)) from fault


def scan(path: str, layout: Layout) -> Places:
    """Return the places of rows; if the table is damaged, the last row marks it."""
    places = Places()
    for row in read_table(path, layout):
        start = END if isinstance(row, str) else Start(row.offset, row.number)
        places.add(start.offset, start.number)
    return places


def read(path: str, layout: Layout, start: Start, skipped: int, rows: int) -> Iterator[TableRow]:
    """Yield ``rows`` rows of a table, after the first ``skipped`` rows from ``start`` on."""
    left = rows
    for row in islice(read_table(path, layout, start=start), skipped, skipped + rows):
        yield row
        left -= 1
    yield from islice(read_table(path, layout, start=END), left)  # the fault of a damaged file counts as its last row


def rows_of(rows: Sequence[Mapping[str, object]], columns: Sequence[str], mapping: str) -> list[TableRow]:
    """Return rows that are not in a file as table rows; raise UserError if a column other than the id's is missing."""
    parsed = mapping_of(mapping)
    wanted = dict.fromkeys([parsed.goal, *(column.name for column in parsed.columns)])
    try:
        check_columns("The table", columns, wanted, parsed, MODELS_MAPPING)
    except TableFault as fault:
        raise UserError(str(fault)) from fault
    return [Row(0, b"", cells) for cells in rows]


def _cells(row: TableRow) -> Cells:
    """Return the cells of a row by column; none if the row could not be read."""
    return {} if isinstance(row, str) else row.cells or {}


def id_of(row: TableRow, mapping: str) -> str | None:
    """Return the row's own id by the mapping, if it has one."""
    parsed = mapping_of(mapping)
    if not parsed.id:
        return None
    present, _ = _cleaner(mapping, parsed.id).clean(_cells(row))
    return _identity(present, parsed) or None


def content_of(row: TableRow, mapping: str) -> list[object]:
    """Return a row's cells in the columns of the mapping; none if the row could not be read."""
    if isinstance(row, str) or row.cells is None:
        return []
    parsed = mapping_of(mapping)
    cells = parsed.renamed(row.cells)
    return [cells.get(name) for name in parsed.named]


def shown(row: TableRow, column: str) -> str | None:
    """Return a cell as text for a kept column."""
    cells = _cells(row)
    return _shown(cells[column], column) if column in cells else None


def record(row: TableRow, mapping: str) -> Record:
    """Read a row by the mapping."""
    if isinstance(row, str):
        return Record(None, fault=row)
    if row.cells is None:
        return Record(None, fault=row.detail, number=row.number)
    parsed = mapping_of(mapping)
    present, figures = _cleaner(mapping).clean(row.cells, row.lacks)
    identity, goal = _identity(present, parsed) or None, _shown(present.get(parsed.goal), parsed.goal)
    try:
        read = [value for place in range(len(parsed.columns)) for value in _values(present, mapping, place)]
    except RecordFault as error:
        return Record(identity, goal, fault=str(error), number=row.number, figures=figures)
    values = [(line, slot) for line, slot in read if slot.slot not in parsed.omissible]
    agenda = tuple(line for line, _ in values)
    fault = _fault(goal, agenda, parsed)
    placeholders = item_tokens(slot for _, slot in values)
    words = tuple(goal_tokens(goal, parsed.language))
    figures.update(f"given {slot.slot}" for _, slot in read)
    omissible = tuple(line for line, slot in read if slot.slot in parsed.omissible)
    ignored = _ignored(row.cells, mapping)
    return Record(identity, goal, agenda, words, tuple(placeholders), fault, row.number, figures, omissible, ignored)


def _values(cells: Cells, mapping: str, place: int) -> Sequence[tuple[str, Slot]]:
    """Return the values in a cell of a column, each as a line of the agenda and as a normalised slot."""
    cell = cells.get(mapping_of(mapping).columns[place].name)
    if cell is None or cell == "":  # as most cells of a wide table are
        return ()
    return (_cached if isinstance(cell, str) and len(cell) <= LONGEST else _read)(mapping, place, cell)


def _read(mapping: str, place: int, cell: Any) -> list[tuple[str, Slot]]:
    parsed = mapping_of(mapping)
    values = values_of(parsed.columns[place], cell, parsed.missing)
    return [(agenda_line(value.slot), slot) for value, slot in zip(values, slots_of(values, parsed), strict=True)]


_cached = lru_cache(maxsize=1 << 14)(_read)


@lru_cache(maxsize=16)
def _ignored_names(mapping: str) -> set[str]:
    given = read_mapping(mapping, MODELS_MAPPING)
    read = {given.goal, *given.names_of(given.text), *(column.name for column in given.columns)}
    return {*given.ignored, *given.names_of(given.id)} - read


def _ignored(cells: Cells, mapping: str) -> tuple[str, ...]:
    given, names = read_mapping(mapping, MODELS_MAPPING), _ignored_names(mapping)
    shown = ((name, _shown(cell, name)) for name, cell in cells.items() if name in names)
    return tuple(agenda_line(Slot(name, cell)) for name, cell in shown if not is_missing(cell, given.missing))


def form(bundle: Bundle) -> list[Field]:
    """Return the form fields of a row: one for the goal and one for each column that texts mention."""
    mapping, seen = mapping_of(bundle.mapping), bundle.seen
    goals = (seen.goals if seen else None) or ()
    goal, lines = bundle.example
    first = Field(mapping.goal, mapping.goal, hint=such_as(goals), known=goals[:SUGGESTED], example=goal)
    fields = {mapping.goal: first}
    slots = [*map(parse_agenda_line, lines)]
    for column in mapping.columns:
        values = (seen.columns.get(column.name) if seen else None) or ()
        cell = f"{column.separator or ';'} ".join(slot.value for slot in slots if slot.slot == column.name)
        fields[column.name] = replace(_field(column, tuple(map(unquoted, values))), example=cell)
    return list(fields.values())


def _field(column: Column, known: tuple[str, ...]) -> Field:
    if column.kind == YES_NO:
        return Field(column.name, column.name, "choice", known=("", "yes", "no"))
    hints = {
        NUMBER: f"a number, in {column.unit}" if column.unit else "a number",
        LIST: f"separated by '{column.separator}'" if column.separator else "separated by ';' or ','",
    }
    hint = ", ".join(filter(None, (hints.get(column.kind), such_as(known))))
    return Field(column.name, column.name, hint=hint, known=() if column.kind == LIST else known[:SUGGESTED])


@lru_cache(maxsize=16)
def _cleaner(mapping: str, only: str = "") -> Cleaner:
    return Cleaner(mapping_of(mapping), only)


def _identity(present: Cells, mapping: TableMapping) -> str:
    identity = _shown(present.get(mapping.id), mapping.id)
    return "" if is_missing(identity, mapping.missing) else identity


def _fault(goal: str, agenda: tuple[str, ...], mapping: TableMapping) -> str | None:
    if not any(map(str.isalnum, goal)) or is_missing(goal, mapping.missing):
        return f"The cell of '{mapping.goal}', the goal, is empty."
    if not agenda:
        return "The row has no value: all its cells but the goal's are empty. Fill at least one that the mapping names."
    if len(agenda) > MAX_ITEMS:
        return f"The row gives {len(agenda)} values; a text can be asked for at most {MAX_ITEMS}."
    return None


def _shown(value: object, column: str) -> str:
    try:
        return cell_text(value, column)
    except RecordFault:
        return str(value)
