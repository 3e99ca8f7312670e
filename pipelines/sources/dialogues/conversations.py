"""Adjacent rows of a user's conversations, one turn each -> dialogues in which machine and user alternate."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from pipelines.source import RecordFault
from pipelines.sources.dialogues.cells import text_of
from pipelines.sources.dialogues.mapping import DialogueMapping
from pipelines.sources.records.tables.layout import Row
from schemas.dialogue import MACHINE, USER

MAX_ROWS = 1000  # of a dialogue
MAX_TEXT = 1 << 16  # characters of a row
SPEAKERS = 3  # number of speakers that a sentence names

Turn = tuple[str, str]  # speaker, text


@dataclass
class Conversation:
    """The rows of a dialogue in their order in the file."""

    name: str
    offset: int  # of the first row
    head: bytes  # the first row's first bytes
    rows: list[Turn] = field(default_factory=list)
    fault: RecordFault | None = None  # the first fault in its rows

    def add(self, speaker: str, text: str, number: int, mapping: DialogueMapping) -> None:
        """Add the row of the file that begins in line ``number``."""
        if not speaker:
            self.reject("no_speaker", f"Line {number:,} has no speaker: '{mapping.speaker}' is empty.")
        if len(text) > MAX_TEXT:
            limit = f"the limit is {MAX_TEXT:,}"
            self.reject("long_text", f"The text of line {number:,} has {len(text):,} characters; {limit}.")
        elif len(self.rows) >= MAX_ROWS:
            self.reject(
                "too_many_rows",
                f"The dialogue has more than {MAX_ROWS:,} rows. Is '{mapping.dialogue}' the column that distinguishes "
                "dialogues? Name the right one as `dialogue:` in a mapping.",
            )
        else:
            self.rows.append((speaker, text))

    def reject(self, reason: str, detail: str) -> None:
        self.fault = self.fault or RecordFault(reason, detail)


def conversations(rows: Iterable[Row | str], mapping: DialogueMapping) -> Iterator[Conversation | Row | str]:
    """Yield conversations, rows that belong to none, and sentences about lost input.

    A row that can't be read, between two rows of a dialogue, is also a fault of the dialogue.
    """
    current: Conversation | None = None
    bad: Row | None = None
    for row in rows:
        found = _turn(row, mapping) if isinstance(row, Row) else row
        if isinstance(found, str):
            yield found
        elif isinstance(found, Row):
            yield found
            bad = found
        else:
            name, speaker, text = found
            assert isinstance(row, Row)
            if current is None or current.name != name:
                if current is not None:
                    yield current
                current = Conversation(name, row.offset, row.head or f"{name} {speaker}: {text}".encode())
            elif bad is not None:
                current.reject("broken_turn", f"Line {bad.number:,}, within the dialogue, can't be read: {bad.detail}")
            current.add(speaker, text, row.number, mapping)
            bad = None
    if current is not None:
        yield current


def _turn(row: Row, mapping: DialogueMapping) -> tuple[str, str, str] | Row:
    """Return dialogue, speaker and text; or the row with its fault."""
    if row.cells is None:
        return row
    try:
        name, speaker, text = (text_of(row.cells.get(column), column) for column in mapping.columns)
    except RecordFault as fault:
        return replace(row, cells=None, reason=fault.reason, detail=fault.detail)
    if not name:
        detail = f"The cell of '{mapping.dialogue}', which names the dialogue, is empty."
        return replace(row, cells=None, reason="no_dialogue", detail=detail)
    return name, speaker, text


def turns_of(conversation: Conversation, mapping: DialogueMapping) -> list[Turn]:
    """Return alternating turns of machine and user, the machine first; raise RecordFault if there is nothing to learn.

    Adjacent rows of one speaker are one turn. If the user begins, the machine's first turn is empty.
    """
    if conversation.fault is not None:
        raise conversation.fault
    turns: list[Turn] = []
    for name, text in conversation.rows:
        speaker = MACHINE if name.casefold() == mapping.machine.casefold() else USER
        if turns and turns[-1][0] == speaker:
            text = f"{turns.pop()[1]} {text}".strip()
        turns.append((speaker, text))
    if not any(speaker == MACHINE and any(map(str.isalnum, text)) for speaker, text in turns):
        raise _without_machine(conversation, mapping)
    if len(turns) < 2:
        raise RecordFault("one_turn", "The dialogue has one turn, the machine's; it needs one of the user.")
    return turns if turns[0][0] == MACHINE else [(MACHINE, ""), *turns]


def _without_machine(conversation: Conversation, mapping: DialogueMapping) -> RecordFault:
    names = list(dict.fromkeys(name for name, _ in conversation.rows))
    if any(name.casefold() == mapping.machine.casefold() for name in names):
        return RecordFault("no_words", f"'{mapping.machine}', the machine, says no word in the dialogue.")
    shown = ", ".join(f"'{name[:40]}'" for name in names[:SPEAKERS])
    return RecordFault(
        "no_machine",
        f"No turn is by '{mapping.machine}', the machine; the speakers are {shown}. "
        "Name the machine as `machine: NAME` in a mapping.",
    )
