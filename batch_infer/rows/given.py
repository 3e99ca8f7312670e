"""Rows that stand in no file, given by Python or typed into a page: of whatever kind the model reads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from allsaid.modeling.saved.model_folder import Bundle
from allsaid.modeling.tasks.contract import reader_of
from batch_infer.rows import inputs
from batch_infer.rows.inputs import Row
from batch_infer.rows.kinds import own, raw, tables
from batch_infer.rows.kinds.form import Field
from batch_infer.rows.kinds.turns import TableFile
from batch_infer.rows.sources import ID
from pipelines.linking.phrases import Pass

ROW = Field("", "Row", "object", "as a line of the JSON lines that `allsaid generate` reads")


def rows_of(
    bundle: Bundle,
    phrases: Sequence[Pass],
    given: Sequence[Mapping[str, Any]],
    columns: Sequence[str],
    table: TableFile | None = None,
) -> list[Row]:
    """Rows as the model reads them; one at fault has a sentence in ``error``.

    Args:
        phrases: the model's own, to be merged in agendas of recipes.
        given: the values of each row by their names, which are ``columns``: those of the user's table, or goal and
            agenda, or what the model's task reads.
        table: what rows of a task such as that of dialogues speak of.

    Raises UserError where a column of the user's table is lacking.
    """
    if task := reader_of(bundle.task):
        return [inputs.own_row(task, {**one, ID: str(number)}, table=table) for number, one in enumerate(given)]
    if bundle.mapping and not set(raw.NAMES) <= set(columns):
        return inputs.table_rows(given, columns, bundle.mapping)
    is_act = raw.reads_acts(bundle)
    return [inputs.raw_row(one, phrases, is_act) for one in given]


def form_of(bundle: Bundle) -> Sequence[Field]:
    """What a person is asked for a row of the model."""
    if reader_of(bundle.task):
        form = getattr(own.preparation_of(bundle.task), "form", None)
        return form(bundle) if form else (ROW,)
    return tables.form(bundle) if bundle.mapping else raw.form(bundle)
