"""Rows that are not in a file but passed from Python or typed into a page, of any kind that the model reads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from allsaid.modeling.saved.model_folder import Bundle
from allsaid.modeling.tasks.contract import ReadsRows
from batch_infer.rows import inputs
from batch_infer.rows.inputs import Row
from batch_infer.rows.kinds import raw, tables
from batch_infer.rows.kinds.form import Field
from batch_infer.rows.kinds.preparation import preparation_of
from batch_infer.rows.kinds.turns import TableFile
from batch_infer.rows.sources import ID
from pipelines.linking.phrases import Pass

ROW = Field("", "Row", "object", "as a line of the JSON lines that `allsaid generate` reads")


def rows_of(
    bundle: Bundle,
    phrases: Sequence[Pass],
    given: Sequence[Mapping[str, object]],
    columns: Sequence[str],
    table: TableFile | None = None,
) -> list[Row]:
    """Return rows as the model reads them; a row at fault has a sentence in ``error``.

    Args:
        phrases: the model's own phrases, to be merged in agendas of recipes.
        given: the values of each row by the names in ``columns``: the columns of the user's table, or goal and
            agenda, or the fields that the model's task reads.
        table: the table that rows refer to, for a task such as that of dialogues.

    Raises UserError if a column of the user's table is missing.
    """
    task = bundle.task
    if isinstance(task, ReadsRows):
        return [
            inputs.row_of_task(task, {**values, ID: str(number)}, table=table) for number, values in enumerate(given)
        ]
    if bundle.mapping and not set(raw.NAMES) <= set(columns):
        return inputs.table_rows(given, columns, bundle.mapping)
    is_act = raw.reads_acts(bundle)
    return [inputs.raw_row(values, phrases, is_act) for values in given]


def form_of(bundle: Bundle) -> Sequence[Field]:
    """Return the form fields of a row for the model."""
    if isinstance(bundle.task, ReadsRows):
        form = getattr(preparation_of(bundle.task), "form", None)
        return form(bundle) if form else (ROW,)
    return tables.form(bundle) if bundle.mapping else raw.form(bundle)
