"""Runs of kind ``evaluate`` and ``generate``, linked to the training run of the model.

The data set is an input of the run, so that a search for `dataset.digest` finds it. The metrics are also logged on the
model.
"""

from __future__ import annotations

import getpass
import json
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any  # Any: JSON

from allsaid.redaction import public, public_values
from schemas.checks.json_value import JsonValue
from schemas.errors import UserError
from training.tracking import connection
from training.tracking.delivery import DIGEST, PARENT_TAG, dataset_input, find_or_create_experiment
from training.tracking.registry import ResolvedModel

if TYPE_CHECKING:
    from training.tracking.connection import Run

LOSS = "train_nll"  # logged by every training with steps
MINUTE, BREAK = 60_000, 10  # a minute in milliseconds; shortest pause of a training, in minutes
TEXTS = "texts.json"  # the table of texts in a run of kind evaluate


@dataclass(frozen=True)
class InputData:
    """The data set that is a run's input."""

    name: str
    fingerprint: str
    source: str  # folder or address
    context: str  # the split


@dataclass(frozen=True)
class Results:
    """The content of a run of kind evaluate or generate."""

    kind: str
    experiment: str  # "": the experiment of the model's training run
    name: str
    tags: Mapping[str, str]
    params: Mapping[str, JsonValue]
    metrics: Mapping[str, float]
    used: InputData
    model: ResolvedModel | None = None  # None for a system that is not trained
    table: Mapping[str, Sequence[JsonValue]] | None = None  # columns of TEXTS
    documents: Mapping[str, Mapping[str, JsonValue]] = field(default_factory=dict)  # name of a JSON file -> its content


class Server:
    """The tracking server; the first request is sent at once, to report an unreachable server before long work."""

    def __init__(self, uri: str | None = None) -> None:
        self.uri = uri or connection.tracking_uri()
        self.client = connection.connect(self.uri)
        with self.faults():
            self.client.search_experiments(max_results=1)

    @contextmanager
    def faults(self) -> Iterator[None]:
        with connection.plain_faults(self.uri):
            yield

    def find(self, tags: Mapping[str, str]) -> list[Run]:
        """Return the finished runs of all experiments with these tags, newest first."""
        with self.faults():
            experiments = [experiment.experiment_id for experiment in self.client.search_experiments()]
            filters = [f"tags.`{key}` = '{value}'" for key, value in tags.items()]
            return list(
                self.client.search_runs(experiments, " and ".join([*filters, "attributes.status = 'FINISHED'"]))
            )

    def run(self, run_id: str) -> Run:
        with self.faults(), connection.known_run(self.uri, run_id):
            return self.client.get_run(run_id)

    def version_of(self, run_id: str) -> str:
        """Return ``models:/NAME/VERSION`` of the model that a training run registered; "" if it registered none."""
        with self.faults():
            versions = self.client.search_model_versions(f"run_id = '{run_id}'")
        return f"models:/{versions[0].name}/{versions[0].version}" if versions else ""

    def table(self, run_id: str) -> list[dict[str, Any]]:
        """Return the rows of a run's texts."""
        document = self.document(run_id, TEXTS)
        return [dict(zip(document["columns"], row, strict=True)) for row in document["data"]]

    def files(self, run_id: str) -> list[str]:
        """Return the names of a run's files."""
        with self.faults():
            return [item.path for item in self.client.list_artifacts(run_id)]

    def document(self, run_id: str, name: str) -> Any:
        """Return the content of a JSON file of a run."""
        if name not in self.files(run_id):
            raise UserError(f"Run {run_id} holds no {name}. Give a run of `allsaid evaluate`.")
        with self.faults():
            return json.loads(Path(self.client.download_artifacts(run_id, name)).read_text(encoding="utf-8"))

    def history(self, run_id: str, key: str) -> list[tuple[float, float]]:
        """Return a metric's steps and values."""
        with self.faults():
            return [(metric.step, metric.value) for metric in self.client.get_metric_history(run_id, key)]

    def training_minutes(self, run_id: str) -> float:
        """Return the minutes of a training by the times of its losses, without pauses of ten minutes or more.

        A training with fewer than two logged losses took as long as its run.
        """
        with self.faults():
            info = self.client.get_run(run_id).info
            times = [metric.timestamp for metric in self.client.get_metric_history(run_id, LOSS)]
        if len(times) < 2:
            return float(info.end_time - info.start_time) / MINUTE
        gaps = [(after - before) / MINUTE for before, after in pairwise(times)]
        return sum(gap for gap in gaps if gap < BREAK)

    def log(self, results: Results) -> str:
        """Write a finished run; return its id."""
        with self.faults():
            run_id = self._begin(results)
            self._log_values(run_id, results)
            if results.table is not None:
                self.client.log_table(run_id, dict(results.table), TEXTS)
            for name, content in results.documents.items():
                self.client.log_dict(run_id, dict(content), name)
            self.client.set_terminated(run_id)
        return run_id

    def _begin(self, results: Results) -> str:
        tags = {"kind": results.kind, "dataset_fingerprint": results.used.fingerprint, **results.tags}
        tags |= {"mlflow.source.name": f"allsaid {results.kind}", "mlflow.user": getpass.getuser()}
        if outer := os.environ.get("MLFLOW_RUN_ID"):  # of `mlflow run`
            tags[PARENT_TAG] = outer
        if (model := results.model) is not None:
            tags |= {"model_name": model.name, "model_version": model.version, "model_run": model.run_id}
        experiment = self._experiment(results)
        tags, name = public_values(tags), public(results.name)
        run = self.client.create_run(experiment, time.time_ns() // 1_000_000, tags, name)
        return str(run.info.run_id)

    def _experiment(self, results: Results) -> str:
        """Return the id of the given experiment, else of the experiment of the model's training run.

        Without either, the experiment is named after the registered model or, for other systems, after the task.
        """
        model = results.model
        if not results.experiment and model is not None and model.run_id:
            try:
                return str(self.client.get_run(model.run_id).info.experiment_id)
            except connection.mlflow_module().MlflowException as fault:
                if not connection.is_missing(fault):  # a folder's run may be on another server
                    raise
        default = model.name if model is not None and model.version else results.tags["task"]
        return find_or_create_experiment(self.client, self.uri, results.experiment or default)

    def _log_values(self, run_id: str, results: Results) -> None:
        entities, used, now = connection.mlflow_module().entities, results.used, time.time_ns() // 1_000_000
        model_id = self._logged_model(results.model)
        data = dataset_input(entities, used.name, used.fingerprint, used.source, used.context)
        self.client.log_inputs(run_id, [data], [entities.LoggedModelInput(model_id)] if model_id else [])
        metrics = [
            entities.Metric(key, float(value), now, 0, model_id, used.name, used.fingerprint[:DIGEST])
            for key, value in results.metrics.items()
        ]
        params = [entities.Param(key, public(str(value))) for key, value in results.params.items()]
        self.client.log_batch(run_id, metrics, params)

    def _logged_model(self, model: ResolvedModel | None) -> str | None:
        """Return the id of a version's logged model; create one from the training run if there is none."""
        if model is None or not model.version:
            return None
        if model.model_id:
            return model.model_id
        experiment = self.client.get_run(model.run_id).info.experiment_id
        logged = self.client.search_logged_models([experiment], f"source_run_id = '{model.run_id}'")
        if logged:
            return str(logged[0].model_id)
        tags = {"model_name": model.name, "model_version": model.version}
        new = self.client.create_logged_model(experiment, model.name, model.run_id, tags)
        self.client.finalize_logged_model(new.model_id, "READY")
        return str(new.model_id)
