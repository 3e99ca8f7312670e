"""The batch job: generate texts for each agenda, with the proof of their content.

``DIR/job.json`` holds the request, ``DIR/texts/part-*.parquet`` the rows, ``DIR/summary.json`` the means.
``DIR/rows/part-*.parquet`` holds the data that a later run needs to reuse the rows. During the run ``DIR/done/`` holds
the model for the workers, and a tally of each part whose file is complete. A restarted run writes only the parts
without a tally, and its files have the same bytes as those of an uninterrupted run.
"""

from __future__ import annotations

import pipelines.beam  # noqa: F401  before Beam itself

# isort: split
import os
import threading
import time
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import apache_beam
from apache_beam.options.pipeline_options import DirectOptions, PipelineOptions
from apache_beam.pvalue import AsList

from allsaid.console import counted, progress, say, watched
from allsaid.gates import GateBroken
from allsaid.stops import when_stopped
from allsaid.storage import files, lock
from allsaid.storage.disk import disk_faults
from allsaid.storage.paths import absolute
from allsaid.storage.run_store import new_run
from batch_infer.job import folder, formats, preview, previous, record, staging
from batch_infer.job.gates import measure
from batch_infer.job.handler import TextHandler
from batch_infer.job.prepared import Prepared, check_input, load_model, prepare
from batch_infer.options.generate import GenerateOptions, TextGates
from batch_infer.proof import summary as summary_file
from batch_infer.proof.judges import judge_of
from batch_infer.proof.summary import Summary, summarize
from batch_infer.rows import ids, inputs, sources
from batch_infer.rows.sources import Part
from pipelines.ingest.runner import make_pipeline, pipeline_options, worker_faults
from pipelines.linking import phrases
from schemas.checks.table import from_table
from schemas.errors import UserError
from schemas.phrase import Phrase


def run(options: GenerateOptions) -> Summary:
    """Generate texts for each row of the input, write them to the output, and return the means.

    Texts that break a gate stay in the output, the summary lists the broken gates, and :class:`GateBroken` is raised.
    Other faults of the run raise :class:`UserError`.
    """
    return carry_out(options, prepare(options, load_model(options)))


def carry_out(options: GenerateOptions, ready: Prepared) -> Summary:
    """Like :func:`run`, for options that :func:`prepare` has prepared."""
    output, loaded, job = options.output, ready.loaded, ready.job
    settings, pipeline = loaded.settings, pipeline_options(options.beam_args)
    last = _earlier(options.against, output, options.gate)
    folder.check(output)
    with disk_faults(output), lock.held(output, new_run(), options.wait) as hold:
        has_finished = folder.begin(output, job)
        if not has_finished:
            if options.previous is not None:
                index = previous.find(options.previous, output, job, files.join(output, folder.DONE))
                settings = replace(settings, earlier=index)
            with when_stopped(f"What is written stays in {output}; the same command goes on with the rest."):
                where = options.stage or files.join(output, folder.DONE, staging.FOLDER)
                staged = staging.stage(loaded.model.folder, job["model_hash"], where)
                _execute(options, ready, TextHandler(settings, staged), pipeline, hold)
        formats.write(output, formats.check(options.format), ready.source.id_name)
        summary = _judge(output, last, options.gate)
    if not has_finished:
        record.log(loaded.model, loaded.bundle, job, summary, output, options.experiment)
    if options.show:
        preview.show(output, summary, sum(file.rows for file in ready.found), _workers(pipeline))
    if summary.gates:
        raise GateBroken(" ".join(summary.gates) + f" The texts are in {output}.", summary)
    return summary


def _earlier(against: str | None, output: str, gates: TextGates) -> Summary | None:
    """Return the summary of the run to compare with."""
    if against is None:
        if gates.compare:
            raise UserError("Gates that end in _fall or _rise need an earlier run. Name its folder with --against.")
        return None
    if against.rstrip("/") == output.rstrip("/"):
        raise UserError(f"--against {against} is the output itself. Give the folder of an earlier run.")
    return summary_file.read(against)


def _judge(output: str, last: Summary | None, gates: TextGates) -> Summary:
    """Write the broken gates into the finished summary."""
    summary = summary_file.read(output)
    summary = replace(summary, gates=gates.broken(measure(summary, last)))
    summary_file.write(output, summary)
    return summary


def _execute(
    options: GenerateOptions, ready: Prepared, handler: TextHandler, pipeline: PipelineOptions, hold: lock.Lock
) -> None:
    """Write the parts that are not done, then the summary."""
    output, job, started = options.output, ready.job, time.monotonic()
    judge = judge_of(ready.loaded.bundle)
    parts = sources.cut(ready.found, handler.settings.search.search_batch, options.limit, options.rows_per_file)
    before = {part.number for part in parts if folder.tally_of(output, part) is not None}
    left = [part for part in parts if part.number not in before]
    if before and left:
        say(f"Parts that were done before: {len(before)} of {len(parts)}; going on with the others.")
    try:
        if left:
            _write(parts, left, ready, handler, output, pipeline)
    except Exception:
        _check_input(options, ready)
        raise
    _check_input(options, ready)
    hold.check()
    tallies = [tally for part in parts if (tally := folder.tally_of(output, part)) is not None]
    if len(tallies) < len(parts):
        raise UserError(
            f"The job has ended, but {counted(len(parts) - len(tallies), 'part')} of {len(parts)} left no tally in "
            f"{files.join(output, folder.DONE)}. The same command goes on with the rest."
        )
    fresh = sum(tally.texts for part, tally in zip(parts, tallies, strict=True) if part.number not in before)
    seconds = time.monotonic() - started
    summary = summarize(
        tallies,
        judge.MEANS,
        figures=judge.own_figures,
        model_name=job["model_name"],
        model_version=job["model_version"],
        model_hash=job["model_hash"],
        input=job["input"],
        split=job["split"],
        input_fingerprint=job["input_fingerprint"],
        min_coverage=job["min_coverage"],
        texts_per_row=job["texts"],
        seconds=round(seconds, 1),
        texts_per_second=round(fresh / seconds, 2),
    )
    summary_file.write(output, summary)
    files.remove(files.join(output, folder.DONE))


def _write(
    parts: Sequence[Part],
    left: Sequence[Part],
    ready: Prepared,
    handler: TextHandler,
    output: str,
    options: PipelineOptions,
) -> None:
    """Write the parts that are ``left`` of all ``parts``."""
    earlier, source, table = (
        handler.settings.earlier,
        ready.source,
        phrases.passes(from_table(ready.loaded.bundle.phrases, Phrase)),
    )
    with watched(partial(_watch, output, left)), worker_faults(options), make_pipeline(options) as pipeline:
        doubled = (
            pipeline
            | "All parts" >> apache_beam.Create(list(parts))
            | "Ids" >> apache_beam.FlatMap(lambda part: ids.in_shares(inputs.read_ids(part, source)))
            | "Of a share" >> apache_beam.GroupByKey()
            | "Doubled ids" >> apache_beam.FlatMap(ids.doubled)
        )
        _ = (
            pipeline
            | "Parts to do" >> apache_beam.Create(list(left))
            | "One at a time" >> apache_beam.Reshuffle()
            | "Read and prepare" >> apache_beam.Map(inputs.read, source, table, AsList(doubled), earlier)
            | "Search" >> handler.transform()
            | "Write" >> apache_beam.Map(folder.write_part, absolute(output), source, folder.footer(ready.job))
        )


def _check_input(options: GenerateOptions, ready: Prepared) -> None:
    """Like :func:`check_input`; if the input has changed, parts written from it no longer count as done."""
    try:
        check_input(options, ready)
    except UserError:
        files.remove(files.join(options.output, folder.DONE))
        raise


def _workers(options: PipelineOptions) -> int:
    """Return the number of processes or threads that work at once on this machine."""
    direct = options.view_as(DirectOptions)
    if direct.direct_running_mode == "in_memory":
        return 1
    return direct.direct_num_workers or os.cpu_count() or 1


def _watch(output: str, parts: Sequence[Part], ended: threading.Event) -> None:
    """Show the number of rows written, counted from the tallies of finished parts."""
    rows = {folder.part_name(part, "json"): part.rows for part in parts}
    with progress("Texts written", sum(rows.values())) as bar:
        last = False
        while not last:
            last = ended.wait(1.0 if files.is_local(output) else 10.0)
            done = sum(rows.get(name, 0) for name in files.below(files.join(output, folder.DONE)))
            bar.advance(done - bar.done)
