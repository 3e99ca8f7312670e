"""A restaurant of the dialogues' table (``venues/*.parquet``): one row for each row of the table.

Yang et al. 2017, section 2.1 and table 2. A cell that is empty in the table ("not available") is null here, and its
token is ``_EMPTY``.
"""

from __future__ import annotations

from dataclasses import dataclass

from schemas.rules import Between, Rule, Unique
from schemas.table import Int16, versioned

# The table's columns in the paper's order; a turn's `columns` are positions in this list.
COLUMNS = ("name", "pricerange", "food", "area", "addr", "postcode", "phone")


@dataclass(frozen=True)
class Venue:
    row: Int16  # position in the table, from 0: the j of _NAME_j
    name: str | None  # as the table writes it, like all cells
    pricerange: str | None  # "cheap", "moderate" or "expensive"
    food: str | None  # the cuisine: "asian oriental"
    area: str | None  # part of the town: "centre"
    addr: str | None  # street address
    postcode: str | None  # letters parted by blanks: "c b 5 8 w r"
    phone: str | None  # with its area code: "01223 461661"
    cells: list[list[str]]  # tokens of each cell, in the order of COLUMNS: _NAME_j, "cheap", "asian" "oriental", _EMPTY


VENUE = versioned("venue", 1, Venue)

RULES: tuple[Rule, ...] = (
    Unique("row"),
    Between("row", 0),
    Between("cells", len(COLUMNS), len(COLUMNS), of="length"),
)
