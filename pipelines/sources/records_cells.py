"""Cells of a table as they were read -> their text."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from pipelines.decode import without_c1
from pipelines.source import RecordFault


def cell_text(value: Any, column: str) -> str:
    """A column's cell as text in one line; "" for what holds nothing. Raises RecordFault for a table in the table."""
    if isinstance(value, str):
        text = value
    elif value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    elif isinstance(value, bool):
        return "yes" if value else "no"
    elif isinstance(value, bytes):
        text = value.decode("utf-8", "replace")
    elif isinstance(value, Mapping | list | tuple):
        raise RecordFault("bad_value", f"The cell of '{column}' holds {str(value)[:80]}, which is no single value.")
    else:
        text = str(value)
    if not text.isascii():
        text = without_c1(text.encode("utf-8", "replace").decode())  # halves of surrogate pairs
    return " ".join(text.split())
