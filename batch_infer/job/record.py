"""Records of a run: its figures in MLflow, linked to the model, and its inputs and outputs in OpenLineage."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict
from pathlib import Path

import pyarrow as pa

from allsaid import lineage
from allsaid.console import say
from allsaid.gates import Check
from allsaid.modeling.config import SearchConfig
from allsaid.modeling.saved.knowledge import Knowledge
from allsaid.modeling.saved.model_folder import Bundle
from allsaid.storage import files
from allsaid.storage.parquet import open_parquet
from allsaid.storage.run_store import output_of
from batch_infer.job.folder import Job
from batch_infer.options.job import JobOptions
from batch_infer.options.prove import ProveOptions
from batch_infer.proof.summary import Summary, text_files
from batch_infer.rows.sources import Source, SourceFile
from schemas.errors import UserError
from training.tracking.registry import ResolvedModel
from training.tracking.results import InputData, Results, Server

GENERATE, PROVE = "generate", "prove"  # kinds of runs
COUNTS = ("texts", "errors", "rejected_texts", "unfamiliar_rows", "unfamiliar_goals")
TABLE = "table"  # in place of a model's name
PROTOCOL = "coverage"  # `allsaid.proof.coverage`


def log_to_mlflow(
    kind: str,
    model: ResolvedModel | None,
    knowledge: Knowledge,
    job: Job,
    options: JobOptions,
    summary: Summary,
) -> None:
    """Log a run to MLflow; if the server is unavailable, only the log is lost, never the texts.

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
        tags=tags | {"output": options.output} | lineage.tags(),
        params={key: job[key] for key in wanted if key in job},
        metrics={key: value for key, value in figures.items() if value is not None}
        | {f"true/{key}": value for key, value in summary.true.items()},  # figures of the reference texts
        used=InputData(Path(summary.input).name, summary.input_fingerprint, summary.input, summary.split or "input"),
        model=model,
    )
    try:
        say(f"MLflow has the figures of these texts as run {Server().log(results)}.")
    except UserError as fault:
        say(f"The texts are written, but their figures are not in MLflow. {fault}")


def lineage_run(kind: str, options: JobOptions) -> AbstractContextManager[None]:
    """Return a context manager that reports the job to OpenLineage as a run."""
    texts = options.texts if isinstance(options, ProveOptions) else ""
    output, _ = output_of(options.output)
    return lineage.recorded(kind, output, (options.input, options.model, options.table, texts), (output,))


def report_lineage(
    options: JobOptions,
    source: Source,
    source_files: Sequence[SourceFile],
    job: Job,
    summary: Summary,
    checks: Sequence[Check],
) -> None:
    """Report the inputs and outputs of a finished job to OpenLineage."""
    if not lineage.run_id():
        return
    if options.model:
        lineage.reads(lineage.data(options.model, job["model_version"] or job["model_hash"]))
    if options.table:
        lineage.reads(lineage.data(options.table, job["table_hash"]))
    if isinstance(options, ProveOptions):
        # Reported before the input: if both are one file, the input's entry replaces this one.
        lineage.reads(lineage.data(options.texts, job["submitted_fingerprint"]))
    columns = _columns(source_files[0])
    lineage.reads(
        lineage.data(options.input, source.fingerprint, columns, rows=summary.input_rows, files=len(source_files))
    )
    (output, run), texts = output_of(options.output), text_files(options.output)
    rows = summary.texts + summary.errors
    lineage.writes(lineage.data(output, run, _schema(texts[0]), rows=rows, files=len(texts), checks=checks))


def _columns(file: SourceFile) -> pa.Schema | None:
    """Return the columns of an input; None for lines of JSON. All cells of a table are read as text."""
    if file.layout is not None:
        return pa.schema([(name, pa.string()) for name in file.layout.columns])
    return _schema(file.path) if file.path.endswith(".parquet") else None


def _schema(path: str) -> pa.Schema:
    with files.open_read(path) as stream, open_parquet(stream) as parquet:
        return parquet.schema_arrow
