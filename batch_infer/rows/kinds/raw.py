"""Tokenization of rows of goal and agenda, for recipes or acts, by the functions that make training data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeGuard

from allsaid.language.text import latin_share
from allsaid.language.word_table import WORDS
from allsaid.modeling.saved.knowledge import Knowledge
from allsaid.modeling.saved.model_folder import Bundle
from allsaid.modeling.tasks.contract import ReadsRows
from batch_infer.rows.kinds.form import SUGGESTED, Field, such_as
from pipelines.linking import delex
from pipelines.linking.acts import normalise_slots
from pipelines.linking.phrases import Pass
from pipelines.recipes.examples import MIN_LATIN, goal_words, item_tokens
from schemas.act import parse_agenda_line
from schemas.example import MAX_ITEMS

NAMES = ("goal", "agenda")


class RowFault(Exception):
    """The fault of a row, as a sentence."""


def raw_words(goal: object, agenda: object, table: Sequence[Pass]) -> tuple[list[str], list[list[str]]]:
    """Return goal and agenda tokens; raise :class:`RowFault`."""
    if not isinstance(goal, str) or not goal.strip():
        raise RowFault("The row has no goal, a text such as 'pico de gallo'.")
    if not is_texts(agenda):
        raise RowFault("The row has no agenda, a list of texts.")
    if not 0 < len(agenda) <= MAX_ITEMS:
        raise RowFault(f"The agenda has {len(agenda)} items; a text can be asked for 1 to {MAX_ITEMS}.")
    share = latin_share(" ".join([goal, *agenda]))
    if share < MIN_LATIN:
        raise RowFault(f"{share:.0%} of the letters of goal and agenda are Latin; at least {MIN_LATIN:.0%} must be.")
    goal_tokens = goal_words(goal)
    if not goal_tokens:
        raise RowFault(f"The goal '{goal}' has no word.")
    agenda_tokens = [item_tokens(line, table) for line in agenda]
    for number, (line, tokens) in enumerate(zip(agenda, agenda_tokens, strict=True), start=1):
        if not tokens:
            raise RowFault(f"Item {number} of the agenda, '{line}', names nothing.")
    return goal_tokens, agenda_tokens


def act_words(goal: object, agenda: object) -> tuple[list[str], list[list[str]]]:
    """Return the tokens of an act's type and slots ("inform", ["name=red door", "near"]); raise :class:`RowFault`."""
    if not isinstance(goal, str) or not goal.strip():
        raise RowFault("The row has no goal, the type of an act such as 'inform'.")
    if not is_texts(agenda):
        raise RowFault("The row has no agenda, a list of texts.")
    if len(agenda) > MAX_ITEMS:
        raise RowFault(f"The agenda has {len(agenda)} items; a text can be asked for at most {MAX_ITEMS}.")
    slots = [parse_agenda_line(line) for line in agenda]
    for number, (line, slot) in enumerate(zip(agenda, slots, strict=True), start=1):
        if not any(map(str.isalnum, slot.slot)):
            raise RowFault(f"Item {number} of the agenda, '{line}', names no slot; write it as name=value.")
    return goal.split(), [[token] for token in delex.item_tokens(normalise_slots(slots, WORDS))]


def reads_acts(knowledge: Knowledge) -> bool:
    """Return whether the items of a model's agendas are slots, with values as placeholders in training data."""
    is_agenda = not knowledge.mapping and not isinstance(knowledge.task, ReadsRows)
    return is_agenda and isinstance(knowledge, Bundle) and bool(knowledge.vocabularies.text.placeholders)


def form(bundle: Bundle) -> Sequence[Field]:
    """Return the form fields of a row of goal and agenda."""
    seen, goal, agenda = bundle.seen, bundle.example[0], "\n".join(bundle.example[1])
    if not reads_acts(bundle):
        return (
            Field("goal", "Goal", hint="such as pico de gallo", example=goal),
            Field("agenda", "Items", "lines", "one per line", example=agenda),
        )
    goals = (seen.goals if seen else None) or ()
    slots = f"; the slots are {', '.join(seen.columns)}" if seen else ""
    return (
        Field("goal", "Type of the act", hint=such_as(goals), known=goals[:SUGGESTED], example=goal),
        Field("agenda", "Slots", "slots", f"one per line, as name=value{slots}", example=agenda),
    )


def is_texts(value: object) -> TypeGuard[list[str]]:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)
