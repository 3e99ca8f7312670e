"""A record that was read but not kept (``rejected/*.parquet``): read = kept + rejected."""

from __future__ import annotations

from dataclasses import dataclass

from schemas.checks.rules import Between, Filled, OneOf, Rule
from schemas.checks.table import versioned

STAGES = ("read", "clean", "duplicate", "guard")
NO_TEXT = "no_text"  # the reason of a row that waits for its text: no reference, but an input of `generate`
HEAD_BYTES = 500


@dataclass(frozen=True)
class Rejected:
    stage: str  # one of STAGES
    reason: str  # a short fixed name, for counting: "no_ingredients"
    detail: str  # a sentence for this record; "" if the reason is enough
    id: str  # the record's id; "" if it could not be parsed
    file: str  # the file that it was read from
    offset: int  # position of the record in that file, in the unit of its source: bytes, lines or records
    head: bytes  # the first HEAD_BYTES raw bytes of the record


REJECTED = versioned("rejected", 1, Rejected)

RULES: tuple[Rule, ...] = (
    OneOf("stage", STAGES),
    Filled("reason"),
    Filled("file"),
    Between("offset", 0),
    Between("head", None, HEAD_BYTES, of="length"),
)
