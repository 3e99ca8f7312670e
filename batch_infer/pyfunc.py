"""What MLflow loads a registered model by (``training/tracking/flavor.py`` names this module in ``MLmodel``).

Rows of goal and agenda, or of the user's table that the model learned, in; the texts of ``allsaid generate`` out: rows
are prepared, searched, measured and written by the code of the batch job, in its batches, so the same rows in the same
order give the same texts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from allsaid.settings import parse_value
from batch_infer.job.handler import TextHandler
from batch_infer.job.request import Order
from batch_infer.rows import inputs
from batch_infer.rows.earlier import NOWHERE
from batch_infer.rows.inputs import PartRows, Row
from batch_infer.rows.sources import ID, Part
from pipelines.language import phrases
from schemas.phrase import Phrase
from schemas.table import from_table
from training.config import SearchConfig
from training.models.model_folder import load
from training.tasks.contract import reader_of
from training.tracking.flavor import INPUTS, OUTPUTS, PARAMS

FIELDS = {"beam": "width"}  # parameters that the search's settings call otherwise


def _load_pyfunc(folder: str, model_config: Mapping[str, Any] | None = None) -> Writer:
    """MLflow's entry: the model of a folder that it has downloaded.

    ``load_model(uri, model_config={"device": "cuda"})`` asks for a GPU.
    """
    return Writer(folder, **(model_config or {}))


class Writer:
    """A loaded model that writes texts for rows."""

    def __init__(self, folder: str, device: str = "cpu") -> None:
        self._bundle = load(Path(folder), device)
        self._table = phrases.passes(from_table(self._bundle.phrases, Phrase))

    def predict(self, rows: pd.DataFrame, params: Mapping[str, Any] | None = None) -> pd.DataFrame:
        """One text for each row: of ``goal`` (a text) and ``agenda`` (a list of texts), or of the mapping's columns.

        A row that can't become a text has the reason in ``error``. Raises :class:`UserError` for parameters out of
        their range and for a table that lacks a column.
        """
        handler = TextHandler(Order(self._search(params or {})))
        given = [replace(row, id=str(number)) for number, row in enumerate(self._rows(rows))]
        ids = pa.table({ID: [row.id for row in given]})
        part = PartRows(Part(0, "", "", 0, 1, len(given)), given, ids, np.full(len(given), NOWHERE))
        (found,) = handler.run_inference([part], self._bundle)
        values = {name: found.texts[name].to_pylist() for name in OUTPUTS}
        # As objects, so that what is missing stays None: JSON has no NaN.
        return pd.DataFrame(values, index=rows.index, columns=list(OUTPUTS), dtype=object)

    def _rows(self, rows: pd.DataFrame) -> list[Row]:
        if task := reader_of(self._bundle.task):
            values = rows.astype(object).to_dict("records")
            return [inputs.own_row(task, one | {ID: str(number)}) for number, one in enumerate(values)]
        if not self._bundle.mapping or set(INPUTS) <= set(rows.columns):
            return [
                inputs.raw_row({"goal": goal, "agenda": _plain(agenda)}, self._table)
                for goal, agenda in zip(rows["goal"], rows["agenda"], strict=True)
            ]
        cells = rows.astype(object).to_dict("records")
        return inputs.table_rows(cells, list(map(str, rows.columns)), self._bundle.mapping)

    def _search(self, params: Mapping[str, Any]) -> SearchConfig:
        values = {name: params.get(name, default) for name, _, default in PARAMS}
        chosen = {
            FIELDS.get(name, name): parse_value(SearchConfig, FIELDS.get(name, name), value, f"'{name}'")
            for name, value in values.items()
            if value is not None
        }
        return replace(self._bundle.config.search, texts=1, **chosen)


def _plain(agenda: Any) -> Any:
    """MLflow and Parquet hand lists over as arrays."""
    return agenda.tolist() if isinstance(agenda, np.ndarray) else agenda
