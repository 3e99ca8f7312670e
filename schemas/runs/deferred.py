"""A clean record that is staged in the run's folder until the whole corpus is read (``staged/*.parquet``).

Duplicates, the guard and the phrases depend on all files; the record's rows are written after these steps.
"""

from __future__ import annotations

from dataclasses import dataclass

from schemas.checks.table import versioned


@dataclass(frozen=True)
class Deferred:
    id: str  # as in the record's rows
    content_hash: str  # 16 hex digits: determines the split
    same: str  # 16 hex digits: records with the same value are duplicates
    title: list[str]  # the words that the guard compares; a record without any is never guarded
    names: list[list[str]]  # L lists of words of its items' names, for phrases
    record: str  # the other content of its rows, as JSON in the source's own form
    file: str  # the file that it was read from
    offset: int  # of the record in that file, as its source counts: bytes, lines or records
    head: bytes  # the record's first bytes, for its row of rejected/ if it is rejected
    found: str = "{}"  # figures, as JSON, that also count if it is rejected


DEFERRED = versioned("deferred", 1, Deferred)
