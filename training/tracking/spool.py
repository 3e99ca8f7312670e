"""The record of a run's events (``spool.jsonl``), and how much each tracking server has of it (``delivered.json``).

One line is one event with its own time. Nothing here needs MLflow: training appends events, delivery reads them from an
offset.
"""

from __future__ import annotations

import json
import os
import time
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypedDict  # Any: JSON

from allsaid.redaction import public, public_values
from allsaid.storage.files import replace
from schemas.checks.json_value import JsonValue
from schemas.errors import UserError

SPOOL_NAME = "spool.jsonl"
CURSOR_NAME = "delivered.json"
DATA_ROWS = "dataset_rows"  # tag of a training run: examples of its data set
SYNC_EVERY = 1.0  # seconds between two fsyncs for metrics; a power cut may lose this much, a killed process nothing


class Event(TypedDict, total=False):
    """One line of the spool; each kind of event has some of the fields."""

    time: int  # milliseconds since 1970
    event: str  # the kind, such as "start", "metrics" or "finish"
    id: str  # of the run
    experiment: str
    run_name: str
    parent: Event | None  # the first event of the parent run
    outer_run: str  # the id of a parent run in MLflow
    values: dict[str, Any]  # of metrics numbers, of params and tags texts
    step: int
    key: str
    start: Event  # the first event of the linked run
    name: str  # of the data set or model
    fingerprint: str
    source: str
    path: str  # below the run's folder
    folder: str  # in the artifacts
    measured: dict[str, Any] | None  # "scores", "dev_fingerprint", "search" and "keep_champion" of a model
    status: str


class SpoolWriter:
    """Writer of events; opened on an earlier spool, it continues that run.

    A run resumed from a checkpoint repeats some steps: a (metric, step) or a parameter that the spool already has is
    left out.
    """

    def __init__(
        self, run_dir: Path, experiment: str, run_name: str, parent: Event | None = None, outer_run: str = ""
    ) -> None:
        """``parent``: the first event of the parent run; ``outer_run``: the id of a parent run in MLflow."""
        self.path = run_dir / SPOOL_NAME
        self._run_dir = run_dir.resolve()
        self._synced = 0.0
        self._metrics: set[tuple[str, int]] = set()
        self._params: dict[str, str] = {}
        try:
            run_dir.mkdir(parents=True, exist_ok=True)
            self._file = self.path.open("ab")
            _cut_torn_line(self.path)
        except OSError as fault:
            raise UserError(f"{self.path} can't be written ({fault.strerror}). Choose another run folder.") from fault
        if self.path.stat().st_size:
            self._recall()
            self.append("resume")
        else:
            names = {"experiment": experiment, "run_name": run_name}
            self.append("start", id=uuid.uuid4().hex, **names, parent=parent, outer_run=outer_run)

    def _recall(self) -> None:
        for event, _ in read_events(self.path, 0):
            if event["event"] == "metrics":
                self._metrics.update((key, event["step"]) for key in event["values"])
            elif event["event"] == "params":
                self._params.update(event["values"])

    def append(self, kind: str, **values: Any) -> None:
        """Write one event with these fields; it survives a kill at once, and a power cut after ``SYNC_EVERY``."""
        event = {"time": time.time_ns() // 1_000_000, "event": kind, **public_values(values)}
        line = json.dumps(event, ensure_ascii=False)
        try:
            self._file.write(line.encode() + b"\n")
            self._file.flush()
            if kind != "metrics" or time.monotonic() - self._synced > SYNC_EVERY:
                os.fsync(self._file.fileno())
                self._synced = time.monotonic()
        except OSError as fault:
            raise UserError(f"{self.path} can't be written ({fault.strerror}). Make room and use --resume.") from fault

    def params(self, values: Mapping[str, JsonValue]) -> None:
        """Write new parameters; one that has another value in a resumed run becomes the tag ``resumed.KEY``."""
        texts = {key: public(str(value)) for key, value in values.items()}
        new = {key: text for key, text in texts.items() if key not in self._params}
        changed = {f"resumed.{key}": text for key, text in texts.items() if self._params.get(key, text) != text}
        self._params.update(new)
        if new:
            self.append("params", values=new)
        if changed:
            self.append("tags", values=changed)

    def metrics(self, values: Mapping[str, float], step: int) -> None:
        new = {key: float(value) for key, value in values.items() if (key, step) not in self._metrics}
        if new:
            self.append("metrics", step=step, values=new)

    def inside(self, path: Path) -> str:
        """Return the path below the run folder, so that the spool stays valid if the folder is moved."""
        full = path.resolve()
        if not full.is_relative_to(self._run_dir):
            raise ValueError(f"{path} lies outside the run folder {self._run_dir}")
        return full.relative_to(self._run_dir).as_posix()

    def close(self) -> None:
        self._file.close()


def _cut_torn_line(path: Path) -> None:
    """Remove half a line at the end, which a killed writer leaves, before another event is appended."""
    data = path.read_bytes()
    complete = data.rfind(b"\n") + 1
    if complete < len(data):
        os.truncate(path, complete)


def read_events(path: Path, offset: int) -> Iterator[tuple[Event, int]]:
    """Yield each complete event from byte ``offset``, and the offset after it; raise UserError if one is damaged."""
    with path.open("rb") as lines:
        lines.seek(offset)
        for line in lines:
            if not line.endswith(b"\n"):  # still being written
                return
            try:
                event = json.loads(line)
            except ValueError as fault:
                raise UserError(f"{path} is damaged at byte {offset} ({fault}). Remove that line.") from fault
            offset += len(line)
            yield event, offset


def first_event(run_dir: Path) -> Event:
    """Return the first event, which names the run; raise UserError if ``run_dir`` holds no spool."""
    path = run_dir / SPOOL_NAME
    if path.is_file():
        for event, _ in read_events(path, 0):
            return event
    raise UserError(f"{run_dir} holds no recorded run ({SPOOL_NAME}). Give a run folder of `allsaid train`.")


@dataclass
class Cursor:
    """The state of a spool's delivery to one tracking server."""

    uri: str  # without user and password
    run_id: str = ""
    offset: int = 0  # bytes of the spool
    refused: int = 0  # values that the server refused
    model_name: str = ""
    model_version: str = ""


def load_cursors(run_dir: Path) -> list[Cursor]:
    """Return the cursors of all servers, the last used one last."""
    path = run_dir / CURSOR_NAME
    if not path.exists():
        return []
    try:
        return [Cursor(**values) for values in json.loads(path.read_text())]
    except (ValueError, TypeError) as fault:
        raise UserError(f"{path} is damaged ({fault}). Remove it: nothing is delivered twice.") from fault


def save_cursor(run_dir: Path, cursor: Cursor) -> None:
    """Save a cursor next to those of other servers, in one atomic write."""
    others = [other for other in load_cursors(run_dir) if other.uri != cursor.uri]
    content = json.dumps([asdict(saved) for saved in [*others, cursor]], indent=2) + "\n"
    try:
        replace(str(run_dir / CURSOR_NAME), content.encode())
    except OSError as fault:
        raise UserError(f"{run_dir} can't be written ({fault.strerror}). Make room there.") from fault
