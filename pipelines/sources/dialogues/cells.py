"""Cells of a user's tables as text."""

from __future__ import annotations

from typing import Any  # Any: cells of any type that a file has

from allsaid.language.characters import comparable
from pipelines.sources.records.tables.layout import cell_text


def text_of(value: Any, column: str) -> str:
    """Return a cell as text in one line, in the form in which texts are compared; "" if it is empty.

    Raises RecordFault for a list or an object.
    """
    return comparable(cell_text(value, column))
