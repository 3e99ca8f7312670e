"""The request of an ingest, and its input before any record is read."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from typing import TYPE_CHECKING

from allsaid.storage.paths import absolute, expand
from pipelines import sources
from pipelines.datasets import history, snapshot
from pipelines.datasets.gates import DataGates
from pipelines.ingest import reuse
from pipelines.ingest.job import steps_of
from pipelines.source import Settings, Shard, Source, Steps, Surveying
from schemas.runs.manifest import Manifest

if TYPE_CHECKING:
    from apache_beam.options.pipeline_options import PipelineOptions

PATHS = ("mapping", "table")  # settings of sources that name a file


@dataclass(frozen=True)
class Schedule:
    """How a run relates to other runs."""

    run_date: str = ""  # the day of the snapshot, "2026-11-21"
    keep_snapshots: int | None = None  # number of complete runs to keep on disk; None: all
    wait_minutes: float = 0  # to wait for another run on the same output
    gates: DataGates = field(default_factory=DataGates)


@dataclass(frozen=True)
class Request:
    """The request of `allsaid ingest`."""

    source: str
    inputs: Sequence[str]  # files, folders and globs
    output: str  # the data set's folder
    settings: Settings
    beam_args: Sequence[str] = ()  # Beam's own options
    schedule: Schedule = field(default_factory=Schedule)


@dataclass(frozen=True)
class Input:
    """The input of a run before any record is read."""

    request: Request  # with the paths that workers use
    beam_options: PipelineOptions | None  # None: Beam's defaults
    source: Source
    shards: Sequence[Shard]
    hashes: dict[str, str]  # of the files by path
    fingerprints: Sequence[str]  # of the shards
    losses: Sequence[str]  # sentences on parts of the input that can't be read

    def is_of(self, run: Manifest) -> bool:
        """Return whether a run, known to be intact, was made from this input with these settings and this code."""
        request = self.request
        return set(self.losses) <= set(run.losses) and _is_unchanged(
            run, request.settings, self.fingerprints, request.schedule.run_date
        )


def look(request: Request) -> Input:
    """Find and hash the input; raise UserError for a fault of it or of the output folder."""
    beam_options = None
    if request.beam_args:  # otherwise Beam is loaded only if there is something to read
        from pipelines.ingest.runner import pipeline_options, runs_on_this_machine

        beam_options = pipeline_options(request.beam_args)
        if not runs_on_this_machine(beam_options):
            request = _with_absolute_paths(request)
    source_name, settings = request.source, request.settings
    given = expand(request.inputs, request.output)
    snapshot.store(request.output).check()
    hashes = reuse.content_hashes(given.paths)  # before the plan is made, so that any later change is found
    source = sources.find(source_name)
    shards = source.plan(given.paths, settings)
    hashes |= reuse.content_hashes({path for shard in shards for path in shard.files} - hashes.keys())
    # Reading does not depend on the settings of steps that run after it.
    later = {step.name for step in fields(Steps)} if steps_of(source_name, settings) else set()
    reading = {name: value for name, value in asdict(settings).items() if name not in later}
    fingerprints = reuse.fingerprints(source_name, shards, hashes, reading, whole=isinstance(source, Surveying))
    return Input(request, beam_options, source, shards, hashes, fingerprints, given.losses)


def nothing_to_do(request: Request) -> Manifest | None:
    """Return the published data set if an ingest would have nothing to do; write nothing."""
    last = snapshot.last(request.output)
    found = look(request)
    is_same = last is not None and last.source == request.source and not reuse.damaged(request.output, last)
    return last if last is not None and is_same and found.is_of(last) else None


def _with_absolute_paths(request: Request) -> Request:
    """Make all paths absolute, since workers of a cluster have other working directories."""
    paths = {name: absolute(path) for name, path in asdict(request.settings).items() if name in PATHS}
    return replace(
        request,
        inputs=[absolute(pattern) for pattern in request.inputs],
        output=absolute(request.output),
        settings=replace(request.settings, **paths),
    )


def _is_unchanged(last: Manifest, settings: Settings, fingerprints: Sequence[str], run_date: str) -> bool:
    return (
        last.settings == json.loads(json.dumps(asdict(settings)))
        and [shard["fingerprint"] for shard in last.shards] == list(fingerprints)
        and history.date_of(last.run) == run_date
    )
