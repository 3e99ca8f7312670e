"""The recorder of a run, and its delivery from a thread or later by ``allsaid sync``.

Everything is written to the spool first (``spool.py``) and delivered from there (``delivery.py``), so that an
unreachable server, offline training and ``allsaid sync`` work in the same way.
"""

from __future__ import annotations

import os
import subprocess
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from allsaid.console import say
from schemas.checks.json_value import JsonValue
from schemas.errors import UserError
from training.tracking.connection import connected, first_line, mlflow_module, plain_faults, tracking_uri
from training.tracking.delivery import Delivery
from training.tracking.promotion import Decision
from training.tracking.registry import settle
from training.tracking.spool import SPOOL_NAME, Event, SpoolWriter, first_event

if TYPE_CHECKING:  # tasks need PyTorch, which the recording of runs does without
    from allsaid.modeling.tasks.contract import Scores

PAUSE = 2.0  # seconds between two deliveries of the thread


def deliver_to(uri: str, run_dir: Path) -> Delivery:
    with plain_faults(uri):
        return Delivery(run_dir, uri, connected(uri))


def git_revision() -> str:
    """Return the commit of this code, with ``-dirty`` if files are changed; "" outside a checkout."""
    code = Path(__file__)
    revision = ""
    # The first command checks that git tracks this file: an environment may be inside another checkout.
    for command in (["ls-files", "--error-unmatch", code.name], ["describe", "--always", "--dirty", "--abbrev=40"]):
        try:
            process = subprocess.run(["git", *command], cwd=code.parent, capture_output=True, text=True)
        except OSError:
            return ""
        if process.returncode:
            return ""
        revision = process.stdout.strip()
    return revision


@dataclass(frozen=True)
class SyncResult:
    """The state of a run on a server after a delivery."""

    uri: str  # without user and password
    run_id: str
    delivered: int  # bytes of the spool delivered by this call
    refused: int  # values and files that MLflow refused, each reported when it happened
    model_name: str  # "" if the run has no model
    model_version: str
    decision: Decision | None  # None if there was nothing to decide

    @property
    def sentence(self) -> str:
        """The result in sentences."""
        news = "now has the run" if self.delivered else "already had everything"
        parts = [f"{self.uri} {news}, as {self.run_id}."]
        if self.refused:
            parts.append(f"It refused {self.refused} values or files; {SPOOL_NAME} has them.")
        if self.model_version:
            parts.append(f"The model is version {self.model_version} of '{self.model_name}'.")
        if self.decision:
            parts.append(self.decision.reason)
        return " ".join(parts)


def sync(run_dir: Path, uri: str | None = None) -> SyncResult:
    """Deliver the record of a run and decide on its model; a second call changes nothing.

    Raises UserError if the folder holds no run or the server fails; a later call continues.
    """
    first_event(run_dir)
    delivery = deliver_to(uri or tracking_uri(run_dir), run_dir)
    try:
        return _deliver_all(delivery, None)
    finally:
        delivery.close()


def sync_all(run_dir: Path) -> Iterator[SyncResult]:
    """Deliver a run, then the children of a grid."""
    yield sync(run_dir)
    for spool in sorted(run_dir.glob(f"*/{SPOOL_NAME}")):
        yield sync(spool.parent)


def _deliver_all(delivery: Delivery, rescore: Callable[[Path], Scores] | None) -> SyncResult:
    before = delivery.cursor.offset
    with plain_faults(delivery.uri):
        delivery.run()
        decision = settle(delivery.run_dir, delivery.cursor, delivery.uri, rescore)
    cursor = delivery.cursor
    new = cursor.offset - before
    return SyncResult(cursor.uri, cursor.run_id, new, cursor.refused, cursor.model_name, cursor.model_version, decision)


class Courier:
    """Delivery from a thread; errors and delays of the server don't affect the training."""

    def __init__(self, delivery: Delivery) -> None:
        self.delivery = delivery
        self._is_unreachable = False
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._work, name="tracking", daemon=True)
        self._thread.start()

    def _work(self) -> None:
        while not self._stop.wait(PAUSE):
            try:
                self.delivery.run()
            except Exception as fault:
                if not self._is_unreachable:
                    say(
                        f"MLflow at {self.delivery.cursor.uri} can't be reached ({first_line(fault)}). Training "
                        f"continues; its figures are in {self.delivery.run_dir / SPOOL_NAME}."
                    )
                self._is_unreachable = True
            else:
                if self._is_unreachable:
                    say(f"MLflow at {self.delivery.cursor.uri} is reachable again and has everything so far.")
                self._is_unreachable = False

    def close(self, rescore: Callable[[Path], Scores] | None) -> SyncResult | None:
        """Deliver the rest in the caller's thread; None, after a message, if the server is still unreachable."""
        self._stop.set()
        self._thread.join()
        try:
            return _deliver_all(self.delivery, rescore)
        except UserError as fault:
            run_dir = self.delivery.run_dir
            say(
                f"{fault}\nThe rest is in {run_dir / SPOOL_NAME}. Run `allsaid sync {run_dir}` "
                "when the server is reachable."
            )
            return None
        finally:
            self.delivery.close()


class Tracker:
    """The recorder of a run. Its methods only write to the spool, so none waits for a server."""

    def __init__(self, spool: SpoolWriter, courier: Courier | None) -> None:
        self._spool, self._courier = spool, courier

    def params(self, values: Mapping[str, JsonValue]) -> None:
        self._spool.params(values)

    def metrics(self, values: Mapping[str, float], step: int) -> None:
        self._spool.metrics(values, step)

    def tags(self, values: Mapping[str, JsonValue]) -> None:
        self._spool.append("tags", values={key: str(value) for key, value in values.items()})

    def link(self, key: str, run_dir: Path) -> None:
        """Tag the run with the MLflow id of the run in another folder."""
        self._spool.append("link", key=key, start=first_event(run_dir))

    def dataset(self, name: str, fingerprint: str, source: str) -> None:
        """Record the training data set as the run's input."""
        self._spool.append("dataset", name=name, fingerprint=fingerprint, source=source)

    def artifact(self, path: Path, folder: str = "") -> None:
        """Record a file or folder below the run folder; it is sent as it is at delivery."""
        self._spool.append("artifact", path=self._spool.inside(path), folder=folder)

    def model(
        self,
        folder: Path,
        name: str,
        scores: Mapping[str, float] | None = None,
        dev_fingerprint: str = "",
        search: Mapping[str, JsonValue] | None = None,
        keep_champion: bool = False,
    ) -> None:
        """Record a model folder, to be registered as challenger.

        With ``scores``, the deciding figures of its task, :meth:`finish` decides on promotion; with ``keep_champion``
        it only marks a better version as waiting.
        """
        measured = None
        if scores is not None:
            measured = {
                "scores": dict(scores),
                "dev_fingerprint": dev_fingerprint,
                "search": dict(search or {}),
                "keep_champion": keep_champion,
            }
        self._spool.append("model", path=self._spool.inside(folder), name=name, measured=measured)

    def finish(self, status: str = "FINISHED", rescore: Callable[[Path], Scores] | None = None) -> SyncResult | None:
        """End the run and deliver the rest; None offline, or, after a message, if the server is unreachable.

        ``rescore`` measures the champion in a folder with this run's dev set and search settings.
        """
        self._spool.append("finish", status=status)
        self._spool.close()
        if self._courier is None:
            run_dir = self._spool.path.parent
            say(f"The run is recorded in {self._spool.path}. `allsaid sync {run_dir}` delivers it to MLflow.")
            return None
        return self._courier.close(rescore)


def open_tracker(run_dir: Path, mode: str, experiment: str, run_name: str, parent: Event | None = None) -> Tracker:
    """Start recording a run, or continue the one in ``run_dir``.

    Args:
        mode: "online" delivers to :func:`tracking_uri` while training; "offline" needs no MLflow.
        parent: the first event of the parent run; without it, the parent is the run of `mlflow run`, if any.
    """
    if mode == "online":
        mlflow_module()
    outer_run = "" if parent else os.environ.get("MLFLOW_RUN_ID", "")
    spool = SpoolWriter(run_dir, experiment, run_name, parent, outer_run)
    if revision := git_revision():
        spool.append("tags", values={"mlflow.source.git.commit": revision})
    courier = Courier(deliver_to(tracking_uri(run_dir), run_dir)) if mode == "online" else None
    return Tracker(spool, courier)
