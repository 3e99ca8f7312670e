"""A supervised example: goal, agenda, text, and the agenda item that each token mentions.

Examples are in ``examples/split=*/*.parquet``. The task is that of Kiddon et al. 2016, section 2: given a goal g and an
agenda E, write a text x. For each text token, string match gives a type (none, new, used) and an item (section 4.6).
"""

from __future__ import annotations

from dataclasses import dataclass

from schemas.checks.rules import (
    Between,
    DisjointSplits,
    Filled,
    OneOf,
    PointsInto,
    PresentWhen,
    Rule,
    SameLength,
    Unique,
)
from schemas.checks.table import Int8, Int16, versioned

SPLITS = ("train", "dev", "test")

# Types of a text token, by its mention of an item.
UNSUPERVISED = -1  # "all ingredients" and the like: the token determines no item
NONE = 0
NEW = 1  # first mention of an item
USED = 2  # later mention
NO_ITEM = -1

LINE_BREAK = "<br>"  # the one token between two steps
PHRASE_JOINER = "_"  # `olive oil` -> `olive_oil`

# Limits of a usable record (see README, "Limits").
MIN_ITEMS, MAX_ITEMS = 2, 40
MIN_TOKENS, MAX_TOKENS = 5, 814  # the minimum is low: "Combine all ingredients. Cover and chill." is a whole recipe


@dataclass(frozen=True)
class Example:
    id: str  # the record's id
    content_hash: str  # 16 hex digits, of the text's letters and digits; equal for duplicates, decides the split
    goal: str  # the title as written
    goal_tokens: list[str]  # word tokens, lower case
    agenda: list[str]  # L items as written: "2 limes, juiced"
    agenda_tokens: list[list[str]]  # L lists of name tokens, without amounts, phrases merged
    text: str  # the cleaned text in written form, not in tokens, with line feeds between the steps of a recipe
    tokens: list[str]  # T tokens, lower case, phrases merged, LINE_BREAK between steps
    surface: list[str]  # T tokens as written in the text (with case, and blanks in phrases)
    ref_types: list[Int8]  # T of UNSUPERVISED, NONE, NEW, USED
    ref_items: list[Int16]  # T positions in the agenda; NO_ITEM if the type is NONE or UNSUPERVISED
    file: str  # the file that the record was read from
    offset: int  # position of the record in that file, in the unit of its source: bytes, lines or records


EXAMPLE = versioned("example", 1, Example)

RULES: tuple[Rule, ...] = (
    *map(Filled, ("id", "goal_tokens", "text", "tokens")),
    Unique("id"),
    SameLength("agenda", "agenda_tokens"),
    *(SameLength("tokens", column) for column in ("surface", "ref_types", "ref_items")),
    OneOf("ref_types", (UNSUPERVISED, NONE, NEW, USED)),
    PointsInto("ref_items", "agenda"),
    PresentWhen("ref_items", "ref_types", (NEW, USED)),
    DisjointSplits("content_hash"),
)
# For a corpus whose own splits have texts in common.
GIVEN_SPLIT_RULES = tuple(rule for rule in RULES if not isinstance(rule, DisjointSplits))
RECIPE_RULES: tuple[Rule, ...] = (
    *RULES,
    Between("agenda", MIN_ITEMS, MAX_ITEMS, of="length"),
    Between("tokens", MIN_TOKENS, MAX_TOKENS, of="length"),
)
