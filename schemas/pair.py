"""A sequence of words and a text made from it (``pairs/split=*/*.parquet``).

Benmalek et al. 2019, section 4: a logical form and its question, a sentence and its translation, an article and its
summary. Words of the source may occur in the text; some pieces of it the text has to name.
"""

from __future__ import annotations

from dataclasses import dataclass

from schemas.checks.rules import HASH_ID, Between, Filled, Rule, SameLength
from schemas.checks.table import versioned

MAX_SOURCE_TOKENS, MAX_TOKENS = 2000, 1000


@dataclass(frozen=True)
class Pair:
    id: str  # 16 hex digits: hash of the record's place and content
    source: str  # as written, with single blanks
    source_tokens: list[str]  # S tokens, lower case
    items: list[str]  # L pieces of the source that a text has to name, as written; may be empty
    item_tokens: list[list[str]]  # L lists of tokens, lower case
    text: str  # as written, with single blanks
    tokens: list[str]  # T tokens, lower case
    file: str  # the file that the source was read from
    offset: int  # position of its record or line, in bytes of the decompressed file


PAIR = versioned("pair", 1, Pair)

RULES: tuple[Rule, ...] = (
    *HASH_ID,
    Filled("source"),
    Filled("text"),
    Between("source_tokens", 1, MAX_SOURCE_TOKENS, of="length"),
    Between("tokens", 1, MAX_TOKENS, of="length"),
    SameLength("items", "item_tokens"),
    Filled("file"),
    Between("offset", 0),
)
