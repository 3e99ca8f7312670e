"""A part of a document with the entity that each token mentions (``documents/split=*/*.parquet``).

Yang et al. 2017, sections 2.3 and 4: documents of at most 500 tokens, entities with two mentions at least, and one
token for each mention. Entities are those of this part; mentions elsewhere in the document don't count.
"""

from __future__ import annotations

from dataclasses import dataclass

from schemas.checks.rules import HASH_ID, Between, DisjointSplits, Filled, PointsInto, Rule, SameLength
from schemas.checks.table import Int16, Int32, versioned

NO_ENTITY = -1


@dataclass(frozen=True)
class Document:
    id: str  # 16 hex digits: hash of content_hash and part_number
    content_hash: str  # 16 hex digits of the whole document's tokens: all its parts are in one split
    name: str  # of the whole document: "1023_bleak_house_brat"
    part_number: Int32  # position of this part in the document, from 0
    first: Int32  # position of the first token in the whole document
    tokens: list[str]  # T tokens, lower case
    originals: list[str]  # T tokens as the file wrote them
    entities: list[Int16]  # T positions in chains, by first mention; NO_ENTITY: the token mentions none
    chains: list[str]  # N entities as the file numbers them, the same in all parts; each has at least two tokens here
    file: str  # the file that it was read from
    offset: int  # position of the first token's line, in bytes of the decompressed file


DOCUMENT = versioned("document", 1, Document)

RULES: tuple[Rule, ...] = (
    *HASH_ID,
    Between("content_hash", 16, 16, of="length"),
    Filled("name"),
    Between("part_number", 0),
    Between("first", 0),
    Filled("tokens"),
    SameLength("tokens", "originals"),
    SameLength("tokens", "entities"),
    PointsInto("entities", "chains"),
    DisjointSplits("content_hash"),
    Filled("file"),
    Between("offset", 0),
)
