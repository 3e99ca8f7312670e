"""The words of a row of goal and agenda, found by the functions that make training data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pipelines.language.phrases import Pass
from pipelines.language.text import latin_share
from pipelines.recipes.examples import MIN_LATIN, goal_words, item_tokens
from schemas.example import MAX_ITEMS


class RowFault(Exception):
    """A sentence on what is wrong with a row."""


def raw_words(goal: Any, agenda: Any, table: Sequence[Pass]) -> tuple[list[str], list[list[str]]]:
    """Goal and agenda tokens; raises :class:`RowFault`."""
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


def is_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)
