"""A clean record that waits in the run's folder for what only the whole corpus can tell (``staged/*.parquet``).

Duplicates, the guard and the phrases depend on all files; the record's rows are written when they are known.
"""

from __future__ import annotations

from dataclasses import dataclass

from schemas.checks.table import versioned


@dataclass(frozen=True)
class Waiting:
    id: str  # as in the record's rows
    content_hash: str  # 16 hex digits: decides the split
    same: str  # 16 hex digits: records of one are duplicates of each other
    title: list[str]  # the words that the guard compares; a record without any is never guarded
    names: list[list[str]]  # L lists of words of its items' names, in which phrases are looked for
    record: str  # all else that its rows are made of, as JSON of the source's own
    file: str  # where the record was read
    offset: int  # of the record in that file, as its source counts: bytes, lines or records
    head: bytes  # the record's first bytes, for its row of rejected/ should it go
    found: str = "{}"  # figures of what was found in it, as JSON; they count should it go, too


WAITING = versioned("waiting", 2, Waiting)
