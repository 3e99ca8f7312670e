"""A night's texts: of the rows that changed, in a folder of their own, which readers see once it has kept its gates."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from allsaid.console import say
from allsaid.modeling.saved.model_folder import Bundle
from allsaid.storage import files
from allsaid.storage.disk import disk_faults
from allsaid.storage.paths import expand
from allsaid.storage.streams import with_content
from batch_infer.job import formats, generate
from batch_infer.job.folder import JOB
from batch_infer.job.prepared import Prepared, open_model
from batch_infer.job.request import Request
from batch_infer.nights import folders
from batch_infer.nights.folders import Record
from batch_infer.proof import summary as summary_file
from batch_infer.proof.summary import Summary
from batch_infer.rows.kinds import tables
from pipelines.datasets import lock, snapshot
from pipelines.datasets.gates import GateBroken
from pipelines.sources.records.findings import drift
from pipelines.sources.records.findings.drift import Drift, Sample
from pipelines.sources.records.tables.layout import TableFault
from schemas.runs.manifest import MANIFEST_NAME
from training.tracking.registry import ResolvedModel


@dataclass(frozen=True)
class Tonight:
    """A night that has begun: it holds its output folder and has looked at the model and at the table's columns."""

    request: Request  # its output is the folder of all nights
    run: str  # the night's name, unless an earlier one is gone on with
    hold: lock.Lock
    model: ResolvedModel
    bundle: Bundle
    last: Record | None  # the night that readers see
    is_whole: bool  # whether its files are as they were written
    columns: Sample | None  # of the table
    drift: list[Drift]  # since the night that readers see


@dataclass(frozen=True)
class Texts:
    """A night's texts, which readers don't see yet."""

    run: str
    folder: str
    summary: Summary


@contextmanager
def begin(request: Request, wait_minutes: float) -> Iterator[Tonight]:
    """Hold the output folder while the block runs; how the table's columns changed is said at once."""
    folders.check(request.output)
    run = snapshot.new_run()
    with disk_faults(request.output), lock.held(request.output, run, wait_minutes) as hold:
        model, bundle = open_model(request)
        last = folders.published(request.output)
        last, is_whole = _checked(request.output, last)
        columns = _look(request, bundle)
        told: list[Drift] = []
        if last is not None and last.columns is not None and columns is not None:
            told = drift.compare(last.columns, columns, tables.mapping_of(bundle.mapping))
        for change in told:
            say(change.sentence, "warning")
        yield Tonight(request, run, hold, model, bundle, last, is_whole, columns, told)


def _checked(output: str, last: Record | None) -> tuple[Record | None, bool]:
    """The last night as far as it can be used, and whether all of its files are as they were written."""
    harmed = folders.damaged(output, last) if last is not None else []
    if last is None or not harmed:
        return last, True
    folder = snapshot.run_folder(output, last.run)
    say(f"Of the texts that readers see in {folder}, {', '.join(harmed[:3])} is missing or damaged.", "warning")
    return (None if {JOB, summary_file.NAME} & {*harmed} else last), False


def _look(request: Request, bundle: Bundle) -> Sample | None:
    """The columns of the input where it is a table; what can't be read as one is told when its rows are read."""
    if not bundle.mapping or files.exists(files.join(request.input, MANIFEST_NAME)):
        return None
    mapping = tables.mapping_of(bundle.mapping)
    try:
        return drift.sample(with_content(expand([request.input]).paths), mapping, request.encoding, request.sheet)
    except TableFault:
        return None


def is_done(tonight: Tonight, ready: Prepared, data_run: str) -> bool:
    """Whether readers see the texts of this very table, model, settings and code, beside this data set."""
    last, output = tonight.last, tonight.request.output
    if last is None or not tonight.is_whole or last.data_run != data_run:
        return False
    wanted = {f"texts.{name}" for name in formats.check(tonight.request.formats)}
    return folders.job_of(output, last.run) == _as_json(ready.job) and wanted <= {one["path"] for one in last.files}


def write(tonight: Tonight, ready: Prepared) -> Texts:
    """Write the texts of what changed since the last night; go on where a night of the same job was broken off."""
    output, gates, last = tonight.request.output, tonight.request.gates, None
    if tonight.last is not None:
        last = snapshot.run_folder(output, tonight.last.run)
    run = folders.resumable(output, _as_json(ready.job)) or tonight.run
    folder = snapshot.run_folder(output, run)
    request = replace(tonight.request, output=folder, previous=last, against=last, gates=gates if last else gates.alone)
    try:
        summary = generate.carry_out(request, ready)
    except GateBroken as fault:
        summary = fault.reached
    summary = replace(summary, drift=[change.sentence for change in tonight.drift])
    summary_file.write(folder, summary)
    return Texts(run, folder, summary)


def end(tonight: Tonight, texts: Texts, data_run: str, keep: int) -> Record:
    """Let readers see the night's texts, or keep them aside where a gate is broken; remove all but ``keep`` nights."""
    output = tonight.request.output
    record = Record(
        texts.run, data_run, texts.summary.gates, tonight.drift, tonight.columns, folders.entries(output, texts.run)
    )
    tonight.hold.check()
    folders.publish(output, record)
    seen = tonight.last.run if record.faults and tonight.last else texts.run
    folders.sweep(output, seen, keep)
    return record


def _as_json(job: dict[str, Any]) -> dict[str, Any]:
    """A job as it is read back from its file."""
    return json.loads(json.dumps(job))
