"""The turns of a call in order: which restaurant each speaks of, and its row.

A restaurant is spoken of from the turn in which the machine offers it until the next offer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from pipelines.linking import offers as of_table
from pipelines.linking.offers import Linked
from pipelines.sources.dstc2.calls import Call, Spoken
from pipelines.sources.dstc2.table import COLUMNS, NAMING, UNKNOWN, WORD_COLUMNS, Linker, Scene
from schemas.dialogue import MACHINE, Turn


def link_turns(call: Call, linker: Linker) -> Iterator[tuple[Spoken, Linked, list[str]]]:
    """Each turn with its cells, and the restaurants of its acts that the table lacks."""
    offered: frozenset[int] = frozenset()
    current: tuple[int, ...] = ()
    for spoken in call.spoken:
        names = [value for act in spoken.acts for slot, value in act.slots if slot == "name" and value]
        named = {name: linker.row_of(name) for name in names} if spoken.speaker == MACHINE else {}
        offers = {value for act in spoken.acts if act.name == "offer" for slot, value in act.slots if slot == "name"}
        if offers & named.keys():
            current = tuple(row for name, row in named.items() if name in offers and row >= 0)
            offered = offered.union(current)
        scene = Scene(tuple(names), offered, current, _columns(spoken, bool(offers)), _without(spoken))
        yield spoken, linker.link(spoken.text, scene), [name for name, row in named.items() if row < 0]


def _columns(spoken: Spoken, offers: bool) -> tuple[int, ...]:
    """Columns whose words refer to the restaurant: all where the machine offers it, else those asked to confirm."""
    if spoken.speaker == MACHINE:
        return WORD_COLUMNS if offers else ()
    asked = {slot for act in spoken.acts if act.name == "confirm" for slot, _ in act.slots}
    return tuple(column for column in WORD_COLUMNS if COLUMNS[column] in asked)


def _without(spoken: Spoken) -> tuple[int, ...]:
    """Columns of which the machine says that there is nothing."""
    pairs = [pair for act in spoken.acts if act.name == "inform" for pair in act.slots]
    gaps = {slot for slot, value in pairs if value in UNKNOWN} if spoken.speaker == MACHINE else set()
    return tuple(column for column in NAMING if COLUMNS[column] in gaps)


def turn_row(spoken: Spoken, linked: Linked, unlisted: list[str], is_new: Callable[[str], bool]) -> Turn:
    """A turn's row; ``is_new`` says of a token whether no other fold has it."""
    turn = linked.turn(spoken.speaker, is_new)
    return replace(turn, transcribed=spoken.transcribed, acts=[str(act) for act in spoken.acts], unlisted=unlisted)


def figures(turns: Sequence[Turn]) -> dict[str, int]:
    """How long the dialogue is, how much of it refers to the table, and where it names what the table lacks."""
    return {
        **of_table.figures(turns, NAMING),
        "turns with unlisted restaurants": sum(bool(turn.unlisted) for turn in turns),
    }
