"""An offer of the dialogues' table (``offers/*.parquet``): one row for each row of the table.

Yang et al. 2017, section 2.1 and table 2. A cell that is empty in the table is null here, and its token is EMPTY.
"""

from __future__ import annotations

from dataclasses import dataclass

from schemas.checks.rules import Between, Filled, Rule, SameLength, Unique
from schemas.checks.table import Int16, versioned

EMPTY = "_EMPTY"


@dataclass(frozen=True)
class Offer:
    row: Int16  # position in the table, from 0: the j of _NAME_j
    columns: list[str]  # C names, the same in each row; a turn's `columns` are positions in this list
    written: list[str | None]  # C cells as in the table; null: empty
    cells: list[
        list[str]
    ]  # C: the one token _NAME_j of a cell that identifies its row; else the cell's words, or EMPTY


OFFER = versioned("offer", 1, Offer)

RULES: tuple[Rule, ...] = (
    Unique("row"),
    Between("row", 0),
    Filled("columns"),
    SameLength("columns", "written"),
    SameLength("columns", "cells"),
)
