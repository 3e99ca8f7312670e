"""What is wrong with a text, or missing in it, or to be looked at: one finding each, with its place and reason."""

from __future__ import annotations

from dataclasses import dataclass

WRONG, MISSING, LOOK = "wrong", "missing", "look at it"
GRADES = (WRONG, MISSING, LOOK)  # most harmful first

# Reasons of what is wrong.
OTHER_VALUE = "the row has another value"
NOT_IN_ROW = "the row has no such value"
OPPOSITE = "the row says the opposite"
DENIED = "the text denies the row's value"
OTHER_COLUMN = "the words next to it belong to another column"
# Reasons of what is missing.
NOT_STATED = "the text does not state it"
# Reasons to look at something.
PARTLY = "only a part of it is there"
HEDGED = "it is only nearly so"
OF_ANOTHER = "the text says it of something else"
SEVERAL_COLUMNS = "it may belong to several columns"
UNKNOWN_NUMBER = "the row has no such number"


@dataclass(frozen=True)
class Finding:
    grade: str  # one of `GRADES`
    column: str  # "" for a number of no column
    line: str  # of the row if it is missing, denied or hedged; else what the text says: "colour=blue", "15 inches"
    reason: str
    first: int = -1  # first word of the text; -1 if it has no place
    last: int = -1  # after the last word
