"""The ingest run: check the request, read new shards, check counts and gates, publish."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from allsaid import lineage
from allsaid.console import progress, say, watched
from allsaid.disk import disk_faults
from allsaid.gates import Check, GateBroken, broken
from allsaid.stops import when_stopped
from allsaid.storage import files, lock
from allsaid.storage.run_store import new_run
from pipelines import sources
from pipelines.datasets import card, gates, history, snapshot
from pipelines.datasets.gates import DataGates
from pipelines.datasets.snapshot import BEGUN, STAGED
from pipelines.ingest import record, reuse
from pipelines.ingest.assembly import add_transforms, assemble, check_counts
from pipelines.ingest.job import Job, part_name
from pipelines.ingest.request import Request, look
from schemas.errors import UserError
from schemas.runs.manifest import Manifest

if TYPE_CHECKING:
    from apache_beam.options.pipeline_options import PipelineOptions

PUBLISHED, KEPT_ASIDE, NOTHING_TO_DO = "published", "kept aside", "nothing to do"


@dataclass(frozen=True)
class Outcome:
    """The outcome of a run."""

    manifest: Manifest  # of this run, or of the published one if there was nothing to do
    folder: str  # of the manifest's run
    status: str  # PUBLISHED, KEPT_ASIDE or NOTHING_TO_DO
    reused: int  # shards of the input that an earlier run has read
    checks: Sequence[Check]  # of the gates

    @property
    def faults(self) -> list[str]:
        """Return a sentence for each broken gate."""
        return broken(self.checks)

    def check(self) -> None:
        """Raise :class:`GateBroken` if a gate is broken."""
        if not self.faults:
            return
        status = "Readers see it nevertheless."
        if self.status == KEPT_ASIDE:
            status = f"The run is kept aside in {self.folder}; readers see what they saw before."
        raise GateBroken(f"{' '.join(self.faults)} {status}", self.manifest)

    def report(self) -> None:
        """Report reused shards, and parts of the input that could not be read."""
        if self.status == NOTHING_TO_DO:
            say(f"Nothing to do: {self.folder} was made from the same input, settings and code.")
        elif self.reused:
            say(f"Unchanged shards reused from an earlier run: {self.reused} of {len(self.manifest.shards)}.")
        for loss in self.manifest.losses:
            say(f"Lost: {loss}", "warning")


def run(request: Request) -> Manifest:
    """Ingest like :func:`ingest`; raise :class:`GateBroken` if the data set breaks a gate."""
    outcome = ingest(request)
    outcome.check()
    return outcome.manifest


def ingest(request: Request) -> Outcome:
    """Ingest all input files and publish the data set under the request's ``output``.

    Nothing is done if input, settings and code are those of the published run. Raises :class:`UserError`; the data set
    published before is then unchanged.
    """
    with lineage.recorded("ingest", request.output, writes=(request.output,)):
        outcome = _ingest(request)
        record.report(request.inputs, request.output, outcome.manifest, outcome.checks)
    return outcome


def _ingest(request: Request) -> Outcome:
    begun = time.monotonic()
    found = look(request)
    request, module = found.request, found.source
    source, output, settings, schedule = request.source, request.output, request.settings, request.schedule
    store = snapshot.store(output)
    name = new_run(schedule.run_date)
    with disk_faults(output), lock.held(output, name, schedule.wait_minutes) as output_lock:
        last = snapshot.last(output)
        snapshot.sweep(output, last, None)
        if last is not None and last.source != source:
            raise UserError(
                f"--output {output} holds a data set of the source '{last.source}', not '{source}'. Give another "
                "folder."
            )
        known = [run for run in (last, snapshot.aside(output)) if run is not None and run.source == source]
        earlier = [(run, reuse.damaged(output, run)) for run in known]
        same = [run for run, damaged in earlier if not damaged and found.is_of(run)]
        if same:
            outcome = _reuse_run(same[0], last, output, schedule.gates, begun, module.is_table)
        else:
            job = Job(
                source,
                store.folder(name),
                tuple(found.shards),
                settings,
                reuse.earlier(output, earlier, found.fingerprints),
                tuple(found.losses),
            )
            manifest = _make(job, found.beam_options, name, found.fingerprints, found.hashes, output_lock)
            checks = schedule.gates.checks(gates.measure(manifest, last, module.is_table))
            outcome = _complete(job, manifest, output, checks, begun)
        snapshot.sweep(output, outcome.manifest if outcome.status != KEPT_ASIDE else last, schedule.keep_snapshots)
    outcome.report()
    return outcome


def _reuse_run(
    run: Manifest, last: Manifest | None, output: str, limits: DataGates, begun: float, is_table: bool
) -> Outcome:
    """Reuse an equal earlier run: nothing to do if it is published; else publish it if it now passes its gates."""
    folder = snapshot.store(output).folder(run.run)
    if run is last:
        snapshot.restore(output, run)
        return Outcome(run, folder, NOTHING_TO_DO, len(run.shards), limits.checks(gates.measure(run, run)))
    checks = limits.checks(gates.measure(run, last, is_table))
    if not (faults := broken(checks)):
        snapshot.publish(output, run)
        history.add(output, history.entry(run, len(run.shards), time.monotonic() - begun, faults))
    return Outcome(run, folder, KEPT_ASIDE if faults else PUBLISHED, len(run.shards), checks)


def _make(
    job: Job,
    beam_options: PipelineOptions | None,
    name: str,
    prints: Sequence[str],
    hashes: Mapping[str, str],
    output_lock: lock.Lock,
) -> Manifest:
    """Execute the job in its run's folder, which nobody reads yet; remove the folder if it fails."""
    with when_stopped("Nothing was published; readers see what they saw before."), _removed_on_failure(job):
        try:
            _execute(job, beam_options)
        except Exception:
            _check_input(job, hashes)
            raise
        _check_input(job, hashes)
        manifest = assemble(job, name, prints, hashes)
        check_counts(manifest, job.folder)
        card.write(job.folder, manifest, sources.find(job.source).handling)
        _remove_temporary(job)
        output_lock.check()
    return manifest


def _check_input(job: Job, hashes: Mapping[str, str]) -> None:
    """Raise UserError if a file that was read has changed."""
    read = [shard for shard, earlier in zip(job.shards, job.earlier, strict=True) if earlier is None]
    for path in sorted({path for shard in read for path in shard.files}):
        if not files.exists(path) or reuse.content_hashes([path])[path] != hashes[path]:
            raise UserError(
                f"{path} changed while it was read. Nothing was published. Run it again when nobody writes there."
            )


def _complete(job: Job, manifest: Manifest, output: str, checks: Sequence[Check], begun: float) -> Outcome:
    """Publish a finished run, or keep it aside if a gate is broken, and add it to the history."""
    if faults := broken(checks):
        snapshot.keep_aside(output, manifest, faults)
    else:
        snapshot.publish(output, manifest)
    reused = sum(shard is not None for shard in job.earlier)
    history.add(output, history.entry(manifest, reused, time.monotonic() - begun, faults))
    return Outcome(manifest, job.folder, KEPT_ASIDE if faults else PUBLISHED, reused, checks)


def _execute(job: Job, beam_options: PipelineOptions | None) -> None:
    from pipelines.ingest.runner import make_pipeline, pipeline_options, worker_faults

    if beam_options is None:
        beam_options = pipeline_options(())
    with watched(partial(_watch, job)), worker_faults(beam_options), make_pipeline(beam_options) as pipeline:
        add_transforms(pipeline, job)


def _watch(job: Job, ended: threading.Event) -> None:
    """Show how many shards have passed the two long steps, by the files that these leave."""
    staged, total = files.join(job.folder, STAGED), len(job.shards)
    steps = (("read", "Shards read"), ("written", "Shards written as examples"))
    for step, what in steps[: 1 + (job.steps is not None)]:
        with progress(what, total) as bar:
            while bar.done < total:
                is_last = ended.wait(1.0 if files.is_local(job.folder) else 10.0)
                bar.advance(sum(name.endswith(f".{step}") for name in files.below(staged)) - bar.done)
                if is_last:
                    break


@contextmanager
def _removed_on_failure(job: Job) -> Iterator[None]:
    """Mark the run's folder as one of Allsaid; remove it if the block fails."""
    try:
        files.write_text(files.join(job.folder, BEGUN), "begun\n")
        yield
    except BaseException:
        try:
            files.remove(job.folder, BEGUN)
        except (OSError, UserError) as fault:
            say(f"{job.folder} could not be removed ({fault}). Nobody reads it; remove it by hand.", "warning")
        raise


def _remove_temporary(job: Job) -> None:
    """Keep only those staged files that a later run can reuse."""
    parts = (part_name(part) for part in range(len(job.shards)))
    useful = {BEGUN, *(f"{STAGED}/{part}.{ending}" for part in parts for ending in ("json", "parquet"))}
    staged = (f"{STAGED}/{name}" for name in files.below(files.join(job.folder, STAGED)))
    files.delete([files.join(job.folder, name) for name in staged if name not in useful])
