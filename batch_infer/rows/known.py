"""The values of a table's columns, collected from its rows without a model, and a sample of its rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from allsaid.language.number_words import in_digits
from allsaid.language.text import ENGLISH
from allsaid.proof.usage.names import Value, common_in
from allsaid.proof.values.measures import as_measure
from allsaid.proof.values.seen import MAX_KEPT, Values
from batch_infer.rows import facts
from batch_infer.rows.kinds import tables
from batch_infer.rows.parts import table_rows
from batch_infer.rows.sources import Part
from pipelines.sources.records.mapping import TableMapping
from pipelines.sources.records.mapping_keys import NUMBER
from schemas.act import SPECIAL, Slot, parse_agenda_line, unquoted

SAMPLE = 1000  # rows at most, evenly spread over the table

Place = tuple[int, int]  # number of a part, and of a row in it


@dataclass(frozen=True)
class Known:
    values: Values
    common: set[Value]  # the values that a cell has in lower case
    sample: dict[Place, tables.Record]


def known_values(parts: Sequence[Part], mapping: str) -> Known:
    """Return the values of each column, normalised, as `build_values` does for a training part.

    Columns of more than :data:`MAX_KEPT` values are left out. So are numbers: texts are searched for all numbers, known
    or not.
    """
    found: dict[str, set[str]] = {}
    common: set[Value] = set()

    @lru_cache(MAX_KEPT)
    def read(line: str) -> tuple[Slot, set[Value]]:
        return facts.agenda_slots([line], tables.mapping_of(mapping))[0], common_in([line])

    step, sample = -(-sum(part.rows for part in parts) // SAMPLE), dict[Place, tables.Record]()

    def lines() -> Iterator[str]:
        rows = (((part.number, number), row) for part in parts for number, row in enumerate(table_rows(part)))
        for count, (place, row) in enumerate(rows):
            record = tables.record(row, mapping)
            if count % step == 0 and record.fault is None:
                sample[place] = record
            yield from (*record.agenda, *record.omissible)

    for slot, in_lower_case in map(read, lines()):
        values, value = found.setdefault(slot.slot, set()), slot.value
        is_word = bool(value) and value not in SPECIAL and as_measure(value.split()) is None
        if len(values) <= MAX_KEPT and (is_word or value in ("yes", "no")):
            values.add(value)
            common |= in_lower_case
    known = {name: sorted(map(unquoted, values)) for name, values in sorted(found.items()) if len(values) <= MAX_KEPT}
    return Known(known, common, sample)


def ignored_in(text: str, lines: Iterable[str], mapping: TableMapping) -> Iterator[str]:
    """Yield the lines of a row's ignored columns that a text may state.

    The line of the id is left out unless the text contains the id: every row has another id, and parsing them all would
    fill the caches of parsed values.
    """
    for line in lines:
        slot = parse_agenda_line(line)
        if slot.slot != mapping.id or slot.value.lower() in text.lower():
            yield line


def no_numbers(agenda: Iterable[str], mapping: TableMapping | None) -> list[str]:
    """Return the values without a number in columns of numbers: "on request" of "price=on request"."""
    if mapping is None:
        return []
    numbers = {column.name for column in mapping.columns if column.kind == NUMBER}
    slots = ((line, parse_agenda_line(line)) for line in agenda)
    return [
        slot.value
        for line, slot in slots
        if slot.slot in numbers
        and not any(map(str.isdigit, slot.value))
        and in_digits(slot.value.lower().split(), frozenset(), mapping.language or ENGLISH) is None
        and facts.is_flagged(line, mapping)
    ]
