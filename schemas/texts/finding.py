"""A finding in a text: something that is wrong, missing, or to be looked at.

In a recipe, it is something that a cook would stumble over (`allsaid.proof.recipes.checker`). In a text of a record, it
is about a value (`allsaid.proof.findings` has the reasons).
"""

from __future__ import annotations

from dataclasses import dataclass

from schemas.checks.table import Int32

WRONG, MISSING, LOOK = "wrong", "missing", "look at it"
GRADES = (WRONG, MISSING, LOOK)  # most harmful first
# Kinds in recipes, and what each means.
BEFORE_MADE = "used before it is made"
NEVER_USED = "made and never used"
USED_UP = "added again after it is used up"
RAW = "not cooked"  # raw meat, fish, pasta or rice that no step heats
UNBAKED = "not baked"  # flour with a leavening that no step bakes, fries or steams, or yeast that has no time to rise
OTHER_DISH = "another dish"  # ice cream that no step freezes
IMPOSSIBLE = "not done to this food"  # "slice the milk"
UNSOURCED = "time or temperature that nobody gave"  # neither the row nor the training recipe that was edited
AMOUNT = "amount that contradicts the list"
FRAGMENT = "not a sentence"
KINDS = (BEFORE_MADE, NEVER_USED, USED_UP, RAW, UNBAKED, OTHER_DISH, IMPOSSIBLE, UNSOURCED, AMOUNT, FRAGMENT)


@dataclass(frozen=True)
class Finding:
    kind: str  # one of KINDS; of a record's value the reason
    start: Int32  # first token of the passage, of a record its first word; -1 if it has no place
    end: Int32  # the place after it
    passage: str  # in lower case
    grade: str = LOOK  # one of GRADES
    column: str = ""  # of a record; "" for a number of no column
    line: str = ""  # of a record: its line if that is missing, denied or hedged, else what the text says: "colour=blue"
