"""The machine's turns as dialogue acts with their texts: goal and agenda, as the checklist model reads them.

The goal is the turn's act types, the agenda their slots; placeholders and references come from
``pipelines/linking/acts.py``, as for the RNNLG files.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from allsaid.language.word_table import WORDS
from pipelines.linking.acts import Told, keywords, normalise_slots, rows
from pipelines.linking.delex import items_of
from pipelines.sources.dstc2.calls import Act as SpokenAct
from pipelines.sources.dstc2.calls import Spoken
from pipelines.sources.dstc2.table import ADDR, COLUMNS, POSTCODE, spoken_cell
from schemas.act import Act, Slot, agenda_line
from schemas.dialogue import Turn
from schemas.example import Example
from schemas.offer import EMPTY, Offer

ASKED_FOR = "slot"  # request(slot=food) asks for food
UNSPOKEN = "canthelp.exception"  # names the restaurants that the user has already turned down


def act_rows(
    id: str, spoken: Spoken, turn: Turn, offers: Sequence[Offer], file: str, offset: int
) -> tuple[Example, Act] | None:
    """Example and act of a machine turn; None where it has no act or says nothing."""
    if not spoken.acts or not turn.tokens:
        return None
    types = list(dict.fromkeys(act.name for act in spoken.acts))
    said = _said(turn, offers)
    written = _slots(spoken.acts, said)
    slots = [Slot(slot.slot, said.get(slot.slot, slot.value)) for slot in normalise_slots(written, WORDS)]
    told = Told(
        id=id,
        goal=" ".join(types),
        goal_tokens=types,
        agenda=[agenda_line(slot) for slot in written],
        slots=slots,
        items=items_of(slots),
        spoken=[keywords(slot.slot) for slot in slots],
        text=" ".join(spoken.text.split()),
        file=file,
        offset=offset,
    )
    return rows(told, WORDS)


def _slots(acts: Sequence[SpokenAct], said: Mapping[str, str]) -> list[Slot]:
    """The acts' slots, each once, since a turn may repeat its offer."""
    slots: dict[Slot, None] = {}
    for slot, value in (pair for act in acts if act.name != UNSPOKEN for pair in act.slots):
        if slot == ASKED_FOR:
            slots[Slot(value, "")] = None
        elif slot == COLUMNS[POSTCODE]:  # the logged act has only its first half
            slots[Slot(slot, said.get(slot, value))] = None
        else:
            slots[Slot(slot, value)] = None
    return list(slots)


def _said(turn: Turn, offers: Sequence[Offer]) -> dict[str, str]:
    """The words in the turn that stand for an address or a post code of the table, by column."""
    found: dict[str, str] = {}
    for token, row, column, said in zip(turn.tokens, turn.rows, turn.columns, turn.written, strict=True):
        if column in (ADDR, POSTCODE) and token != EMPTY:
            words = (said or spoken_cell(offers[row], column)).split()
            # Not normalised again: that would part the "st." of "St. Michael's", which is one token as written.
            found.setdefault(COLUMNS[column], " ".join(WORDS.replaced.get(word, word) for word in words))
    return found
