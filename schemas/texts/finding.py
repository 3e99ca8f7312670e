"""A finding in a text: a passage that is wrong or that a person should look at, or a missing value.

In a recipe, it is about a step that a cook could not follow (`allsaid.proof.recipes.checker`). In a text of a record,
it is about a value (`allsaid.proof.findings` has the reasons).
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
UNSOURCED = "time or temperature that nobody gave"  # neither the row nor the edited training recipe has it
AMOUNT = "amount that contradicts the list"
FRAGMENT = "not a sentence"
KINDS = (BEFORE_MADE, NEVER_USED, USED_UP, RAW, UNBAKED, OTHER_DISH, IMPOSSIBLE, UNSOURCED, AMOUNT, FRAGMENT)


@dataclass(frozen=True)
class Finding:
    kind: str  # one of KINDS; for a record's value, the reason
    start: Int32  # position of the passage's first token (for a record: word); -1 for a missing value
    end: Int32  # the position after its last token or word
    passage: str  # in lower case
    grade: str = LOOK  # one of GRADES
    column: str = ""  # of a record; "" for a number of no column
    line: str = ""  # of a record: the missing, denied or hedged agenda line, else the text's value: "colour=blue"
