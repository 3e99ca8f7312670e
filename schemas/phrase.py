"""A scored word pair of word2phrase (``phrases.parquet``); generation applies the same table."""

from __future__ import annotations

from dataclasses import dataclass

import pyarrow as pa

from schemas.rules import Between, Filled, Rule
from schemas.table import versioned


@dataclass(frozen=True)
class Phrase:
    step: int  # pass of word2phrase, from 1: pass 2 joins what pass 1 made
    first: str  # the pair's first word; from pass 2 on it may be a phrase itself
    second: str  # its second word
    pair_count: int  # count(ab)
    first_count: int  # count(a)
    second_count: int  # count(b)
    words: int  # N, the number of words of this pass
    score: float  # (count(ab) - min) * N / (count(a) * count(b))


PHRASE = versioned(
    "phrase",
    1,
    [
        pa.field("step", pa.int8(), nullable=False),
        pa.field("first", pa.string(), nullable=False),
        pa.field("second", pa.string(), nullable=False),
        pa.field("pair_count", pa.int64(), nullable=False),
        pa.field("first_count", pa.int64(), nullable=False),
        pa.field("second_count", pa.int64(), nullable=False),
        pa.field("words", pa.int64(), nullable=False),
        pa.field("score", pa.float64(), nullable=False),
    ],
)

RULES: tuple[Rule, ...] = (
    Filled("first"),
    Filled("second"),
    Between("step", 1),
    Between("pair_count", 1),
    Between("score", 0),
)
