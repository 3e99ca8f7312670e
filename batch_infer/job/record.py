"""MLflow logging of a finished generation run: its means, linked to the model that generated the texts."""

from __future__ import annotations

import os
from dataclasses import asdict
from pathlib import Path

from allsaid.console import say
from allsaid.modeling.config import SearchConfig
from allsaid.modeling.saved.knowledge import Knowledge
from allsaid.modeling.saved.model_folder import Bundle
from batch_infer.job.folder import Job
from batch_infer.options.job import JobOptions
from batch_infer.proof.summary import Summary
from schemas.errors import UserError
from training.tracking.registry import ResolvedModel
from training.tracking.results import Results, Server, Used

GENERATE, PROVE = "generate", "prove"  # kinds of runs
COUNTS = ("texts", "errors", "rejected_texts", "unfamiliar_rows", "unfamiliar_goals")
TABLE = "table"  # in place of a model's name
PROTOCOL = "coverage"  # `allsaid.proof.coverage`


def log(
    kind: str,
    model: ResolvedModel | None,
    knowledge: Knowledge,
    job: Job,
    summary: Summary,
    options: JobOptions,
) -> None:
    """Log a run; if the server is unavailable, only the log is lost, never the texts.

    A plain model folder, and a table without a model, need no MLflow, so their texts are logged only if
    MLFLOW_TRACKING_URI names a server.
    """
    if not (model and model.version) and "MLFLOW_TRACKING_URI" not in os.environ:
        return
    name = model.name if model else TABLE
    origin = knowledge.origin if isinstance(knowledge, Bundle) else {}
    task = origin.get("task", knowledge.task.name)  # a table without a model has no origin
    tags = {"task": task, "system": name} | ({"protocol": PROTOCOL} if summary.has_items else {})
    figures = {key: getattr(summary, key) for key in (*COUNTS, "texts_per_second")}
    figures |= {key: summary.mean(key) for key in summary.measured}
    wanted = [*asdict(SearchConfig()), "input", "split", "limit", "device", "submitted"]
    results = Results(
        kind=kind,
        experiment=options.experiment,
        name=f"{name} on {Path(summary.input).name}",
        tags=tags | {"output": options.output},
        params={key: job[key] for key in wanted if key in job},
        metrics={key: value for key, value in figures.items() if value is not None}
        | {f"true/{key}": value for key, value in summary.true.items()},
        used=Used(Path(summary.input).name, summary.input_fingerprint, summary.input, summary.split or "input"),
        model=model,
    )
    try:
        say(f"MLflow has the figures of these texts as run {Server().log(results)}.")
    except UserError as fault:
        say(f"The texts are written, but their figures are not in MLflow. {fault}")
