"""The known values of a table's columns, by its rows alone."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from allsaid.proof.values.measures import as_measure
from allsaid.proof.values.seen import MAX_KEPT, Values
from batch_infer.rows import facts
from batch_infer.rows.kinds import tables
from batch_infer.rows.parts import table_rows
from batch_infer.rows.sources import Part
from schemas.act import SPECIAL, unquoted


def known_values(parts: Sequence[Part], mapping: str) -> Values:
    """Return the values of each column, normalised, as `build_values` does for a training part.

    Numbers are left out, since any number is searched for, and so are columns of more than :data:`MAX_KEPT` values.
    """
    found: dict[str, set[str]] = {}
    slots_of = lru_cache(MAX_KEPT)(lambda line: facts.slots_of([line], tables.mapping_of(mapping)))
    lines = (line for part in parts for row in table_rows(part) for line in tables.record(row, mapping).agenda)
    for (slot,) in map(slots_of, lines):
        values, value = found.setdefault(slot.slot, set()), slot.value
        is_word = bool(value) and value not in SPECIAL and as_measure(value.split()) is None
        if len(values) <= MAX_KEPT and (is_word or value in ("yes", "no")):
            values.add(value)
    return {name: sorted(map(unquoted, values)) for name, values in sorted(found.items()) if len(values) <= MAX_KEPT}
