"""Files that make a delivered model folder an MLflow pyfunc.

Nothing is pickled or exported: the serving process imports the module of the entry point :data:`GROUP`, which reads
the folder as every other command does. So Allsaid must be installed there (`--env-manager local`).
"""

from __future__ import annotations

import json
import platform
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any  # Any: MLflow's module, which is not imported here

import pyarrow as pa

from schemas.checks.json_value import JsonValue
from schemas.texts.generated import GENERATED

GROUP = "allsaid.pyfunc"  # group of the entry point that names the module which loads a model for MLflow
INPUTS = ("goal", "agenda")
OUTPUTS = ("text", "used", "missing", "extra", "percent_given", "error", "unfamiliar")
OF_EDITS = (  # more columns of a model that edits training recipes
    "prototype",
    "prototype_source",
    "prototype_licence",
    "copied_percent",
    "swapped",
    "deleted",
    "inserted",
    "confidence",
)
# Options of `allsaid generate`; null means the model's own setting.
PARAMS = {"width": "long", "max_tokens": "long", "min_coverage": "double"}
PARAMS_OF_EDITS = {"width": "long", "min_coverage": "double", "max_copied": "double", "min_confidence": "double"}
CONFIG = {"device": "cpu"}  # defaults of `mlflow.pyfunc.load_model(uri, model_config={…})`
EXAMPLE = ("pico de gallo", ["4 ripe tomatoes, chopped", "1 onion, chopped", "1/2 teaspoon salt"])
EXAMPLE_FILE = "input_example.json"


def write(folder: Path, mlflow: Any, run_id: str, model_folder: str, has_own_columns: bool, edits: bool) -> None:
    """Write ``MLmodel`` and, with goal and agenda, an input example to ``folder``; ``mlflow`` is the module."""
    info = None
    if not has_own_columns:
        example = {"columns": INPUTS, "data": [EXAMPLE]}
        (folder / EXAMPLE_FILE).write_text(json.dumps(example) + "\n", encoding="utf-8")
        info = {"artifact_path": EXAMPLE_FILE, "type": "dataframe", "pandas_orient": "split"}
    model = mlflow.models.Model(
        artifact_path=model_folder,
        run_id=run_id,
        signature=mlflow.models.ModelSignature.from_dict(signature(has_own_columns, edits)),
        saved_input_example_info=info,
    )
    (loader,) = entry_points(group=GROUP)
    model.add_flavor(
        "python_function", loader_module=loader.value, python_version=platform.python_version(), config=CONFIG
    )
    model.save(str(folder / "MLmodel"))


def signature(has_own_columns: bool, edits: bool) -> dict[str, str]:
    """Return input and output columns and parameters as JSON in MLflow's form.

    A user's table and the rows of some tasks have columns of their own (``has_own_columns``). Input columns are then
    omitted, since MLflow would refuse numbers in a column of texts, and unknown columns. A model that ``edits``
    training recipes has parameters and columns about them.
    """
    kinds = PARAMS_OF_EDITS if edits else PARAMS
    params = [{"name": name, "type": kind, "default": None, "shape": None} for name, kind in kinds.items()]
    columns = [[_column(GENERATED.field(name)) for name in names] for names in (INPUTS, outputs(edits))]
    parts = {"inputs": columns[0], "outputs": columns[1], "params": params}
    return {name: json.dumps(part) for name, part in parts.items() if name != "inputs" or not has_own_columns}


def outputs(edits: bool) -> tuple[str, ...]:
    """Return the output columns."""
    return (*OUTPUTS, *OF_EDITS) if edits else OUTPUTS


def _column(field: pa.Field) -> dict[str, JsonValue]:
    kind = field.type
    shape: dict[str, JsonValue] = {"type": "double" if pa.types.is_floating(kind) else "string"}
    if pa.types.is_list(kind):
        shape = {"type": "array", "items": {"type": "string"}}
    return {"name": field.name, "required": not field.nullable, **shape}
