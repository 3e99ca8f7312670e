"""What MLflow loads a registered model by (the entry point ``allsaid.pyfunc`` names this module).

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

from allsaid.modeling.config import SearchConfig
from allsaid.modeling.saved.model_folder import load
from allsaid.settings import parse_value
from batch_infer.job.handler import TextHandler
from batch_infer.job.request import Order
from batch_infer.proof.judges import judge_of
from batch_infer.rows.earlier import NOWHERE
from batch_infer.rows.given import rows_of
from batch_infer.rows.inputs import PartRows
from batch_infer.rows.sources import ID, Part
from pipelines.linking import phrases
from schemas.checks.table import from_table
from schemas.phrase import Phrase
from training.tracking.flavor import OUTPUTS, PARAMS

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
        self._judge = judge_of(self._bundle)
        self._phrases = phrases.passes(from_table(self._bundle.phrases, Phrase))

    def predict(self, rows: pd.DataFrame, params: Mapping[str, Any] | None = None) -> pd.DataFrame:
        """One text for each row: of ``goal`` (a text) and ``agenda`` (a list of texts), or of the mapping's columns.

        A row that can't become a text has the reason in ``error``. Raises :class:`UserError` for parameters out of
        their range and for a table that lacks a column.
        """
        handler = TextHandler(Order(self._search(params or {})))
        read = rows_of(self._bundle, self._phrases, _values(rows), list(map(str, rows.columns)))
        given = [replace(row, id=str(number)) for number, row in enumerate(read)]
        ids = pa.table({ID: [row.id for row in given]})
        part = PartRows(Part(0, "", "", 0, 1, len(given)), given, ids, np.full(len(given), NOWHERE))
        (found,) = handler.run_inference([part], self._judge)
        values = {name: found.texts[name].to_pylist() for name in OUTPUTS}
        # As objects, so that what is missing stays None: JSON has no NaN.
        return pd.DataFrame(values, index=rows.index, columns=list(OUTPUTS), dtype=object)

    def _search(self, params: Mapping[str, Any]) -> SearchConfig:
        values = {name: params.get(name, default) for name, _, default in PARAMS}
        chosen = {
            FIELDS.get(name, name): parse_value(SearchConfig, FIELDS.get(name, name), value, f"'{name}'")
            for name, value in values.items()
            if value is not None
        }
        return replace(self._bundle.config.search, texts=1, **chosen)


def _values(rows: pd.DataFrame) -> list[dict[str, Any]]:
    """Values by the names of their columns; MLflow and Parquet hand lists over as arrays."""
    plain = rows.astype(object).rename(columns=str).to_dict("records")
    return [
        {name: value.tolist() if isinstance(value, np.ndarray) else value for name, value in one.items()}
        for one in plain
    ]
