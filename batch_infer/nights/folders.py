"""The texts of nightly runs under one output folder: which ones are published, and which ones are kept.

``DIR/runs/<run>/`` is the output of one `allsaid generate`. ``DIR/runs/<run>.json`` is its record, written when the
nightly run has ended. ``DIR/published.json`` names the published run and changes in one step, at the end. On a local
disk ``DIR/current`` links to that run. A run without a record was interrupted.
"""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass
from typing import Any

from allsaid.console import say
from allsaid.storage import files
from batch_infer.job.folder import JOB, KNOWN
from pipelines.datasets import snapshot
from pipelines.datasets.snapshot import CURRENT, LOCKS, RUN_NAME, RUNS, run_folder
from pipelines.sources.records.findings.drift import Drift, Sample

PUBLISHED = "published.json"
_KNOWN = re.compile(
    rf"{PUBLISHED}(?:\.new)?|{LOCKS}/{RUN_NAME}\.json(?:\.new)?|{RUNS}/{RUN_NAME}(?:\.json(?:\.new)?|/.+)"
)
_IN_RUNS = re.compile(rf"({RUN_NAME})(?:/(.+)|(\.json))")
_ABOUT = re.compile(r"report\.html|validation/.+")  # pages about the texts, which any user may have written again


@dataclass(frozen=True)
class Record:
    """The record of a nightly run that has ended."""

    run: str
    data_run: str  # of the data set that was ingested in the same run; "" without one
    faults: list[str]  # a sentence for each broken gate; with any, the run is not published
    drift: list[Drift]  # changes of the table's columns since the previous nightly run
    columns: Sample | None  # of the table; None if the input is not a table
    files: list[dict[str, Any]]  # path, sha256


def check(output: str) -> None:
    """Refuse a folder that holds anything other than nightly runs."""
    snapshot.check_output(output, _KNOWN, "nightly")


def published(output: str) -> Record | None:
    """Return the published run; if its pointer is missing or damaged, point it to the newest run that passed its gates.

    Only for a nightly run that holds the lock.
    """
    path = files.join(output, PUBLISHED)
    found = [record for run in _runs(output) if (record := read(output, run)) and not record.faults]
    named = _json(path).get("run")
    record = next((one for one in found if one.run == named), None)
    if record is None and found:
        record = found[-1]
        say(f"{path} names no night that is there; the newest one, {record.run}, takes its place.", "warning")
        _point(output, record.run)
    return record


def read(output: str, run: str) -> Record | None:
    """Return the record of a nightly run; None if it has no readable record."""
    values = _json(_record_path(output, run))
    try:
        columns = values["columns"]
        return Record(**values | {
            "drift": [Drift(**one) for one in values["drift"]],
            "columns": None if columns is None else Sample(**columns),
        })  # fmt: skip
    except (LookupError, TypeError):
        return None


def job_of(output: str, run: str) -> dict[str, Any]:
    """Return the job of a run, all that its texts depend on; empty if it can't be read."""
    return _json(files.join(run_folder(output, run), JOB))


def resumable(output: str, job: dict[str, Any]) -> str:
    """Return the newest run of this job that was interrupted or not published; "" if there is none."""
    for run in reversed(_runs(output)):
        record = read(output, run)
        if (record is None or record.faults) and job_of(output, run) == job:
            return run
    return ""


def entries(output: str, run: str) -> list[dict[str, Any]]:
    """Return the files of a run with their hashes."""
    folder = run_folder(output, run)
    names = [name for name in files.below(folder) if not _ABOUT.fullmatch(name)]
    return [{"path": name, "sha256": files.sha256(files.join(folder, name))} for name in names]


def damaged(output: str, record: Record) -> list[str]:
    """Return the files of a nightly run that are missing or changed."""
    folder, found = run_folder(output, record.run), []
    for entry in record.files:
        path = files.join(folder, entry["path"])
        if not files.exists(path) or files.sha256(path) != entry["sha256"]:
            found.append(entry["path"])
    return found


def publish(output: str, record: Record) -> None:
    """End a nightly run: write its record and publish it, unless a gate is broken."""
    files.replace(_record_path(output, record.run), _bytes(asdict(record)))
    if not record.faults:
        _point(output, record.run)


def _point(output: str, run: str) -> None:
    files.replace(files.join(output, PUBLISHED), _bytes({"run": run}))
    snapshot.link(output, run)


def sweep(output: str, seen: str, keep: int) -> None:
    """Remove all runs but the newest ``keep`` that passed their gates, the published and the newest unpublished one.

    Only for a nightly run that holds the lock. Files that Allsaid did not write stay.
    """
    records = {run: read(output, run) for run in _runs(output)}
    sound = [run for run, record in records.items() if record is not None and not record.faults]
    aside = [run for run, record in records.items() if record is not None and record.faults]
    for run in sorted(records.keys() - {*sound[-keep:], *aside[-1:], seen}):
        _discard(output, run)


def _discard(output: str, run: str) -> None:
    folder = run_folder(output, run)
    names = files.below(folder)
    strangers = [name for name in names if not KNOWN.fullmatch(name) and name != f"{CURRENT}.new"]
    if strangers or (names and JOB not in names):
        what = f"{strangers[0]}, which Allsaid did not write" if strangers else f"no {JOB}"
        say(f"{folder} holds {what}, so it is left there.", "warning")
        return
    files.delete([_record_path(output, run)])
    files.remove(folder, JOB)


def _runs(output: str) -> list[str]:
    """Return all runs, oldest first."""
    named = (_IN_RUNS.fullmatch(path) for path in files.below(files.join(output, RUNS)))
    return sorted({found[1] for found in named if found})


def _record_path(output: str, run: str) -> str:
    return f"{run_folder(output, run)}.json"


def _bytes(values: dict[str, Any]) -> bytes:
    return (json.dumps(values, ensure_ascii=False) + "\n").encode()


def _json(path: str) -> dict[str, Any]:
    """Return the values of a small JSON file; empty if it is missing or damaged."""
    try:
        values = json.loads(files.read_text(path))
    except (OSError, ValueError, RecursionError):
        return {}
    return values if isinstance(values, dict) else {}
