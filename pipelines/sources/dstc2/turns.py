"""The turns of a call in order: the restaurant that each is about, and its row.

Turns are about a restaurant from the turn in which the machine offers it until the next offer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from pipelines.linking import offers as of_table
from pipelines.linking.offers import Linked
from pipelines.sources.dstc2.calls import Call, Utterance
from pipelines.sources.dstc2.table import COLUMNS, NAMING, UNKNOWN, WORD_COLUMNS, Linker, Scene
from schemas.dialogue import MACHINE, Turn


def link_turns(call: Call, linker: Linker) -> Iterator[tuple[Utterance, Linked, list[str]]]:
    """Yield each turn with its cells, and the restaurants of its acts that the table lacks."""
    offered: frozenset[int] = frozenset()
    current: tuple[int, ...] = ()
    for utterance in call.utterances:
        names = [value for act in utterance.acts for slot, value in act.slots if slot == "name" and value]
        named = {name: linker.row_of(name) for name in names} if utterance.speaker == MACHINE else {}
        offers = {value for act in utterance.acts if act.name == "offer" for slot, value in act.slots if slot == "name"}
        if offers & named.keys():
            current = tuple(row for name, row in named.items() if name in offers and row >= 0)
            offered = offered.union(current)
        scene = Scene(tuple(names), offered, current, _columns(utterance, bool(offers)), _without(utterance))
        yield utterance, linker.link(utterance.text, scene), [name for name, row in named.items() if row < 0]


def _columns(utterance: Utterance, offers: bool) -> tuple[int, ...]:
    """Return the columns whose words refer to the restaurant: all if the machine offers it, else those to confirm."""
    if utterance.speaker == MACHINE:
        return WORD_COLUMNS if offers else ()
    asked = {slot for act in utterance.acts if act.name == "confirm" for slot, _ in act.slots}
    return tuple(column for column in WORD_COLUMNS if COLUMNS[column] in asked)


def _without(utterance: Utterance) -> tuple[int, ...]:
    """Return the columns that are empty according to the machine."""
    pairs = [pair for act in utterance.acts if act.name == "inform" for pair in act.slots]
    gaps = {slot for slot, value in pairs if value in UNKNOWN} if utterance.speaker == MACHINE else set()
    return tuple(column for column in NAMING if COLUMNS[column] in gaps)


def turn_row(utterance: Utterance, linked: Linked, unlisted: list[str], is_new: Callable[[str], bool]) -> Turn:
    """Return the row of a turn; ``is_new`` tests whether no other fold has a token."""
    turn = linked.turn(utterance.speaker, is_new)
    return replace(
        turn, transcribed=utterance.transcribed, acts=[str(act) for act in utterance.acts], unlisted=unlisted
    )


def figures(turns: Sequence[Turn]) -> dict[str, int]:
    """Return the figures of a dialogue, including the turns with restaurants that the table lacks."""
    return {
        **of_table.figures(turns, NAMING),
        "turns with unlisted restaurants": sum(bool(turn.unlisted) for turn in turns),
    }
