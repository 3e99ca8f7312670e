"""Cells of a user's tables as text, and which files hold such a table."""

from __future__ import annotations

import unicodedata
from collections import Counter
from typing import Any

from pipelines.sources.records.tables.layout import Layout, TableFault, cell_text
from pipelines.sources.records.tables.rows import look


def layout_of(path: str, encoding: str) -> Layout:
    """What kind of table a file is; raises TableFault for one that is none, or has two columns of one name."""
    layout = look(path, encoding=encoding)
    doubled = [name for name, times in Counter(layout.columns).items() if times > 1]
    if doubled:
        raise TableFault(f"{path} has the column '{doubled[0]}' more than once. Rename one of them.")
    return layout


def text_of(value: Any, column: str) -> str:
    """A cell as text in one line, accents in one way, whole numbers without a point; "" where it holds nothing.

    Raises RecordFault for a cell that holds a list or a table.
    """
    if isinstance(value, float) and value.is_integer():
        value = int(value)  # as data frames keep whole numbers in a column with gaps
    return unicodedata.normalize("NFC", cell_text(value, column))
