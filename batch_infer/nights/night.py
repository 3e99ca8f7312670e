"""A nightly run: write or prove texts in a new folder, and publish it if it passes its gates."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from allsaid.console import say
from allsaid.gates import GateBroken
from allsaid.modeling.saved.knowledge import Knowledge
from allsaid.storage import files
from allsaid.storage.paths import expand
from allsaid.storage.run_store import new_run, run_folder
from allsaid.storage.streams import with_content
from batch_infer.job import formats, generate, prepared, prove, record
from batch_infer.job.plan import Plan
from batch_infer.job.prepared import LoadedModel, Prepared
from batch_infer.job.prove import Known, PreparedProof
from batch_infer.nights import folders, gates
from batch_infer.nights.folders import Record, Retrain
from batch_infer.nights.tonight import Options, Tonight
from batch_infer.options.drift import DriftGates
from batch_infer.options.prove import ProveOptions
from batch_infer.proof import summary as summary_file
from batch_infer.proof.summary import Summary
from batch_infer.rows import sources
from batch_infer.rows.kinds import tables
from pipelines.sources.records.findings import drift
from pipelines.sources.records.findings.drift import Drift, Sample
from pipelines.sources.records.tables.layout import TableFault


class Job(NamedTuple):
    """The steps of a job; each takes the job's options (Any: of its own class) and the result of the step before."""

    load: Callable[[Any], LoadedModel | Known]
    prepare: Callable[[Any, Any], Prepared | PreparedProof]
    carry_out: Callable[[Any, Any], Summary]
    plan: Callable[[Any, Any], Plan]


GENERATE = Job(prepared.load_model, prepared.prepare, generate.carry_out, generate.plan)
PROVE = Job(prove.load_known, prove.prepare, prove.carry_out, prove.plan)


def _job_of(options: Options) -> Job:
    return PROVE if isinstance(options, ProveOptions) else GENERATE


@dataclass(frozen=True)
class Opened:
    """A nightly run with one model, which is loaded, and the table's columns."""

    options: Options  # their output is the folder of all nightly runs
    run: str  # the run's name, unless an earlier run is resumed
    loaded: LoadedModel | Known
    last: str | None  # folder of the published run
    damaged: list[str]  # files of the published run
    columns: Sample | None  # of the table
    drift: list[Drift]  # since the published run
    gates: DriftGates
    champion: str = ""  # of a challenger: folder of the champion's texts for the same rows


@dataclass(frozen=True)
class Texts:
    """The texts of a nightly run, not published yet."""

    run: str
    folder: str
    summary: Summary


def plan(opened: Opened) -> Plan:
    """Return what a nightly run would do with the texts, beside the published run; write nothing."""
    return _job_of(opened.options).plan(_reusing(opened.options, opened.last), opened.loaded)


def _reusing(options: Options, last: str | None) -> Options:
    """Return options that reuse the texts of a run's folder, which needs a model."""
    return replace(options, previous=last if options.model else None)


def open_run(tonight: Tonight, model: str, drift_gates: DriftGates) -> Opened:
    """Load the model and report changes of the table's columns; raise :class:`UserError` for a fault."""
    options, last = replace(tonight.options, model=model), tonight.last
    loaded = _job_of(options).load(options)
    is_table = bool(loaded.knowledge.mapping) and not sources.is_data_set(options.input)
    gates.check(drift_gates, loaded.knowledge, is_table)
    columns = _look(options, loaded.knowledge) if is_table else None
    changes: list[Drift] = []
    if last is not None and last.columns is not None and columns is not None:
        changes = drift.compare(last.columns, columns, tables.mapping_of(loaded.knowledge.mapping))
    for change in changes:
        say(change.sentence, "warning")
    folder = run_folder(options.output, last.run) if last else None
    return Opened(options, tonight.run, loaded, folder, tonight.damaged, columns, changes, drift_gates)


def open_challenger(opened: Opened, model: str, champion: str) -> Opened:
    """Return the same run with a challenger; ``champion`` is the folder of the champion's texts for the same rows."""
    options = replace(opened.options, model=model)
    loaded = _job_of(options).load(options)
    return replace(opened, options=options, run=new_run(), loaded=loaded, champion=champion)


def _look(options: Options, knowledge: Knowledge) -> Sample | None:
    """Return the columns of the table; an unreadable one is reported when its rows are read."""
    mapping = tables.mapping_of(knowledge.mapping)
    try:
        paths = with_content(expand([options.input]).paths, zips=True)
        return drift.sample(paths, mapping, options.encoding, options.sheet)
    except TableFault:
        return None


def prepare(opened: Opened) -> Prepared | PreparedProof:
    """Prepare the run without reading its rows, except for their hash; raise :class:`UserError` for a fault."""
    return _job_of(opened.options).prepare(opened.options, opened.loaded)


def is_done(opened: Opened, tonight: Tonight, ready: Prepared | PreparedProof, data_run: str) -> bool:
    """Return whether the texts of this exact input, model, settings, code and data set are already published."""
    last, output = tonight.last, opened.options.output
    if last is None or tonight.damaged or last.data_run != data_run:
        return False
    wanted = {*formats.names(formats.check(opened.options.format), opened.options.publish)}
    written = {file["path"] for file in last.files}
    aside = {path for path in written if path.startswith(formats.ASIDE)}
    return folders.job_of(output, last.run) == _as_json(ready.job) and aside <= wanted <= written


def write(opened: Opened, ready: Prepared | PreparedProof) -> Texts:
    """Write or prove texts for rows changed since the last run; resume an interrupted run of the job."""
    output, limits, last = opened.options.output, opened.options.gate, opened.last
    against = opened.champion or last
    run = folders.resumable(output, _as_json(ready.job)) or opened.run
    folder = run_folder(output, run)
    options = replace(opened.options, output=folder, against=against, gate=limits if against else limits.alone)
    if not opened.champion:
        options = _reusing(options, last)
    try:
        with record.lineage_run(record.PROVE if isinstance(options, ProveOptions) else record.GENERATE, options):
            summary = _job_of(options).carry_out(options, ready)
    except GateBroken as fault:
        summary = fault.reached
    damaged = [files.join(last, name) for name in opened.damaged] if last else []
    intact = [path for path in summary_file.text_files(last) if path not in damaged] if last else []
    faults = gates.broken(opened.gates, opened.drift, summary_file.text_files(folder), intact)
    drifted = [change.sentence for change in opened.drift]
    summary = replace(summary, drift=drifted, gates=[*summary.gates, *faults])
    summary_file.write(folder, summary)
    return Texts(run, folder, summary)


def published(tonight: Tonight) -> Texts:
    """Return the texts of the published run."""
    assert tonight.last is not None
    folder = run_folder(tonight.options.output, tonight.last.run)
    return Texts(tonight.last.run, folder, summary_file.read(folder))


def note(texts: Texts, sentences: Sequence[str]) -> Texts:
    """Add sentences about the training to the summary of texts that are not published yet."""
    summary = replace(texts.summary, training=[*sentences])
    summary_file.write(texts.folder, summary)
    return replace(texts, summary=summary)


def end(tonight: Tonight, opened: Opened, texts: Texts, data_run: str, retrain: Retrain | None, keep: int) -> Record:
    """Publish the run's texts unless a gate is broken, write its record, and remove all but ``keep`` nightly runs.

    retrain: a training for the next nightly run.
    """
    output = tonight.options.output
    record = Record(
        texts.run,
        data_run,
        texts.summary.gates,
        opened.drift,
        opened.columns,
        folders.hashes(output, texts.run),
        tonight.request(opened.options.model),
        tonight.registered(),
        retrain,
    )
    assert tonight.hold is not None
    tonight.hold.check()
    folders.publish(output, record)
    seen = tonight.last.run if record.faults and tonight.last else texts.run
    folders.sweep(output, seen, keep)
    return record


def sweep(tonight: Tonight, keep: int) -> None:
    """Remove what a run that publishes nothing has written, and all but ``keep`` nightly runs."""
    assert tonight.last is not None
    folders.sweep(tonight.options.output, tonight.last.run, keep)


def _as_json(job: Mapping[str, object]) -> dict[str, object]:
    """Return a job as read back from its file."""
    return json.loads(json.dumps(job))
