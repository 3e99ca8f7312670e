"""The machine's turns as dialogue acts with their texts, for models that read a goal and an agenda.

The goal is the turn's act types, the agenda their slots. Placeholders and references come from
``pipelines/linking/acts.py``, as for the RNNLG files.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from allsaid.language.word_table import WORDS
from pipelines.linking.acts import ActText, keywords, normalise_slots, rows
from pipelines.linking.delex import items_of
from pipelines.sources.dstc2.calls import Act as SpokenAct
from pipelines.sources.dstc2.calls import Utterance
from pipelines.sources.dstc2.table import ADDR, COLUMNS, POSTCODE, words_of_cell
from schemas.act import Act, Slot, agenda_line
from schemas.dialogue import Turn
from schemas.example import Example
from schemas.offer import EMPTY, Offer

REQUESTED = "slot"  # request(slot=food) requests the food
UNSPOKEN = "canthelp.exception"  # an act whose slots are not in the text: the restaurants that the user has rejected


def act_rows(
    id: str, utterance: Utterance, turn: Turn, offers: Sequence[Offer], file: str, offset: int
) -> tuple[Example, Act] | None:
    """Return example and act of a machine turn; None if it has no act or no text."""
    if not utterance.acts or not turn.tokens:
        return None
    types = list(dict.fromkeys(act.name for act in utterance.acts))
    places = _places(turn, offers)
    written = _slots(utterance.acts, places)
    slots = [Slot(slot.slot, places.get(slot.slot, slot.value)) for slot in normalise_slots(written, WORDS)]
    act_text = ActText(
        id=id,
        goal=" ".join(types),
        goal_tokens=types,
        agenda=[agenda_line(slot) for slot in written],
        slots=slots,
        items=items_of(slots),
        keywords=[keywords(slot.slot) for slot in slots],
        text=" ".join(utterance.text.split()),
        file=file,
        offset=offset,
    )
    return rows(act_text, WORDS)


def _slots(acts: Sequence[SpokenAct], places: Mapping[str, str]) -> list[Slot]:
    """Return the acts' slots, each once, since a turn may repeat its offer."""
    slots: dict[Slot, None] = {}
    for slot, value in (pair for act in acts if act.name != UNSPOKEN for pair in act.slots):
        if slot == REQUESTED:
            slots[Slot(value, "")] = None
        elif slot == COLUMNS[POSTCODE]:  # the logged act has only its first half
            slots[Slot(slot, places.get(slot, value))] = None
        else:
            slots[Slot(slot, value)] = None
    return list(slots)


def _places(turn: Turn, offers: Sequence[Offer]) -> dict[str, str]:
    """Return the words with which the turn gives an address and a post code of the table, by column."""
    found: dict[str, str] = {}
    for token, row, column, written in zip(turn.tokens, turn.rows, turn.columns, turn.written, strict=True):
        if column in (ADDR, POSTCODE) and token != EMPTY:
            words = (written or words_of_cell(offers[row], column)).split()
            # Not normalised again: that would split the "st." of "St. Michael's", which is one token as written.
            found.setdefault(COLUMNS[column], " ".join(WORDS.replaced.get(word, word) for word in words))
    return found
