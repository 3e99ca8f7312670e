"""The plan of a job: its rows and its cost, from one pass over the rows and a probe of some of them."""

from __future__ import annotations

import resource
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from allsaid import scratch
from allsaid.disk import temporary_faults
from allsaid.storage import files
from batch_infer.job import folder
from batch_infer.job import run as job
from batch_infer.options.job import JobOptions
from batch_infer.rows import inputs, sources
from batch_infer.rows.doubled import duplicates_without_beam
from batch_infer.rows.sources import Part
from pipelines.ingest.runner import pipeline_options

Options = TypeVar("Options", bound=JobOptions)
PROBE = 50  # rows, or one batch if that is larger


@dataclass(frozen=True)
class Plan:
    """The work and the cost of a job. Rows are counted; seconds and memory are measured by a probe on this machine."""

    rows: int
    searched: int  # rows to generate or to prove
    reused: int  # rows whose texts are reused
    errors: int  # invalid rows, and rows without a submitted text
    unfamiliar: int  # rows with a goal or value that is unseen in training
    rejected: int  # submitted texts
    files: int
    workers: int
    seconds_per_row: float  # of one worker, for rows to generate or to prove
    hours: float  # of all workers, without their start
    megabytes: int  # of each worker

    def lines(self) -> list[tuple[str, str]]:
        """Return the lines of a table: a name and its value."""
        return [
            ("rows", f"{self.rows:,}"),
            ("rows to generate or to prove", f"{self.searched:,}"),
            ("rows whose texts are reused", f"{self.reused:,}"),
            ("error rows", f"{self.errors:,}"),
            ("rows with something unfamiliar", f"{self.unfamiliar:,}"),
            ("rejected texts", f"{self.rejected:,}"),
            ("files of texts", f"{self.files:,}"),
            ("workers", f"{self.workers:,}"),
            ("seconds per row and worker", f"{self.seconds_per_row:.4f}"),
            ("hours", f"{self.hours:.2f}"),
            ("MB of each worker", f"{self.megabytes:,}"),
        ]


def dry_run(options: Options, work_of: Callable[[Options], job.Work]) -> Plan:
    """Return what a command would do; it gets options whose output is a temporary folder."""
    aside = replace(options, output=str(scratch.folder("plan") / "output"), stage="")
    with temporary_faults():
        return make(aside, work_of(aside))


def make(options: JobOptions, work: job.Work) -> Plan:
    """Return the plan of a job whose output is a temporary folder, which its steps may write to."""
    found = [sources.scanned(file) for file in work.found]
    parts = sources.cut(found, work.batch, work.limit, options.rows_per_file)
    steps = work.begin(parts)
    doubled = duplicates_without_beam(parts, work.source, files.join(options.output, folder.DONE))
    rows = reused = errors = unfamiliar = 0
    for part in parts:
        earlier = None if steps.join else steps.earlier
        read = inputs.read(part, work.source, work.phrases, doubled.get(part.number, ()), earlier)
        part_rows = steps.join(read, steps.earlier) if steps.join else read
        rows += part.rows
        reused += part.rows - len(part_rows.rows)
        errors += sum(row.error is not None for row in part_rows.rows)
        unfamiliar += sum(bool(work.judge.mark_unfamiliar(row).unfamiliar) for row in part_rows.rows)
    searched = rows - reused - errors
    seconds = _probe(parts, work, steps) if searched else 0.0
    workers = job.workers(pipeline_options(options.beam_args))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss  # in KiB
    return Plan(
        rows,
        searched,
        reused,
        errors,
        unfamiliar,
        sum(reason.rows for reason in steps.rejects or ()),
        len(parts),
        workers,
        round(seconds, 5),
        round(searched * seconds / workers / 3600, 4),
        round(peak / 1024),
    )


def _probe(parts: Sequence[Part], work: job.Work, steps: job.Steps) -> float:
    """Generate texts for rows from all over the input; return the seconds per valid row."""
    maker, done, seconds = steps.handler.load_model(), 0, 0.0
    number = min(-(-PROBE // work.batch), len(parts))
    for part in (parts[place * len(parts) // number] for place in range(number)):  # at even distances
        read = inputs.read(part, work.source, work.phrases, ())
        part_rows = steps.join(read, None) if steps.join else read
        rows = [row for row in part_rows.rows if row.error is None][: work.batch]
        started = time.monotonic()
        maker.make(rows)
        seconds += time.monotonic() - started
        done += len(rows)
    return seconds / max(done, 1)
