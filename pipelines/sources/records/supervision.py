"""Conversion of a row of a user's table to an act, a supervised example with its text, and a box of fields."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from allsaid.language.characters import comparable
from allsaid.language.text import ENGLISH, tokenize
from allsaid.language.units import other_spellings
from pipelines.linking.acts import ActText, rows
from pipelines.linking.delex import Item, item_tokens
from pipelines.linking.splits import split_of
from pipelines.recipes.linking import SENTENCE_ENDS
from pipelines.source import KeptRecord, RecordFault
from pipelines.sources.records.ids import digest, name_of
from pipelines.sources.records.mapping import Column, TableMapping
from pipelines.sources.records.mapping_keys import YES_NO
from pipelines.sources.records.tables.layout import Cells
from pipelines.sources.records.values import UNCLEAR, Value, forms_of, normalised, phrases_of, spoken_of, values_of
from pipelines.sources.wikibio.box import MAX_OCCURRENCES, build_table, describe
from schemas.act import Slot, agenda_line
from schemas.box import Box
from schemas.example import Example


@dataclass(frozen=True)
class Record:
    """A row, read by the mapping."""

    id: str
    goal: str
    text: str
    values: list[Value]  # in the agenda's order


def values_of_row(cells: Cells, mapping: TableMapping) -> list[Value]:
    """Return the values of a row's agenda; raises RecordFault."""
    return [value for column in mapping.columns for value in values_of(column, cells.get(column.name), mapping.missing)]


def slots_of(values: Iterable[Value], mapping: TableMapping) -> list[Slot]:
    """Return the slots of an act's values, normalised."""
    return [Slot(value.column.name, normalised(value.column, value.slot.value, mapping.words)) for value in values]


def keep(
    record: Record, offset: int, file: str, mapping: TableMapping, dev_share: float, test_share: float
) -> KeptRecord:
    """Return the rows of a record at each border; raises RecordFault if its box would be too large."""
    act_text = prepared(record, mapping, file, offset)
    example, act = rows(act_text, mapping.words)
    split = split_of(example.content_hash, dev_share, test_share)
    words = {"text": example.tokens, "agenda": [item.token for item in act_text.items], "goal": example.goal_tokens}
    box = _box(record, mapping, file, offset)
    return KeptRecord(
        split, {"examples": [example], "acts": [act], "boxes": [box]}, _figures(example, record, mapping), words
    )


def prepared(record: Record, mapping: TableMapping, file: str, offset: int) -> ActText:
    """Return the act and the text of a record, ready to be linked."""
    slots = slots_of(record.values, mapping)
    columns = [value.column for value in record.values]
    named = zip(item_tokens(slots), columns, slots, strict=True)
    return ActText(
        id=record.id,
        goal=record.goal,
        goal_tokens=goal_tokens(record.goal, mapping.language),
        agenda=[agenda_line(value.slot) for value in record.values],
        slots=slots,
        items=[item_of(token, column, slot, mapping.language) for token, column, slot in named],
        keywords=[spoken_of(column) for column in columns],
        text=record.text,
        file=file,
        offset=offset,
        language=mapping.language,
    )


def goal_tokens(goal: str, language: str) -> list[str]:
    """Return the tokens of a goal, in lower case."""
    return [token.lower() for token in tokenize(comparable(goal), language)]


def item_of(token: str, column: Column, slot: Slot, language: str) -> Item:
    """Return an item of the agenda, with the ways in which texts write its normalised value."""
    said = phrases_of(column, slot.value) if column.kind == YES_NO else ()
    forms = forms_of(column, slot.value, language)
    if language in ("", ENGLISH):
        forms = tuple(dict.fromkeys((*forms, *(other for form in forms for other in other_spellings(form)))))
    return Item(token, forms, said)


def _figures(example: Example, record: Record, mapping: TableMapping) -> dict[str, int]:
    """Return lengths, and for each column the number of values, of values that the text mentions, and of findings."""
    figures = {"tokens": len(example.tokens), "items": len(record.values), **mapping.no_figures}
    mentioned = set(example.ref_items)
    for position, value in enumerate(record.values):
        figures[f"given {value.column.name}"] += 1
        figures[f"found {value.column.name}"] += position in mentioned
        if value.finding:
            figures[f"{value.finding} {value.column.name}"] += 1
        elif value.is_unclear:
            figures[f"{UNCLEAR} {value.column.name}"] = 1
    return figures


def _box(record: Record, mapping: TableMapping, file: str, offset: int) -> Box:
    fields: list[str] = []
    positions: list[int] = []
    originals: list[str] = []
    for slot in (value.slot for value in record.values):
        words = tokenize(comparable(slot.value), mapping.language)
        before = fields.count(slot.slot)
        fields += [slot.slot] * len(words)
        positions += range(before + 1, before + len(words) + 1)
        originals += words
    table = build_table(fields, positions, originals)
    tokens = tokenize(comparable(record.text), mapping.language)
    sentences = [describe(sentence, table) for sentence in _sentences(tokens)]
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
