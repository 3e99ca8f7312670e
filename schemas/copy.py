"""A recipe with its pointer supervision: which ingredient token each text token copies (``copies/split=*/*.parquet``).

Yang et al. 2016, section 2.2: a switch decides at each token between the vocabulary and a copy from the ingredients;
the string match that supervises it is given as two positions for each token.
"""

from __future__ import annotations

from dataclasses import dataclass

from schemas.checks.rules import Between, DisjointSplits, Filled, PointsInto, Rule, SameLength
from schemas.checks.table import Int16, versioned
from schemas.example import NO_ITEM

NO_COPY = NO_ITEM

# The paper's filter (section 4), line breaks counted.
MIN_TOKENS, MAX_TOKENS = 10, 500
MAX_INGREDIENT_TOKENS = 2000  # of all ingredients together; the largest real recipe has about 200


@dataclass(frozen=True)
class CopyExample:
    id: str  # the record's id
    content_hash: str  # 16 hex digits of the directions' letters and digits: decides the split
    title: str  # with single blanks
    url: str  # "": none
    ingredients: list[str]  # L lines as written, HTML decoded, without group headers and empty lines
    groups: list[str]  # L: the group header above the ingredient, as written ("Irish Stew:"); "": none
    ingredient_tokens: list[list[str]]  # L lists of lower-case tokens of the whole line
    text: str  # the directions in written form, with line feeds between steps
    tokens: list[str]  # T lower-case tokens, LINE_BREAK between steps
    copy_items: list[Int16]  # T: the ingredient whose token this one copies; NO_COPY: none
    copy_tokens: list[Int16]  # T: the position within that ingredient's tokens; NO_COPY: none
    file: str  # the file that it was read from
    offset: int  # position of the record's first byte, in bytes of the decompressed file


COPY = versioned("copy", 1, CopyExample)

RULES: tuple[Rule, ...] = (
    *map(Filled, ("id", "title", "text", "ingredients")),
    Between("id", 16, 16, of="length"),
    Between("tokens", MIN_TOKENS, MAX_TOKENS, of="length"),
    Between("offset", 0),
    SameLength("ingredients", "groups"),
    SameLength("ingredients", "ingredient_tokens"),
    SameLength("tokens", "copy_items"),
    SameLength("tokens", "copy_tokens"),
    PointsInto("copy_items", "ingredients"),
    DisjointSplits("content_hash"),
)
