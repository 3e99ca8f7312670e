"""A scored word pair of word2phrase (``phrases.parquet``); generation applies the same table."""

from __future__ import annotations

from dataclasses import dataclass

from schemas.checks.rules import Between, Filled, Rule
from schemas.checks.table import Int8, versioned


@dataclass(frozen=True)
class Phrase:
    step: Int8  # pass of word2phrase, from 1: pass 2 joins what pass 1 made
    first: str  # the pair's first word; from pass 2 it may be a phrase
    second: str  # its second word
    pair_count: int  # count(ab)
    first_count: int  # count(a)
    second_count: int  # count(b)
    words: int  # N, the number of words of this pass
    score: float  # (count(ab) - min) * N / (count(a) * count(b))


PHRASE = versioned("phrase", 1, Phrase)

RULES: tuple[Rule, ...] = (
    Filled("first"),
    Filled("second"),
    Between("step", 1),
    Between("pair_count", 1),
    Between("score", 0),
)
