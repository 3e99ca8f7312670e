"""Layouts of a user's tables, and their cells as text."""

from __future__ import annotations

import unicodedata
from collections import Counter
from typing import Any

from pipelines.sources.records.tables.layout import Layout, TableFault, cell_text
from pipelines.sources.records.tables.rows import look


def layout_of(path: str, encoding: str) -> Layout:
    """Return the layout of a table; raise TableFault for another file, or two columns with one name."""
    layout = look(path, encoding=encoding)
    doubled = [name for name, times in Counter(layout.columns).items() if times > 1]
    if doubled:
        raise TableFault(f"{path} has the column '{doubled[0]}' more than once. Rename one of them.")
    return layout


def text_of(value: Any, column: str) -> str:
    """Return a cell as text in one line, in Unicode's form NFC and whole numbers without a point; "" if it is empty.

    Raises RecordFault for a list or an object.
    """
    if isinstance(value, float) and value.is_integer():
        value = int(value)  # data frames store whole numbers as floats in a column with gaps
    return unicodedata.normalize("NFC", cell_text(value, column))
