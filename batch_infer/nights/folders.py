"""The texts of nightly runs in a run store: which ones are published, and which ones are kept.

``DIR/runs/<run>/`` is the output of one `allsaid generate`. ``DIR/runs/<run>.json`` is its record, written when the
nightly run has ended. ``DIR/published.json`` names the published run. A run without a record was interrupted.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from allsaid.console import say
from allsaid.storage import files
from allsaid.storage.run_store import LOCKS, Layout, RunStore, run_folder
from batch_infer.proof.summary import JOB
from pipelines.sources.records.findings.drift import Drift, Sample
from schemas.runs.manifest import FileHash
from training.tracking.versions import Versions

if TYPE_CHECKING:
    from batch_infer.job.folder import Job


def _known_files() -> re.Pattern[str]:
    from batch_infer.job.folder import KNOWN  # it loads PyTorch, which a run with nothing to do does without

    return KNOWN


PUBLISHED = "published.json"
# The status of a run: the published one, an earlier one that passed its gates, one that broke a gate.
SEEN, PASSED, ASIDE = "published, seen by readers", "published", "kept aside"
UNFINISHED = "unfinished"  # running, stopped or killed
LAYOUT = Layout("nightly", PUBLISHED, record=".json", mark=JOB, own=_known_files)
_PAGES = re.compile(r"report\.html|validation/.+")  # about the texts; any user may have written them again


@dataclass(frozen=True)
class Retrain:
    """A training that failed; the next nightly run tries it again."""

    reason: str  # why the training was due
    newest: str  # the newest version at that time; if a newer one exists, the training need not be tried again


@dataclass(frozen=True)
class Registered:
    """The state of the model registry, as far as a nightly run depends on it."""

    asked: str  # the model of the request, such as models:/shop@champion
    model: str  # the version that ``asked`` means now; "" if there is none yet
    known: Versions | None  # all versions of the model; None without a section `train`
    state: str  # of the registry at that time; "": unknown


@dataclass(frozen=True)
class Record:
    """The record of a nightly run that has ended."""

    run: str
    data_run: str  # of the data set that was ingested in the same run; "" without one
    faults: list[str]  # a sentence for each broken gate; a run with a broken gate is not published
    drift: list[Drift]  # changes of the table's columns since the previous nightly run
    columns: Sample | None  # of the table; None if the input is not a table
    files: list[FileHash]
    request: str  # hash of all that the texts depend on; "": unknown
    registered: Registered
    retrain: Retrain | None = None  # a training that failed


def store(output: str) -> RunStore:
    return RunStore(output, LAYOUT)


def find_published(output: str) -> Record | None:
    """Return the published run: the one that the pointer names, or else the newest one that passed its gates."""
    runs = store(output)
    passed = [record for record in _records(runs) if not record.faults]
    named = (files.read_json(runs.pointer) or {}).get("run")
    return next((record for record in passed if record.run == named), passed[-1] if passed else None)


def aside(output: str) -> Record | None:
    """Return the record of the newest run that was kept aside; None if there is none."""
    return next((record for record in reversed(_records(store(output))) if record.faults), None)


def repair_published(output: str) -> Record | None:
    """Return the published run, and repair the pointer and the link that lead readers to it.

    A missing or damaged pointer is pointed to the newest run that passed its gates. A link that leads elsewhere, as
    after a kill between the two steps, is made again. Only for a nightly run that holds the lock.
    """
    runs, record = store(output), find_published(output)
    if record is not None and record.run != (files.read_json(runs.pointer) or {}).get("run"):
        say(f"{runs.pointer} names no run that exists; the newest one, {record.run}, takes its place.", "warning")
        runs.publish(record.run, _line({"run": record.run}))
    elif record is not None:
        runs.restore(record.run, {})
    return record


def past(output: str) -> list[tuple[str, str]]:
    """Return all existing runs with their status, oldest first; repair nothing, since it serves readers.

    A run that was killed before it wrote a file is known by its lock.
    """
    runs = store(output)
    published_run = (files.read_json(runs.pointer) or {}).get("run")
    records = {record.run: record for record in _records(runs)}
    locked = (Path(name).stem for name in files.below(files.join(output, LOCKS)) if name.endswith(".json"))
    found = sorted({*runs.runs(), *locked})
    status = {run: UNFINISHED if run not in records else ASIDE if records[run].faults else PASSED for run in found}
    return [(run, SEEN if run == published_run else state) for run, state in status.items()]


def _records(runs: RunStore) -> list[Record]:
    """Return the readable records of complete runs, oldest first."""
    return [record for run in runs.complete() if (record := _read(runs, run)) is not None]


def _read(runs: RunStore, run: str) -> Record | None:
    values = files.read_json(runs.record(run))
    if values is None:
        return None
    try:
        columns, registered = values["columns"], values["registered"]
        known = None if registered["known"] is None else Versions(**registered["known"])
        return Record(**values | {
            "drift": [Drift(**change) for change in values["drift"]],
            "columns": None if columns is None else Sample(**columns),
            "registered": Registered(**registered | {"known": known}),
            "retrain": None if values["retrain"] is None else Retrain(**values["retrain"]),
        })  # fmt: skip
    except (LookupError, TypeError):
        return None


def note(output: str, record: Record) -> None:
    """Write the record of a published run again."""
    store(output).finish(record.run, _line(asdict(record)))


def job_of(output: str, run: str) -> Job:
    """Return the job of a run: all that its texts depend on. Return an empty one if it can't be read."""
    return files.read_json(files.join(run_folder(output, run), JOB)) or {}


def resumable(output: str, job: Job) -> str:
    """Return the newest run of this job that was interrupted or not published; "" if there is none."""
    runs = store(output)
    for run in reversed(runs.runs()):
        record = _read(runs, run)
        if (record is None or record.faults) and job_of(output, run) == job:
            return run
    return ""


def hashes(output: str, run: str) -> list[FileHash]:
    """Return the files of a run with their hashes."""
    folder = run_folder(output, run)
    names = [name for name in files.below(folder) if not _PAGES.fullmatch(name)]
    return [{"path": name, "sha256": files.sha256(files.join(folder, name))} for name in names]


def damaged(output: str, record: Record) -> list[str]:
    """Return the files of a nightly run that are missing or changed."""
    folder = run_folder(output, record.run)
    return [file["path"] for file in record.files if files.damage(folder, file)]


def publish(output: str, record: Record) -> None:
    """Complete a nightly run with its record and publish it, unless a gate is broken."""
    runs = store(output)
    runs.finish(record.run, _line(asdict(record)))
    if not record.faults:
        runs.publish(record.run, _line({"run": record.run}))


def sweep(output: str, published_run: str, keep: int) -> None:
    """Remove interrupted and older nightly runs (:meth:`RunStore.sweep`)."""
    runs = store(output)
    records = _records(runs)
    passed = [record.run for record in records if not record.faults]
    runs.sweep(published_run, passed, [record.run for record in records if record.faults], keep)


def _line(values: Mapping[str, object]) -> str:
    return json.dumps(values, ensure_ascii=False) + "\n"
