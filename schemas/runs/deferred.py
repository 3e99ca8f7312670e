"""A clean record that is staged in the run's folder until the whole corpus is read (``staged/*.parquet``).

Three steps need all files: removing duplicates, removing training records whose title is too similar to one of dev or
test (the guard), and learning phrases. The record's rows are written after these steps.
"""

from __future__ import annotations

from dataclasses import dataclass

from schemas.checks.table import versioned


@dataclass(frozen=True)
class Deferred:
    id: str  # as in the record's rows
    content_hash: str  # 16 hex digits: determines the split
    same: str  # 16 hex digits: records with the same value are duplicates
    title: list[str]  # the words that the guard compares; a record without any is kept
    names: list[list[str]]  # L lists: the words of each item's name, for phrases
    record: str  # the rest of the record, as JSON; each source has its own format
    file: str  # the file that it was read from
    offset: int  # position of the record in that file, in the unit of its source: bytes, lines or records
    head: bytes  # the record's first bytes, for its row of rejected/ if it is rejected
    found: str = "{}"  # its figures for the statistics, as JSON; they count even if a later step rejects the record


DEFERRED = versioned("deferred", 1, Deferred)
