"""MLflow loader of a registered model (the entry point ``allsaid.pyfunc`` names this module).

The input is rows of goal and agenda, or of the user's table that the model learned. The output is the texts of
``allsaid generate``: the batch job has the same writer, so the same rows in the same order give the same texts.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pandas as pd

from allsaid.modeling.saved.model_folder import load
from allsaid.options import from_section
from batch_infer.options.texts import TextOptions
from batch_infer.writer import Writer
from batch_infer.writer.settings import settings_of
from training.tracking.flavor import PARAMS, PARAMS_OF_EDITS, outputs


def _load_pyfunc(folder: str, model_config: Mapping[str, str] | None = None) -> ServedModel:
    """Load the model from a folder that MLflow has downloaded; called by MLflow.

    ``load_model(uri, model_config={"device": "cuda"})`` asks for a GPU.
    """
    return ServedModel(folder, **(model_config or {}))


class ServedModel:
    """A loaded model that generates texts for rows of a data frame."""

    def __init__(self, folder: str, device: str = "cpu") -> None:
        self._bundle, self._device = load(Path(folder), device), device

    def predict(self, rows: pd.DataFrame, params: Mapping[str, object] | None = None) -> pd.DataFrame:
        """Return a text for each row of ``goal`` (text) and ``agenda`` (list of texts), or of the mapping's columns.

        A row without a text has the reason in ``error``. Raises :class:`UserError` for parameters out of range and
        for a table that lacks a column.
        """
        edits = self._bundle.edits
        given = {name: (params or {}).get(name) for name in (PARAMS_OF_EDITS if edits else PARAMS)}
        options = from_section(TextOptions, given, "The parameters")
        writer = Writer(self._bundle, settings_of(options, self._bundle, device=self._device))
        texts = [texts[0] for texts in writer.write(_values(rows))]
        found = {name: [getattr(text, name) for text in texts] for name in outputs(edits)}
        # As objects, so that missing values stay None: JSON has no NaN.
        return pd.DataFrame(found, index=rows.index, dtype=object)


def _values(rows: pd.DataFrame) -> list[dict[str, object]]:
    """Return the values of each row by column name; MLflow and Parquet pass lists as arrays."""
    plain = rows.astype(object).rename(columns=str).to_dict("records")
    return [
        {name: value.tolist() if isinstance(value, np.ndarray) else value for name, value in row.items()}
        for row in plain
    ]
