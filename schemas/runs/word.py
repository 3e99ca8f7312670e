"""How often a shard's words are used (``staged/*.parquet``), to be summed into vocabularies over all shards."""

from __future__ import annotations

from dataclasses import dataclass

from schemas.checks.table import versioned


@dataclass(frozen=True)
class Word:
    vocabulary: str  # "text", "title", …: each source names its own
    word: str  # as in the text
    train: int  # uses in the shard's training records
    dev: int  # uses in its dev records


WORD = versioned("word", 1, Word)
