"""A cleaned recipe that waits in the run's folder for what only the whole corpus can tell (``staged/*.parquet``).

Duplicates, the guard and the phrases depend on all files; an example is made of this row when they are known.
"""

from __future__ import annotations

from dataclasses import dataclass

import pyarrow as pa

from schemas.table import versioned


@dataclass(frozen=True)
class Prepared:
    id: str
    content_hash: str
    goal: str
    goal_tokens: list[str]
    agenda: list[str]  # L items as written
    agenda_words: list[list[str]]  # L lists of name words, phrases not yet merged
    text: str
    surface: str  # tokens as written, parted by blanks, LINE_BREAK between steps, phrases not yet merged
    file: str
    offset: int
    head: bytes  # the record's first bytes, for its row of rejected/ should it go


PREPARED = versioned(
    "prepared",
    1,
    [
        pa.field("id", pa.string(), nullable=False),
        pa.field("content_hash", pa.string(), nullable=False),
        pa.field("goal", pa.string(), nullable=False),
        pa.field("goal_tokens", pa.list_(pa.string()), nullable=False),
        pa.field("agenda", pa.list_(pa.string()), nullable=False),
        pa.field("agenda_words", pa.list_(pa.list_(pa.string())), nullable=False),
        pa.field("text", pa.string(), nullable=False),
        pa.field("surface", pa.string(), nullable=False),
        pa.field("file", pa.string(), nullable=False),
        pa.field("offset", pa.int64(), nullable=False),
        pa.field("head", pa.binary(), nullable=False),
    ],
)
