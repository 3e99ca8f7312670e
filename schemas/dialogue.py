"""A dialogue with its references to a table of offers (``dialogues/split=*/*.parquet``).

Yang et al. 2017, sections 2.1 and 4.1: the machine speaks first, then both in turn; a cell of the table with several
words is one token, and each token has a reference to its cell, if any.
"""

from __future__ import annotations

from dataclasses import dataclass

from schemas.checks.rules import Between, Filled, OneOf, Rule, Unique
from schemas.checks.table import Int8, Int16, versioned

FOLDS = 5
NO_FOLD = -1  # no cross-validation: a dialogue keeps the split of its folder
NO_CELL = -1
MACHINE, USER = "machine", "user"


@dataclass(frozen=True)
class Turn:
    speaker: str  # MACHINE or USER
    text: str  # in one line as in the source; for DSTC2 normalised: lower case, single blanks between tokens
    transcribed: bool  # false if text is the speech recogniser's best guess, without a transcription
    tokens: list[str]  # T; a cell that identifies its row j is one token: _NAME_j, _PHONE_j; an empty cell is _EMPTY
    written: list[str]  # T: the text's words for a cell, if the table writes it differently; else ""
    rows: list[Int16]  # T rows of the table (of `offers`); NO_CELL: the token refers to no cell
    columns: list[Int8]  # T columns of the table: positions in `columns` of an offer; NO_CELL as in `rows`
    table_oov: list[bool]  # T: refers to a cell, and no dialogue of the other folds has this token
    acts: list[str]  # the turn's dialogue acts with their slots as written, where known: "request(slot='food')"
    unlisted: list[str]  # restaurants of the acts that the table lacks; they stay several tokens


@dataclass(frozen=True)
class Dialogue:
    id: str  # the session's: "voip-b772dbf437-20130402_143019"; in a user's conversations their own name
    content_hash: str  # 16 hex digits of the letters and digits of all turns
    fold: Int8  # 0 to 4, by the session's name: one of FOLDS parts for cross-validation
    goal: str  # the task that the user was given; "": no label
    turns: list[Turn]  # machine, user, machine, …
    file: str  # the file that it was read from: the archive, the call's log, the file of conversations
    offset: int  # of its first file in a decompressed archive, or of its first row in a file of conversations; else 0


DIALOGUE = versioned("dialogue", 1, Dialogue)

RULES: tuple[Rule, ...] = (
    Filled("id"),
    Unique("id"),
    Between("content_hash", 16, 16, of="length"),
    OneOf("fold", tuple(range(FOLDS))),
    Between("turns", 2, of="length"),
    Between("offset", 0),
)
