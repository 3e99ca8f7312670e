"""Delivery of a run's spool to MLflow, in order, from the point where the last delivery stopped.

Delivery may be interrupted anywhere and started again: a run is found by the tag ``allsaid.spool``, MLflow keeps a
metric once by (key, step, time, value), files are overwritten, and a model version is looked up by its run first.
"""

from __future__ import annotations

import fcntl
import getpass
import json
import tempfile
import threading
from collections.abc import Callable
from itertools import groupby, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any  # Any: MLflow's module, which is not imported here, and its entities

from allsaid.console import say
from allsaid.disk import temporary_faults
from allsaid.redaction import public
from schemas.errors import UserError
from training.tracking.connection import NOT_THERE, REFUSALS, first_line
from training.tracking.spool import SPOOL_NAME, Cursor, Event, first_event, load_cursors, read_events, save_cursor

if TYPE_CHECKING:
    from training.tracking.connection import DatasetInput, MlflowClient, Run

ARTIFACTS = "mlartifacts"  # folder next to an sqlite database
MODEL_FOLDER = "model"  # in the run's artifacts
CHALLENGER = "challenger"
SPOOL_TAG = "allsaid.spool"
PARENT_TAG = "mlflow.parentRunId"
READ_EVENTS = 1000  # events read at once
LONGEST_EXPERIMENT = 500  # characters of an experiment's name
DIGEST = 36  # characters of a fingerprint that MLflow stores as a data set's digest
LIMITS = {"metrics": 1000, "params": 100, "tags": 100}  # values in one log_batch

# The runs of a grid search are delivered by several threads. Without the lock, two could create the grid's run.
_CREATING = threading.Lock()


def dataset_input(entities: Any, name: str, fingerprint: str, source: str, context: str) -> DatasetInput:
    """Return a data set as MLflow's input of a run; ``entities`` is the module ``mlflow.entities``.

    The run's tag ``dataset_fingerprint`` has the whole fingerprint.
    """
    dataset = entities.Dataset(name, fingerprint[:DIGEST], "local", json.dumps({"uri": public(source)}))
    run_input: DatasetInput = entities.DatasetInput(dataset, [entities.InputTag("mlflow.data.context", context)])
    return run_input


def check_experiment(name: str) -> None:
    """Raise UserError for a name that MLflow refuses; "" means the default."""
    if name and not name.strip():
        raise UserError("--experiment is blank. Give the name of an experiment, or leave it out.")
    if len(name) > LONGEST_EXPERIMENT:
        raise UserError(
            f"--experiment has {len(name)} characters, but an experiment's name has at most {LONGEST_EXPERIMENT}."
        )


def find_or_create_experiment(client: MlflowClient, uri: str, name: str) -> str:
    """Return the id of an experiment; create it if it does not exist."""
    experiment = client.get_experiment_by_name(name)
    if experiment is not None:
        return str(experiment.experiment_id)
    location = None  # a tracking server chooses the artifact location itself
    if uri.startswith("sqlite:///"):
        location = (Path(uri.removeprefix("sqlite:///")).resolve().parent / ARTIFACTS).as_uri()
    return str(client.create_experiment(name, artifact_location=location))


class Delivery:
    """Delivery of one run's spool to one server; :meth:`run` may be called repeatedly."""

    def __init__(self, run_dir: Path, uri: str, mlflow: Any) -> None:
        """``mlflow``: the module, which only ``connection.py`` imports."""
        self.run_dir, self.uri = run_dir, uri
        self._mlflow = mlflow
        self._client: MlflowClient = mlflow.MlflowClient(tracking_uri=uri)
        known = [cursor for cursor in load_cursors(run_dir) if cursor.uri == public(uri)]
        self.cursor = known[0] if known else Cursor(public(uri))
        self._run_found = False
        self._lock = (run_dir / SPOOL_NAME).open("rb")
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as fault:
            raise UserError(f"{run_dir} is being delivered by another process. Wait until that ends.") from fault

    def close(self) -> None:
        self._lock.close()

    def run(self) -> None:
        """Deliver all events after the cursor and move it; errors of MLflow are raised as they are."""
        if not self._run_found:
            self._find_run()
        spool = self.run_dir / SPOOL_NAME
        while events := list(islice(read_events(spool, self.cursor.offset), READ_EVENTS)):
            for kind, group in groupby(events, key=lambda item: item[0]["event"]):
                together = list(group)
                self._send(kind, [event for event, _ in together])
                self.cursor.offset = together[-1][1]
                save_cursor(self.run_dir, self.cursor)

    def _find_run(self) -> None:
        start = first_event(self.run_dir)
        if self.cursor.run_id:
            run = self._run_or_none(self.cursor.run_id)
            if run is None:  # the database at this address was replaced by another one, so deliver everything again
                self.cursor = Cursor(self.cursor.uri)
            elif run.info.lifecycle_stage != "active":
                raise UserError(
                    f"Run {run.info.run_id} was deleted in MLflow. `mlflow runs restore --run-id {run.info.run_id}` "
                    "brings it back."
                )
        if not self.cursor.run_id:
            with _CREATING:
                self.cursor.run_id = self._find_or_create_run(start)
            save_cursor(self.run_dir, self.cursor)
        self._run_found = True

    def _run_or_none(self, run_id: str) -> Run | None:
        try:
            return self._client.get_run(run_id)
        except self._mlflow.MlflowException as fault:
            if fault.error_code != NOT_THERE:
                raise
            return None

    def _find_or_create_run(self, start: Event) -> str:
        experiment_id = find_or_create_experiment(self._client, self.uri, start["experiment"])
        runs = self._client.search_runs([experiment_id], f"tags.`{SPOOL_TAG}` = '{start['id']}'")
        if runs:
            return str(runs[0].info.run_id)
        tags = {SPOOL_TAG: start["id"], "mlflow.source.name": "allsaid train", "mlflow.user": getpass.getuser()}
        if parent := self._parent_run(start):
            tags[PARENT_TAG] = parent
        run = self._client.create_run(experiment_id, start["time"], tags, start["run_name"])
        return str(run.info.run_id)

    def _parent_run(self, start: Event) -> str:
        """Return the id of the parent run, "" for none.

        The parent is the grid's run, or the run opened by the command `mlflow run` if that is on this server.
        """
        if parent := start.get("parent"):
            return self._find_or_create_run(parent)
        outer = start.get("outer_run", "")
        return outer if outer and self._run_or_none(outer) else ""

    def _send(self, kind: str, events: list[Event]) -> None:
        if kind in LIMITS:
            self._send_values(kind, events)
            return
        for event in events:
            try:
                self._send_one(kind, event)
            except Exception as fault:
                self._report_or_raise(kind, fault)

    def _send_values(self, kind: str, events: list[Event]) -> None:
        mlflow_entities = self._mlflow.entities
        pairs = [(event, key, value) for event in events for key, value in event["values"].items()]
        make: dict[str, Callable[[Event, str, Any], Any]] = {
            "metrics": lambda event, key, value: mlflow_entities.Metric(key, value, event["time"], event["step"]),
            "params": lambda _, key, value: mlflow_entities.Param(key, value),
            "tags": lambda _, key, value: mlflow_entities.RunTag(key, value),
        }
        entities = [make[kind](*pair) for pair in pairs]
        for first in range(0, len(entities), LIMITS[kind]):
            self._log_batch(kind, entities[first : first + LIMITS[kind]])

    def _log_batch(self, kind: str, entities: list[Any]) -> None:
        """Send all at once; halve a batch that the server refuses until only the refused value is left."""
        try:
            self._client.log_batch(self.cursor.run_id, **{kind: entities})  # type: ignore[arg-type]
        except Exception as fault:
            if len(entities) == 1:
                self._report_or_raise(f"{kind[:-1]} {entities[0].key}", fault)
            elif getattr(fault, "error_code", "") in REFUSALS:
                middle = len(entities) // 2
                self._log_batch(kind, entities[:middle])
                self._log_batch(kind, entities[middle:])
            else:
                raise

    def _report_or_raise(self, what: str, fault: Exception) -> None:
        """Report a value or file that MLflow refuses, and go on without it; raise any other fault."""
        if getattr(fault, "error_code", "") not in REFUSALS and not isinstance(fault, FileNotFoundError):
            raise fault
        self.cursor.refused += 1
        say(f"MLflow did not take the {what}: {first_line(fault)}")

    def _send_one(self, kind: str, event: Event) -> None:
        run_id = self.cursor.run_id
        if kind == "resume":
            self._client.update_run(run_id, status="RUNNING")
        elif kind == "finish":
            self._client.set_terminated(run_id, event["status"], event["time"])
        elif kind == "link":
            self._client.set_tag(run_id, event["key"], self._find_or_create_run(event["start"]))
        elif kind == "dataset":
            self._send_dataset(event)
        elif kind == "artifact":
            self._send_file(self.run_dir / event["path"], event["folder"])
        elif kind == "model":
            self._send_file(self.run_dir / event["path"], MODEL_FOLDER)
            self._send_flavor(self.run_dir / event["path"])
            self._register(event)

    def _send_dataset(self, event: Event) -> None:
        data = dataset_input(self._mlflow.entities, event["name"], event["fingerprint"], event["source"], "training")
        self._client.log_inputs(self.cursor.run_id, datasets=[data])

    def _send_flavor(self, model: Path) -> None:
        """Send the files by which MLflow loads a model that generates texts."""
        # Loaded late, since they need PyTorch and pyarrow, which the recording of runs does not.
        from allsaid.modeling.prototypes import prototypes
        from allsaid.modeling.tasks.choose import task_of_run
        from allsaid.modeling.tasks.contract import ReadsRows, WritesTexts
        from schemas.runs.manifest import MAPPING_NAME
        from training.tracking import flavor

        task = task_of_run(self._client.get_run(self.cursor.run_id).data.params)
        if not isinstance(task, WritesTexts):
            return
        has_own_columns = isinstance(task, ReadsRows) or (model / MAPPING_NAME).exists()
        is_prototype_editor = (model / prototypes.ROWS).exists()
        with tempfile.TemporaryDirectory() as folder:
            with temporary_faults():
                flavor.write(
                    Path(folder), self._mlflow, self.cursor.run_id, MODEL_FOLDER, has_own_columns, is_prototype_editor
                )
            self._send_file(Path(folder), MODEL_FOLDER)

    def _send_file(self, path: Path, folder: str) -> None:
        if not path.exists():
            raise FileNotFoundError(f"{path} no longer exists")
        log = self._client.log_artifacts if path.is_dir() else self._client.log_artifact
        try:
            log(self.cursor.run_id, str(path), folder or None)
        except OSError as fault:  # of the artifact store
            raise UserError(f"{path} can't be delivered to {self.cursor.uri} ({first_line(fault)}).") from fault

    def _register(self, event: Event) -> None:
        """Register the model version of this run unless it exists; make a new version the challenger."""
        name = event["name"]
        # The name is not used in the filter, since it may contain a quote.
        versions = self._client.search_model_versions(f"run_id = '{self.cursor.run_id}'")
        same_name = [version for version in versions if version.name == name]
        if not same_name:
            try:
                self._client.create_registered_model(name)
            except self._mlflow.MlflowException as fault:
                if fault.error_code != "RESOURCE_ALREADY_EXISTS":
                    raise
            source = f"runs:/{self.cursor.run_id}/{MODEL_FOLDER}"
            same_name = [self._client.create_model_version(name, source, self.cursor.run_id)]
        version = str(same_name[0].version)
        if not same_name[0].description:
            from training.tracking import model_card  # it loads PyTorch

            card = model_card.write(self._client.get_run(self.cursor.run_id), name, version)
            self._client.update_model_version(name, version, card)
        if "decision" not in same_name[0].tags:  # `training.tracking.registry` sets it: the version has been compared
            self._client.set_registered_model_alias(name, CHALLENGER, version)
        self.cursor.model_name, self.cursor.model_version = name, version
