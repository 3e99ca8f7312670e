"""A cleaned recipe that waits in the run's folder for what only the whole corpus can tell (``staged/*.parquet``).

Duplicates, the guard and the phrases depend on all files; an example is made of this row when they are known.
"""

from __future__ import annotations

from dataclasses import dataclass

import pyarrow as pa

from schemas.table import versioned


@dataclass(frozen=True)
class Prepared:
    id: str  # as in the example
    content_hash: str  # as in the example
    goal: str  # the title as written
    goal_tokens: list[str]  # word tokens of the title, lower case
    agenda: list[str]  # L items as written
    agenda_words: list[list[str]]  # L lists of name words, phrases not yet merged
    text: str  # the cleaned directions, steps parted by line feeds
    surface: str  # tokens as written, parted by blanks, LINE_BREAK between steps, phrases not yet merged
    file: str  # where the record was read
    offset: int  # of its header, in bytes of the decompressed file
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
