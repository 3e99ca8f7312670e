"""MLflow logging of a finished generation run: its means, linked to the model that generated the texts."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from allsaid.console import say
from allsaid.modeling.config import SearchConfig
from allsaid.modeling.saved.model_folder import Bundle
from batch_infer.proof.summary import Summary
from schemas.errors import UserError
from training.tracking.registry import ResolvedModel
from training.tracking.results import Results, Server, Used

KIND = "generate"
COUNTS = ("texts", "errors", "unfamiliar_rows", "unfamiliar_goals")
PROTOCOL = "coverage"  # `allsaid.proof.coverage`


def log(
    model: ResolvedModel, bundle: Bundle, job: Mapping[str, Any], summary: Summary, output: str, experiment: str
) -> None:
    """Log a run of kind ``generate``; if the server is unavailable, only the log is lost, never the texts.

    A plain model folder needs no MLflow, so its texts are logged only if MLFLOW_TRACKING_URI names a server.
    """
    if not model.version and "MLFLOW_TRACKING_URI" not in os.environ:
        return
    try:
        run_id = Server().log(_results(model, bundle, job, summary, output, experiment))
        say(f"MLflow has the figures of these texts as run {run_id}.")
    except UserError as fault:
        say(f"The texts are written, but their figures are not in MLflow. {fault}")


def _results(
    model: ResolvedModel, bundle: Bundle, job: Mapping[str, Any], summary: Summary, output: str, experiment: str
) -> Results:
    task = bundle.origin.get("task", bundle.task.name)  # a model of an earlier version lacks the key
    tags = {"task": task, "system": model.name} | ({"protocol": PROTOCOL} if summary.has_items else {})
    figures = {key: getattr(summary, key) for key in (*COUNTS, "texts_per_second")}
    figures |= {key: summary.mean(key) for key in summary.measured}
    wanted = [*asdict(SearchConfig()), "input", "split", "limit", "device"]
    return Results(
        kind=KIND,
        experiment=experiment,
        name=f"{model.name} on {Path(summary.input).name}",
        tags=tags | {"output": output},
        params={key: job[key] for key in wanted if key in job},
        metrics={key: value for key, value in figures.items() if value is not None}
        | {f"true/{key}": value for key, value in summary.true.items()},
        used=Used(Path(summary.input).name, summary.input_fingerprint, summary.input, summary.split or "input"),
        model=model,
    )
