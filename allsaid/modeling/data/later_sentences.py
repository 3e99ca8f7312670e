"""Later sentences of texts as separate examples, from which a model learns to continue after a first sentence."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from itertools import islice

import pyarrow as pa

from allsaid.proof.habits import sentences
from schemas.checks.table import to_table
from schemas.example import EXAMPLE, NEW, NO_ITEM, USED, Example

CHUNK = 10_000  # sentences held in memory at once


def later_tables(examples: Iterable[Example], abbreviations: Collection[str]) -> Iterator[pa.Table]:
    """Yield the later sentences in tables like those of a data set."""
    later = later_sentences(examples, abbreviations)
    while chunk := list(islice(later, CHUNK)):
        yield to_table(chunk, EXAMPLE)


def later_sentences(examples: Iterable[Example], abbreviations: Collection[str] = frozenset()) -> Iterator[Example]:
    """Yield each sentence after a text's first that states items of its row; these are its agenda."""
    for example in examples:
        _, *later = [*sentences(example.tokens, abbreviations)] or [range(0)]
        for places in later:
            items = sorted({example.ref_items[place] for place in places} - {NO_ITEM})
            if items:
                yield _sentence(example, places, items)


def _sentence(example: Example, places: range, items: list[int]) -> Example:
    """Return the sentence as an example; its first mention of an item is new, even if the text mentioned it before."""
    part = slice(places.start, places.stop)
    refs = [NO_ITEM if item == NO_ITEM else items.index(item) for item in example.ref_items[part]]
    mentioned: set[int] = set()
    types = []
    for item, kind in zip(refs, example.ref_types[part], strict=True):
        types.append(kind if item == NO_ITEM else USED if item in mentioned else NEW)
        mentioned.add(item)
    return replace(
        example,
        id=f"{example.id}:{places.start}",
        agenda=[example.agenda[item] for item in items],
        agenda_tokens=[example.agenda_tokens[item] for item in items],
        text=" ".join(example.surface[part]),
        tokens=example.tokens[part],
        surface=example.surface[part],
        ref_types=types,
        ref_items=refs,
    )
