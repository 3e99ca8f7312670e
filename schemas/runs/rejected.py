"""A record that was read and not kept (``rejected/*.parquet``): read = kept + rejected."""

from __future__ import annotations

from dataclasses import dataclass

from schemas.checks.rules import Between, Filled, OneOf, Rule
from schemas.checks.table import versioned

STAGES = ("read", "clean", "duplicate", "guard")
HEAD_BYTES = 500


@dataclass(frozen=True)
class Rejected:
    stage: str  # one of STAGES
    reason: str  # a short fixed name, for counting: "no_ingredients"
    detail: str  # a sentence for this record, "" where the reason says it all
    id: str  # the record's id, "" where it did not parse
    file: str  # where it was read
    offset: int  # of the record in that file, as its source counts: bytes, lines or records
    head: bytes  # the first HEAD_BYTES raw bytes of the record


REJECTED = versioned("rejected", 1, Rejected)

RULES: tuple[Rule, ...] = (
    OneOf("stage", STAGES),
    Filled("reason"),
    Filled("file"),
    Between("offset", 0),
    Between("head", None, HEAD_BYTES, of="length"),
)
