"""Tables of fields for the tests."""

from __future__ import annotations

from allsaid.modeling.tables.box_table import Table
from pipelines.sources.wikibio.box import build_table


def table(**given: str) -> Table:
    """A table of fields written with blanks between the words."""
    places = [(name, place, word) for name, value in given.items() for place, word in enumerate(value.split(), 1)]
    found = build_table(*(list(column) for column in zip(*places, strict=True)))
    return Table(found.fields, found.positions, found.ends, found.tokens, found.originals)
