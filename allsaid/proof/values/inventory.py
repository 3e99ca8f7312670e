"""Inventory of the values in the records of a training part, by column."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from allsaid.proof.foods.names import Stems, find_names, stems_of, trie_of
from allsaid.proof.values.measures import as_measure
from schemas.act import SPECIAL, Act, unquoted

Values = Mapping[str, Sequence[str]]  # column -> its values, normalised
MIN_BACKED = 0.5  # smallest share of the texts with a value whose records hold it


def build_values(acts: Iterable[Act]) -> dict[str, list[str]]:
    """Find the known values of each column; numbers are left out, since any number is searched for.

    A value is known if a record holds it, and if at least half of the texts that mention it belong to such records. So
    "hotel" in a text about a hotel counts as no value. Words are compared by stem, since a text may inflect a value.
    """
    rows = [(stems_of(act.normalised.split()), {(slot.slot, slot.value) for slot in act.slots}) for act in acts]
    columns: dict[str, set[str]] = {}
    for _, slots in rows:
        for column, value in slots:
            if value in ("yes", "no") or (value and value not in SPECIAL and as_measure(value.split()) is None):
                columns.setdefault(column, set()).add(value)
    stems = {value: stems_of(unquoted(value).split()) for values in columns.values() for value in values}
    trie = trie_of((value, value) for value in stems.values())
    said: Counter[Stems] = Counter()
    backed: Counter[Stems] = Counter()
    for words, slots in rows:
        held = {stems[value] for _, value in slots if value in stems}
        found = {name for _, _, name in find_names(words, trie)}
        said.update(found)
        backed.update(found & held)
    known = {value for value, own in stems.items() if value in SPECIAL or backed[own] >= MIN_BACKED * said[own]}
    return {column: sorted(map(unquoted, values & known)) for column, values in sorted(columns.items())}
