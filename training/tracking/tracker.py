"""Records a run, delivers it from a thread, or later with ``allsaid sync``.

Everything is written to the spool first (``spool.py``) and delivered from there (``delivery.py``), so that a lost
server, offline training and ``allsaid sync`` are one mechanism.
"""

from __future__ import annotations

import os
import subprocess
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from allsaid.console import say
from schemas.errors import UserError
from training.tracking.connection import connected, mlflow_module, plain_faults, tracking_uri
from training.tracking.delivery import Delivery, first_line
from training.tracking.promotion import Decision
from training.tracking.registry import settle
from training.tracking.spool import SPOOL_NAME, Event, SpoolWriter, first_event

PAUSE = 2.0  # seconds between two deliveries of the thread


def deliver_to(uri: str, run_dir: Path) -> Delivery:
    with plain_faults(uri):
        return Delivery(run_dir, uri, connected(uri))


def git_revision() -> str:
    """The commit of this code, with ``-dirty`` where files were changed; "" outside a checkout."""
    code = Path(__file__)
    revision = ""
    # The first asks whether git knows this file: an environment may lie inside somebody else's checkout.
    for command in (["ls-files", "--error-unmatch", code.name], ["describe", "--always", "--dirty", "--abbrev=40"]):
        try:
            done = subprocess.run(["git", *command], cwd=code.parent, capture_output=True, text=True)
        except OSError:
            return ""
        if done.returncode:
            return ""
        revision = done.stdout.strip()
    return revision


@dataclass(frozen=True)
class SyncResult:
    """What a server has of a run now."""

    uri: str  # without user and password
    run_id: str
    delivered: int  # bytes of the spool delivered by this call; 0 where nothing was new
    refused: int  # values and files that MLflow would not take, each named when it happened
    model_name: str  # "" where the run has no model
    model_version: str
    decision: Decision | None  # None where there was nothing to decide

    @property
    def sentence(self) -> str:
        """All this for the person at the terminal."""
        news = "has the run now" if self.delivered else "had everything already"
        parts = [f"{self.uri} {news}, as {self.run_id}."]
        if self.refused:
            parts.append(f"It did not take {self.refused} values or files; {SPOOL_NAME} has them.")
        if self.model_version:
            parts.append(f"The model is version {self.model_version} of '{self.model_name}'.")
        if self.decision:
            parts.append(self.decision.reason)
        return " ".join(parts)


def sync(run_dir: Path, uri: str | None = None) -> SyncResult:
    """Deliver what a run recorded and decide on its model; a second call changes nothing.

    Raises :class:`UserError` where the folder holds no run or the server fails; a later call continues.
    """
    first_event(run_dir)
    delivery = deliver_to(uri or tracking_uri(run_dir), run_dir)
    try:
        return _deliver_all(delivery, None)
    finally:
        delivery.close()


def sync_all(run_dir: Path) -> Iterator[SyncResult]:
    """Deliver a run, and the children of a grid after it."""
    yield sync(run_dir)
    for spool in sorted(run_dir.glob(f"*/{SPOOL_NAME}")):
        yield sync(spool.parent)


def _deliver_all(delivery: Delivery, rescore: Callable[[Path], Any] | None) -> SyncResult:
    before = delivery.cursor.offset
    with plain_faults(delivery.uri):
        delivery.run()
        decision = settle(delivery.run_dir, delivery.cursor, delivery.uri, rescore)
    cursor = delivery.cursor
    new = cursor.offset - before
    return SyncResult(cursor.uri, cursor.run_id, new, cursor.refused, cursor.model_name, cursor.model_version, decision)


class Courier:
    """Delivers from a thread while training goes on; no fault or slowness of the server reaches the training."""

    def __init__(self, delivery: Delivery) -> None:
        self.delivery = delivery
        self._away = False
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._work, name="tracking", daemon=True)
        self._thread.start()

    def _work(self) -> None:
        while not self._stop.wait(PAUSE):
            try:
                self.delivery.run()
            except Exception as fault:
                if not self._away:
                    say(
                        f"MLflow at {self.delivery.cursor.uri} can't be reached ({first_line(fault)}). Training goes "
                        f"on; its figures wait in {self.delivery.run_dir / SPOOL_NAME}."
                    )
                self._away = True
            else:
                if self._away:
                    say(f"MLflow at {self.delivery.cursor.uri} is back and has everything so far.")
                self._away = False

    def close(self, rescore: Callable[[Path], Any] | None) -> SyncResult | None:
        """Deliver the rest in the caller's thread; None, and a sentence, where the server is still away."""
        self._stop.set()
        self._thread.join()
        try:
            return _deliver_all(self.delivery, rescore)
        except UserError as fault:
            run_dir = self.delivery.run_dir
            say(
                f"{fault}\nWhat it lacks waits in {run_dir / SPOOL_NAME}. Run `allsaid sync {run_dir}` "
                "when the server is back."
            )
            return None
        finally:
            self.delivery.close()


class Tracker:
    """Records a run. Every call writes to the spool only, so none waits for a server."""

    def __init__(self, spool: SpoolWriter, courier: Courier | None) -> None:
        self._spool, self._courier = spool, courier

    def params(self, values: Mapping[str, Any]) -> None:
        self._spool.params(values)

    def metrics(self, values: Mapping[str, float], step: int) -> None:
        self._spool.metrics(values, step)

    def tags(self, values: Mapping[str, Any]) -> None:
        self._spool.append("tags", values={key: str(value) for key, value in values.items()})

    def link(self, key: str, run_dir: Path) -> None:
        """Tag the run with the id that MLflow gives to the run in another folder."""
        self._spool.append("link", key=key, start=first_event(run_dir))

    def dataset(self, name: str, fingerprint: str, source: str) -> None:
        """Name the data set trained on; MLflow shows it as the run's input."""
        self._spool.append("dataset", name=name, fingerprint=fingerprint, source=source)

    def artifact(self, path: Path, folder: str = "") -> None:
        """Log a file or folder below the run folder, as it is when it is delivered."""
        self._spool.append("artifact", path=self._spool.inside(path), folder=folder)

    def model(
        self,
        folder: Path,
        name: str,
        scores: Mapping[str, float] | None = None,
        dev_fingerprint: str = "",
        search: Mapping[str, Any] | None = None,
    ) -> None:
        """Log a model folder and register it as challenger; with ``scores``, the figures that decide in its task,
        :meth:`finish` decides on promotion.
        """
        measured = None
        if scores is not None:
            measured = {"scores": dict(scores), "dev_fingerprint": dev_fingerprint, "search": dict(search or {})}
        self._spool.append("model", path=self._spool.inside(folder), name=name, measured=measured)

    def finish(self, status: str = "FINISHED", rescore: Callable[[Path], Any] | None = None) -> SyncResult | None:
        """End the run and deliver the rest; None offline, or where the server is away (a sentence says what to do).

        ``rescore`` measures the champion in a folder on this run's dev set and search settings.
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
        parent: the first event of the run that this one stands below; without one it is the run of `mlflow run`.
    """
    if mode == "online":
        mlflow_module()
    outer_run = "" if parent else os.environ.get("MLFLOW_RUN_ID", "")
    spool = SpoolWriter(run_dir, experiment, run_name, parent, outer_run)
    if revision := git_revision():
        spool.append("tags", values={"mlflow.source.git.commit": revision})
    courier = Courier(deliver_to(tracking_uri(run_dir), run_dir)) if mode == "online" else None
    return Tracker(spool, courier)
