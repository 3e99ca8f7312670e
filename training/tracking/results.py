"""Runs that hold results: of kind ``evaluate`` and ``generate``, beside the training runs, on the model they measure.

A run names its data set as input, so that `dataset.digest` finds it again; its metrics stand on the logged model too.
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
from typing import Any

from allsaid.redaction import public, public_values
from schemas.errors import UserError
from training.tracking import connection
from training.tracking.delivery import DIGEST, NOT_THERE, PARENT_TAG, REFUSALS, dataset_input, make_experiment
from training.tracking.registry import ResolvedModel

LOSS = "train_nll"  # which every training that has steps logs
MINUTE, BREAK = 60_000, 10  # in milliseconds; in minutes
TEXTS = "texts.json"  # the table of texts in a run of kind evaluate


@dataclass(frozen=True)
class Used:
    """A data set that a run has as its input."""

    name: str
    fingerprint: str
    source: str  # folder or address
    context: str  # the split


@dataclass(frozen=True)
class Results:
    """What a run of kind evaluate or generate tells."""

    kind: str
    experiment: str  # "": that of the model's training run
    name: str
    tags: Mapping[str, str]
    params: Mapping[str, Any]
    metrics: Mapping[str, float]
    used: Used
    model: ResolvedModel | None = None  # None for a system that is not trained
    table: Mapping[str, Sequence[Any]] | None = None  # columns of TEXTS
    documents: Mapping[str, Any] = field(default_factory=dict)  # name of a JSON file -> its content


class Server:
    """The tracking server, asked at once, so that a lost one is told before any long work."""

    def __init__(self, uri: str | None = None) -> None:
        self.uri = uri or connection.tracking_uri()
        self.client = connection.connect(self.uri)
        with self.faults():
            self.client.search_experiments(max_results=1)

    @contextmanager
    def faults(self) -> Iterator[None]:
        with connection.plain_faults(self.uri):
            yield

    def find(self, tags: Mapping[str, str]) -> list[Any]:
        """Finished runs of all experiments that have these tags, newest first."""
        with self.faults():
            experiments = [found.experiment_id for found in self.client.search_experiments()]
            asked = [f"tags.`{key}` = '{value}'" for key, value in tags.items()]
            return list(self.client.search_runs(experiments, " and ".join([*asked, "attributes.status = 'FINISHED'"])))

    def run(self, run_id: str) -> Any:
        with self.faults():
            try:
                return self.client.get_run(run_id)
            except connection.mlflow_module().MlflowException as fault:
                if fault.error_code not in (NOT_THERE, *REFUSALS):
                    raise
                where = public(self.uri)
                raise UserError(f"{where} has no run {run_id}. `mlflow ui` shows the runs there are.") from fault

    def version_of(self, run_id: str) -> str:
        """``models:/NAME/VERSION`` of the model that a training run registered; "" where there is none."""
        with self.faults():
            found = self.client.search_model_versions(f"run_id = '{run_id}'")
        return f"models:/{found[0].name}/{found[0].version}" if found else ""

    def table(self, run_id: str) -> list[dict[str, Any]]:
        """The rows of a run's texts."""
        written = self.document(run_id, TEXTS)
        return [dict(zip(written["columns"], row, strict=True)) for row in written["data"]]

    def files(self, run_id: str) -> list[str]:
        """The names of a run's files."""
        with self.faults():
            return [item.path for item in self.client.list_artifacts(run_id)]

    def document(self, run_id: str, name: str) -> Any:
        """The content of a JSON file of a run."""
        if name not in self.files(run_id):
            raise UserError(f"Run {run_id} holds no {name}. Give a run of `allsaid evaluate`.")
        with self.faults():
            return json.loads(Path(self.client.download_artifacts(run_id, name)).read_text(encoding="utf-8"))

    def history(self, run_id: str, key: str) -> list[tuple[float, float]]:
        """A metric's values by step."""
        with self.faults():
            return [(one.step, one.value) for one in self.client.get_metric_history(run_id, key)]

    def training_minutes(self, run_id: str) -> float:
        """How long a training took by the times of its losses: a gap of ten minutes or more is one between two calls.

        A training of one loss, or of none since it counts, took as long as its run.
        """
        with self.faults():
            info = self.client.get_run(run_id).info
            times = [one.timestamp for one in self.client.get_metric_history(run_id, LOSS)]
        if len(times) < 2:
            return float(info.end_time - info.start_time) / MINUTE
        gaps = [(after - before) / MINUTE for before, after in pairwise(times)]
        return sum(gap for gap in gaps if gap < BREAK)

    def log(self, results: Results) -> str:
        """Write a finished run and give back its id."""
        with self.faults():
            run_id = self._begin(results)
            self._log_values(run_id, results)
            if results.table is not None:
                self.client.log_table(run_id, dict(results.table), TEXTS)
            for name, content in results.documents.items():
                self.client.log_dict(run_id, content, name)
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
        """The id of the experiment that is named, or of the model's training run, so that both can be compared there.

        Without either it is called as the registered model or, of other systems, as their task.
        """
        model = results.model
        if not results.experiment and model is not None and model.run_id:
            try:
                return str(self.client.get_run(model.run_id).info.experiment_id)
            except connection.mlflow_module().MlflowException as fault:
                if fault.error_code not in (NOT_THERE, *REFUSALS):  # a folder's run may be on another server
                    raise
        default = model.name if model is not None and model.version else results.tags["task"]
        return make_experiment(self.client, self.uri, results.experiment or default)

    def _log_values(self, run_id: str, results: Results) -> None:
        kinds, used, now = connection.mlflow_module().entities, results.used, time.time_ns() // 1_000_000
        model_id = self._logged_model(results.model)
        data = dataset_input(kinds, used.name, used.fingerprint, used.source, used.context)
        self.client.log_inputs(run_id, [data], [kinds.LoggedModelInput(model_id)] if model_id else [])
        metrics = [
            kinds.Metric(key, float(value), now, 0, model_id, used.name, used.fingerprint[:DIGEST])
            for key, value in results.metrics.items()
        ]
        params = [kinds.Param(key, public(str(value))) for key, value in results.params.items()]
        self.client.log_batch(run_id, metrics, params)

    def _logged_model(self, model: ResolvedModel | None) -> str | None:
        """The id of a version's logged model; one that points to its training run where it was registered without."""
        if model is None or not model.version:
            return None
        if model.model_id:
            return model.model_id
        experiment = self.client.get_run(model.run_id).info.experiment_id
        found = self.client.search_logged_models([experiment], f"source_run_id = '{model.run_id}'")
        if found:
            return str(found[0].model_id)
        tags = {"model_name": model.name, "model_version": model.version}
        made = self.client.create_logged_model(experiment, model.name, model.run_id, tags)
        self.client.finalize_logged_model(made.model_id, "READY")
        return str(made.model_id)
