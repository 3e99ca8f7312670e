"""A table of fields with sentences about it (``boxes/split=*/*.parquet``).

Lebret et al. 2016, section 3.2: a table is a set of fields, each a row of tokens. A token of a sentence is described by
all its occurrences in the table as triplets of field, position from the start and position from the end (equation 5).
"""

from __future__ import annotations

from dataclasses import dataclass

from schemas.checks.rules import HASH_ID, Between, Filled, Rule, SameLength
from schemas.checks.table import Int32, versioned

# Placeholders of numerals in ``tokens``; ``originals`` has the numerals as written.
NUMBER = "<number>"
YEAR = "<year>"


@dataclass(frozen=True)
class Sentence:
    tokens: list[str]  # T tokens, lower case, numerals as NUMBER or YEAR
    originals: list[str]  # T tokens as the file wrote them
    occurrences: list[list[Int32]]  # T: the indices of the same token in the table's N tokens


@dataclass(frozen=True)
class Box:
    id: str  # 16 hex digits: hash of source_id, table and sentences
    source_id: str  # the corpus' own number; "": none
    title: str  # of the article; "": none
    url: str  # of the article; "": none
    contributors: str  # address of the list of the text's authors; "": none
    fields: list[str]  # N names, one for each token of the table
    positions: list[Int32]  # N positions from the field's start, from 1
    ends: list[Int32]  # N positions from the field's end, from 1
    tokens: list[str]  # N tokens, lower case, numerals as NUMBER or YEAR
    originals: list[str]  # N tokens as the file wrote them
    empty_fields: list[str]  # fields of the table without a token
    sentences: list[Sentence]  # in the text's order; a source may put several on one line
    file: str  # the file that it was read from; a member of an archive as ARCHIVE/MEMBER
    offset: int  # position of its line, in bytes of the decompressed file


BOX = versioned("box", 1, Box)

RULES: tuple[Rule, ...] = (
    *HASH_ID,
    Filled("tokens"),
    *(SameLength("tokens", column) for column in ("fields", "positions", "ends", "originals")),
    Filled("file"),
    Between("offset", 0),
)
