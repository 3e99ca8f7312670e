"""Preparation of rows as users write them, for each task with its own kind of rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

from allsaid.modeling.plugins import find
from allsaid.modeling.tasks.contract import Task
from batch_infer.rows.kinds import boxes, ingredient_lines, pairs, turns


class Preparation(Protocol):
    """The module that prepares rows.

    An optional ``form(bundle)`` returns the fields (`batch_infer.rows.kinds.form`) for the page of `allsaid try`.
    """

    # (values) or, for a task that refers to a table, (values, table), with its file: adds the values that the task's
    # `read_row` needs, as the source of the data sets does. Raises UserError for a fault of the row.
    prepare: Callable[..., Mapping[str, object]]


GROUP = "allsaid.rows"  # of entry points: the dotted name of a task's module -> a module
PREPARES: dict[str, Preparation] = {
    "box": boxes,
    "pair": pairs,
    "sequence": ingredient_lines,
    "table_dialogue": turns,
    "template": boxes,
}


def preparation_of(task: Task) -> Preparation | None:
    """Return the module that prepares a task's rows, or None if the task reads them as they are."""
    return find(PREPARES, GROUP, task.name)
