"""What a row of a user's table becomes: an act, with its text a supervised example, and a box of fields."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from allsaid.language.text import tokenize
from pipelines.linking.acts import Told, rows
from pipelines.linking.delex import Item, item_tokens
from pipelines.linking.splits import split_of
from pipelines.recipes.linking import SENTENCE_ENDS
from pipelines.source import KeptRecord, RecordFault
from pipelines.sources.records.ids import digest, name_of
from pipelines.sources.records.mapping import TableMapping
from pipelines.sources.records.tables.layout import Cells
from pipelines.sources.records.values import FINDINGS, Value, forms_of, normalised, spoken_of, values_of
from pipelines.sources.wikibio.box import MAX_OCCURRENCES, build_table, describe
from schemas.act import Slot, agenda_line
from schemas.box import Box
from schemas.example import Example


@dataclass(frozen=True)
class Record:
    """A row with what the mapping says of it."""

    id: str
    goal: str
    text: str
    values: list[Value]  # L


def act_of(cells: Cells, mapping: TableMapping) -> list[Value]:
    """The values of a row's agenda; raises RecordFault."""
    return [value for column in mapping.columns for value in values_of(column, cells.get(column.name), mapping.missing)]


def slots_of(values: Iterable[Value], mapping: TableMapping) -> list[Slot]:
    """The slots of an act's values, normalised."""
    return [Slot(one.column.name, normalised(one.column, one.slot.value, mapping.words)) for one in values]


def keep(
    record: Record, offset: int, file: str, mapping: TableMapping, dev_share: float, test_share: float
) -> KeptRecord:
    """The rows of a record at each border; raises RecordFault where its box would be too large."""
    told = tell(record, mapping, file, offset)
    example, act = rows(told, mapping.words)
    split = split_of(example.content_hash, dev_share, test_share)
    words = {"text": example.tokens, "agenda": [item.token for item in told.items], "goal": example.goal_tokens}
    box = _box(record, mapping, file, offset)
    return KeptRecord(
        split, {"examples": [example], "acts": [act], "boxes": [box]}, _figures(example, record, mapping), words
    )


def tell(record: Record, mapping: TableMapping, file: str, offset: int) -> Told:
    """A record ready for supervision."""
    slots = slots_of(record.values, mapping)
    columns = [value.column for value in record.values]
    named = zip(item_tokens(slots), columns, slots, strict=True)
    return Told(
        id=record.id,
        goal=record.goal,
        goal_tokens=[token.lower() for token in tokenize(record.goal, mapping.language)],
        agenda=[agenda_line(value.slot) for value in record.values],
        slots=slots,
        items=[Item(token, forms_of(column, slot.value, mapping.language)) for token, column, slot in named],
        spoken=[spoken_of(column) for column in columns],
        text=record.text,
        file=file,
        offset=offset,
        language=mapping.language,
    )


def _figures(example: Example, record: Record, mapping: TableMapping) -> dict[str, int]:
    """Lengths; and for each column how many values rows gave, how many the texts mention, and how many are flagged."""
    figures = {"tokens": len(example.tokens), "items": len(record.values)}
    figures |= {f"{what} {column.name}": 0 for column in mapping.columns for what in ("given", "found")}
    figures |= {f"{FINDINGS[column.kind]} {column.name}": 0 for column in mapping.columns if column.kind in FINDINGS}
    mentioned = set(example.ref_items)
    for position, value in enumerate(record.values):
        figures[f"given {value.column.name}"] += 1
        figures[f"found {value.column.name}"] += position in mentioned
        if value.finding:
            figures[f"{value.finding} {value.column.name}"] += 1
    return figures


def _box(record: Record, mapping: TableMapping, file: str, offset: int) -> Box:
    fields: list[str] = []
    positions: list[int] = []
    originals: list[str] = []
    for slot in (value.slot for value in record.values):
        words = tokenize(slot.value, mapping.language)
        before = sum(name == slot.slot for name in fields)
        fields += [slot.slot] * len(words)
        positions += range(before + 1, before + len(words) + 1)
        originals += words
    table = build_table(fields, positions, originals)
    sentences = [describe(sentence, table) for sentence in _sentences(tokenize(record.text, mapping.language))]
    if sum(len(places) for sentence in sentences for places in sentence.occurrences) > MAX_OCCURRENCES:
        raise RecordFault("too_large", f"More than {MAX_OCCURRENCES:,} pairs of equal words in the text and the table.")
    return Box(
        id=digest(name_of(file), record.id),
        source_id=record.id,
        title="",
        url="",
        contributors="",
        fields=table.fields,
        positions=table.positions,
        ends=table.ends,
        tokens=table.tokens,
        originals=table.originals,
        empty_fields=[],
        sentences=sentences,
        file=file,
        offset=offset,
    )


def _sentences(tokens: Iterable[str]) -> list[list[str]]:
    sentences: list[list[str]] = [[]]
    for token in tokens:
        sentences[-1].append(token)
        if token in SENTENCE_ENDS:
            sentences.append([])
    return [sentence for sentence in sentences if sentence]
