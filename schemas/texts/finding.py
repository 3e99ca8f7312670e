"""A finding of the checker of recipes: something that a cook would stumble over (`allsaid.proof.recipes.checker`)."""

from __future__ import annotations

from dataclasses import dataclass

from schemas.checks.table import Int32

# Kinds, and what each means.
BEFORE_MADE = "used before it is made"
NEVER_USED = "made and never used"
USED_UP = "added again after it is used up"
RAW = "not cooked"  # raw meat, fish, pasta or rice that no step heats
UNBAKED = "not baked"  # flour with a leavening that no step bakes, fries or steams
UNSOURCED = "time or temperature that nobody gave"  # neither the row nor the training recipe that was edited
AMOUNT = "amount that contradicts the list"
FRAGMENT = "not a sentence"
KINDS = (BEFORE_MADE, NEVER_USED, USED_UP, RAW, UNBAKED, UNSOURCED, AMOUNT, FRAGMENT)


@dataclass(frozen=True)
class Finding:
    kind: str  # one of KINDS
    start: Int32  # places of the text's tokens: the passage
    end: Int32  # the place after it
    passage: str  # in lower case
