"""Preparation of rows as users write them, for each task with its own kind of rows."""

from __future__ import annotations

from typing import Any

from allsaid.modeling.plugins import find, key_of
from batch_infer.rows.kinds import boxes, ingredient_lines, pairs, turns

GROUP = "allsaid.rows"  # of entry points: the dotted name of a task -> a module
# A module's `prepare(values)` adds the values that the task's `read_row` needs, as the source of the data sets does.
# For a task that refers to a table it is `prepare(values, table)`, with the table's file. An optional `form(bundle)`
# returns the fields (`batch_infer.rows.kinds.form`) for the page of `allsaid try`.
PREPARES: dict[str, Any] = {
    "box": boxes,
    "pair": pairs,
    "sequence": ingredient_lines,
    "table_dialogue": turns,
    "template": boxes,
}


def preparation_of(task: Any) -> Any:
    """Return the module that prepares a task's rows, or None if the task reads them as they are."""
    return find(PREPARES, GROUP, key_of(task))
