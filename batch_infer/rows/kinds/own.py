"""The preparation of rows as people write them, for each task whose rows are its own."""

from __future__ import annotations

from typing import Any

from allsaid.modeling.plugins import find, key_of
from batch_infer.rows.kinds import boxes, ingredient_lines, pairs, turns

GROUP = "allsaid.rows"  # of entry points: the dotted name of a task -> a module
# A module's `prepare(values)` adds what the task's `read_row` asks for, as the source of the data sets does; of a task
# that speaks of a table it is `prepare(values, table)`, with the table's file. With a `form(bundle)`, the fields of
# `batch_infer.rows.kinds.form`, it says what a person types into the page of `allsaid try`.
PREPARES: dict[str, Any] = {
    "box": boxes,
    "pair": pairs,
    "sequence": ingredient_lines,
    "table_dialogue": turns,
    "template": boxes,
}


def preparation_of(task: Any) -> Any:
    """Return the module that prepares a task's rows, or None where they are given as the task reads them."""
    return find(PREPARES, GROUP, key_of(task))
