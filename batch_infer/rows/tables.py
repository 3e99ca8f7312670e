"""A user's own table of new records, read by the mapping that came with the model; a text is not needed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import islice

from allsaid.console import UserError
from pipelines.language.delex import item_tokens
from pipelines.language.text import tokenize
from pipelines.source import RecordFault
from pipelines.sources.records.cells import Cleaner, cell_text
from pipelines.sources.records.columns import layout_of
from pipelines.sources.records.mapping import TableMapping, read_mapping
from pipelines.sources.records.supervision import act_of, slots_of
from pipelines.sources.records.tables.encoding import check_encoding
from pipelines.sources.records.tables.layout import Layout, Row, TableFault
from pipelines.sources.records.tables.rows import read_table
from schemas.act import agenda_line
from schemas.example import MAX_ITEMS
from schemas.manifest import MAPPING_NAME

NAMED_BY = f"the model's {MAPPING_NAME}"


@dataclass(frozen=True)
class Record:
    """A row with what the mapping says of it, or with what is wrong with it."""

    id: str | None
    cells: dict[str, str]
    goal: str = ""
    agenda: tuple[str, ...] = ()  # L lines, as training data has them
    goal_tokens: tuple[str, ...] = ()
    placeholders: tuple[str, ...] = ()  # L
    fault: str | None = None
    number: int = 0  # of its line, of its row in Excel and Parquet; 0 of what could not be read
    figures: Mapping[str, int] = field(default_factory=dict)  # what was found in the cells, as the ingest counts it


@lru_cache(maxsize=16)
def mapping_of(text: str) -> TableMapping:
    """A model's mapping, without the column of the texts, which new records lack."""
    mapping = read_mapping(text, NAMED_BY)
    return replace(mapping, text="", ignored=mapping.ignored.union(mapping.names_of(mapping.text)))


def look_at(path: str, mapping: str, encoding: str = "", sheet: str = "") -> Layout:
    """What kind of table a file is; raises UserError where it is none, or lacks a column of the mapping."""
    try:
        return layout_of(path, mapping_of(mapping), NAMED_BY, check_encoding(encoding), sheet)
    except TableFault as fault:
        raise UserError(str(fault)) from fault


def count(path: str, layout: Layout) -> int:
    return sum(1 for _ in read_table(path, layout))


def read(path: str, layout: Layout, mapping: str, start: int, rows: int) -> Iterator[Record]:
    """Some rows of a table; where it is damaged, the last one says so."""
    for row in islice(read_table(path, layout), start, start + rows):
        record = _record(row, mapping_of(mapping))
        yield record if isinstance(row, str) else replace(record, number=row.number)


def _record(row: Row | str, mapping: TableMapping) -> Record:
    if isinstance(row, str):
        return Record(None, {}, fault=row)
    if row.cells is None:
        return Record(None, {}, fault=row.detail)
    cells = {name: _shown(value, name) for name, value in row.cells.items()}
    present, figures = Cleaner(mapping).clean(mapping.renamed(row.cells))
    identity, goal = (_shown(present.get(name), name) for name in (mapping.id, mapping.goal))
    identity = "" if identity.lower() in mapping.missing else identity
    try:
        values = act_of(present, mapping)
    except RecordFault as error:
        return Record(identity or None, cells, goal, fault=str(error), figures=figures)
    agenda = tuple(agenda_line(value.slot) for value in values)
    fault = _fault(goal, agenda, mapping)
    placeholders = item_tokens(slots_of(values, mapping))
    words = tuple(token.lower() for token in tokenize(goal))
    figures.update(f"given {value.column.name}" for value in values)
    return Record(identity or None, cells, goal, agenda, words, tuple(placeholders), fault, figures=figures)


def _fault(goal: str, agenda: tuple[str, ...], mapping: TableMapping) -> str | None:
    if not any(map(str.isalnum, goal)) or goal.lower() in mapping.missing:
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
