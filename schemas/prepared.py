"""A cleaned recipe that waits in the run's folder for what only the whole corpus can tell (``staged/*.parquet``).

Duplicates, the guard and the phrases depend on all files; an example is made of this row when they are known.
"""

from __future__ import annotations

from dataclasses import dataclass

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


PREPARED = versioned("prepared", 1, Prepared)
