"""A clean record that is staged in the run's folder until the whole corpus is read (``staged/*.parquet``).

Three steps need all files: removing duplicates, removing training records whose title is too like one of dev or test
(the guard), and learning phrases. The record's rows are written after them.
"""

from __future__ import annotations

from dataclasses import dataclass

from schemas.checks.table import versioned


@dataclass(frozen=True)
class Deferred:
    id: str  # as in the record's rows
    content_hash: str  # 16 hex digits: determines the split
    same: str  # 16 hex digits: records with the same value are duplicates
    title: list[str]  # the words that the guard compares; without any, the guard keeps the record
    names: list[list[str]]  # L lists of words of its items' names, for phrases
    record: str  # the rest of its content, as JSON; each source has its own format
    file: str  # the file that it was read from
    offset: int  # of the record in that file, as its source counts: bytes, lines or records
    head: bytes  # the record's first bytes, for its row of rejected/ if it is rejected
    found: str = "{}"  # figures as JSON; they are counted even if a later step rejects the record


DEFERRED = versioned("deferred", 1, Deferred)
