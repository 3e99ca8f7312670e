"""The ingest run: check what was asked, read what is new, check the counts and the gates, publish."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, fields, replace
from functools import partial
from typing import Any

from apache_beam.options.pipeline_options import PipelineOptions

from allsaid.console import progress, say, watched
from allsaid.stops import when_stopped
from allsaid.storage import files
from allsaid.storage.disk import disk_faults
from allsaid.storage.paths import absolute, expand
from pipelines import sources
from pipelines.datasets import card, gates, history, lock, snapshot
from pipelines.datasets.gates import GateBroken, Gates
from pipelines.datasets.snapshot import BEGUN, STAGED
from pipelines.ingest import reuse
from pipelines.ingest.assembly import assemble, check_counts
from pipelines.ingest.job import Job, part_name, steps_of
from pipelines.ingest.runner import make_pipeline, pipeline_options, worker_faults, works_here
from pipelines.ingest.transforms import Ingest
from pipelines.source import Steps, Surveying
from schemas.errors import UserError
from schemas.runs.manifest import Manifest

PATHS = ("mapping", "table")  # settings of sources that name a file
PUBLISHED, KEPT_ASIDE, NOTHING_TO_DO = "published", "kept aside", "nothing to do"


@dataclass(frozen=True)
class Schedule:
    """How a run fits among others."""

    run_date: str = ""  # the day that the snapshot is for, "2026-11-21"
    keep_snapshots: int | None = None  # how many complete runs stay on disk; None: all
    wait_minutes: float = 0  # how long another run on the same output is waited for
    gates: Gates = field(default_factory=Gates)


ALWAYS = Schedule()


@dataclass(frozen=True)
class Request:
    """What `allsaid ingest` is asked to read and to publish."""

    source: str
    inputs: Sequence[str]  # files, folders and globs
    output: str  # the data set's folder
    settings: Any  # the source's own
    beam_args: Sequence[str] = ()  # Beam's own options
    schedule: Schedule = ALWAYS


@dataclass(frozen=True)
class Outcome:
    """What a run came to."""

    manifest: Manifest  # of this run, or of the published one where nothing was to do
    folder: str  # of the manifest's run
    status: str  # PUBLISHED, KEPT_ASIDE or NOTHING_TO_DO
    reused: int  # shards of the input that an earlier run has read
    faults: Sequence[str]  # a sentence for each gate that is broken

    def check(self) -> None:
        """Raise :class:`GateBroken` where a gate is broken."""
        so = "Readers see it nevertheless."
        if self.status == KEPT_ASIDE:
            so = f"The run is kept aside in {self.folder}; readers see what they saw before."
        if self.faults:
            raise GateBroken(f"{' '.join(self.faults)} {so}", self.manifest)

    def tell(self) -> None:
        """Tell what was not read: for it is unchanged, or lost."""
        if self.status == NOTHING_TO_DO:
            say(f"Nothing to do: {self.folder} was made from the same input, settings and code.")
        elif self.reused:
            of = len(self.manifest.shards)
            say(f"Shards that were unchanged and taken from an earlier run: {self.reused} of {of}.")
        for loss in self.manifest.losses:
            say(f"Lost: {loss}", "warning")


def run(request: Request) -> Manifest:
    """As :func:`reach`, for who needs a data set that keeps the gates: raises :class:`GateBroken` for another."""
    outcome = reach(request)
    outcome.check()
    return outcome.manifest


def reach(request: Request) -> Outcome:
    """Ingest all files that the globs name and publish the data set under the request's ``output``.

    With the same input, settings and code as the published run nothing is done.
    Raises :class:`UserError`; the data set that was published before is then unchanged.
    """
    begun = time.monotonic()
    options = pipeline_options(request.beam_args)
    if not works_here(options):
        request = _as_workers_find_it(request)
    source, output, settings, schedule = request.source, request.output, request.settings, request.schedule
    given = expand(request.inputs, output)
    snapshot.check_output(output)
    hashes = reuse.contents(given.paths)  # before the plan is made: what changes from now on is found out
    module = sources.find(source)
    shards = module.plan(given.paths, settings)
    hashes |= reuse.contents({path for shard in shards for path in shard.files} - hashes.keys())
    of_all = isinstance(module, Surveying)
    prints = reuse.fingerprints(source, shards, hashes, _read_settings(source, settings), of_all)
    name = snapshot.new_run(schedule.run_date)
    with disk_faults(output), lock.held(output, name, schedule.wait_minutes) as hold:
        last = snapshot.last(output)
        snapshot.sweep(output, last, None)
        _check_source(output, source, last)
        known = [run for run in (last, snapshot.aside(output)) if run is not None and run.source == source]
        found = [(run, reuse.damaged(output, run)) for run in known]
        told = [(run, harmed) for run, harmed in found if set(given.losses) <= set(run.losses)]
        sound = [run for run, harmed in told if not harmed and _unchanged(run, settings, prints, schedule.run_date)]
        if sound:
            outcome = _take(sound[0], last, output, schedule.gates, begun)
        else:
            job = Job(
                source,
                snapshot.run_folder(output, name),
                tuple(shards),
                settings,
                reuse.earlier(output, found, prints),
                tuple(given.losses),
            )
            manifest = _make(job, options, name, prints, hashes, hold)
            outcome = _hand_over(job, manifest, output, gates.broken(manifest, last, schedule.gates), begun)
        snapshot.sweep(output, outcome.manifest if outcome.status != KEPT_ASIDE else last, schedule.keep_snapshots)
    outcome.tell()
    return outcome


def _as_workers_find_it(request: Request) -> Request:
    """A request whose paths are absolute: workers of a cluster work in folders of their own."""
    paths = {name: absolute(path) for name, path in asdict(request.settings).items() if name in PATHS}
    return replace(
        request,
        inputs=[absolute(pattern) for pattern in request.inputs],
        output=absolute(request.output),
        settings=replace(request.settings, **paths),
    )


def _take(run: Manifest, last: Manifest | None, output: str, limits: Gates, begun: float) -> Outcome:
    """What to do with a run that was made before of the very same: nothing, or publish what was kept aside."""
    folder = snapshot.run_folder(output, run.run)
    if run is last:
        snapshot.mend(output, run)
        return Outcome(run, folder, NOTHING_TO_DO, len(run.shards), gates.broken(run, None, limits))
    faults = gates.broken(run, last, limits)
    if not faults:
        snapshot.publish(output, run)
        history.add(output, history.entry(run, len(run.shards), time.monotonic() - begun, faults))
    return Outcome(run, folder, KEPT_ASIDE if faults else PUBLISHED, len(run.shards), faults)


def _make(
    job: Job, options: PipelineOptions, name: str, prints: Sequence[str], hashes: Mapping[str, str], hold: lock.Lock
) -> Manifest:
    """Do the work, in the run's folder, which nobody reads yet; leaves nothing where it fails."""
    with when_stopped("Nothing was published; readers see what they saw before."), _cleaned_up(job):
        try:
            _execute(job, options)
        except Exception:
            _check_input(job, hashes)
            raise
        _check_input(job, hashes)
        manifest = assemble(job, name, prints, hashes)
        check_counts(manifest, job.folder)
        card.write(job.folder, manifest, sources.find(job.source).handling)
        _tidy(job)
        hold.check()
    return manifest


def _check_input(job: Job, hashes: Mapping[str, str]) -> None:
    """Raise UserError where a file that was read is no longer what it was before."""
    read = [shard for shard, earlier in zip(job.shards, job.earlier, strict=True) if earlier is None]
    for path in sorted({path for shard in read for path in shard.files}):
        if not files.exists(path) or reuse.contents([path])[path] != hashes[path]:
            raise UserError(
                f"{path} changed while it was read. Nothing was published. Run it again when nobody writes there."
            )


def _hand_over(job: Job, manifest: Manifest, output: str, faults: list[str], begun: float) -> Outcome:
    """Publish a finished run, or keep it aside where a gate is broken, and write it into the history."""
    if faults:
        snapshot.set_aside(output, manifest, faults)
    else:
        snapshot.publish(output, manifest)
    reused = sum(shard is not None for shard in job.earlier)
    history.add(output, history.entry(manifest, reused, time.monotonic() - begun, faults))
    return Outcome(manifest, job.folder, KEPT_ASIDE if faults else PUBLISHED, reused, faults)


def _check_source(output: str, source: str, last: Manifest | None) -> None:
    if last is not None and last.source != source:
        raise UserError(
            f"--output {output} holds a data set of the source '{last.source}', not '{source}'. Give another folder."
        )


def _read_settings(source: str, settings: Any) -> dict[str, Any]:
    """The settings that decide on what is read of a shard: those of later steps don't, where records wait for these."""
    later = {step.name for step in fields(Steps)} if steps_of(source, settings) else set()
    return {name: value for name, value in asdict(settings).items() if name not in later}


def _unchanged(last: Manifest, settings: Any, prints: Sequence[str], run_date: str) -> bool:
    dated = last.run.partition("/")[0] if "/" in last.run else ""
    return (
        last.settings == json.loads(json.dumps(asdict(settings)))
        and [shard["fingerprint"] for shard in last.shards] == list(prints)
        and dated == (f"run_date={run_date}" if run_date else "")
    )


def _execute(job: Job, options: PipelineOptions) -> None:
    with watched(partial(_watch, job)), worker_faults(options), make_pipeline(options) as pipeline:
        pipeline | Ingest(job)


def _watch(job: Job, ended: threading.Event) -> None:
    """Count the files that went through the two long steps, by the marks that these leave."""
    staged, total = files.join(job.folder, STAGED), len(job.shards)
    steps = (("read", "Shards read"), ("written", "Shards written as examples"))
    for step, what in steps[: 1 + (job.steps is not None)]:
        with progress(what, total) as bar:
            while bar.done < total:
                last = ended.wait(1.0 if files.is_local(job.folder) else 10.0)
                bar.advance(sum(name.endswith(f".{step}") for name in files.below(staged)) - bar.done)
                if last:
                    break


@contextmanager
def _cleaned_up(job: Job) -> Iterator[None]:
    """Leave nothing of a run that fails."""
    try:
        snapshot.begin(job.folder)
        yield
    except BaseException:
        _remove_quietly(job.folder)
        raise


def _tidy(job: Job) -> None:
    """Of what was staged leave only what a later run can use."""
    parts = (part_name(part) for part in range(len(job.shards)))
    useful = {BEGUN, *(f"{STAGED}/{part}.{ending}" for part in parts for ending in ("json", "parquet"))}
    staged = (f"{STAGED}/{name}" for name in files.below(files.join(job.folder, STAGED)))
    files.delete([files.join(job.folder, name) for name in staged if name not in useful])


def _remove_quietly(folder: str) -> None:
    try:
        snapshot.remove(folder)
    except (OSError, UserError) as fault:
        say(f"{folder} could not be removed ({fault}). Nobody reads it; remove it by hand.", "warning")
