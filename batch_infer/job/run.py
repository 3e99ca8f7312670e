"""The batch job: texts with the proof of their content for each row of an input.

``DIR/job.json`` holds the request, ``DIR/texts/part-*.parquet`` the rows, ``DIR/summary.json`` the means.
``DIR/rows/part-*.parquet`` holds the data that a later run needs to reuse the rows. During the run ``DIR/done/`` holds
what workers need, such as the model, and a tally of each part whose file is complete. A restarted run writes only the
parts without a tally, and its files have the same bytes as those of an uninterrupted run. Workers add up the tallies,
so that the launcher keeps no row in memory.
"""

from __future__ import annotations

import pipelines.beam  # noqa: F401  before Beam itself

# isort: split
import os
import threading
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import apache_beam
from apache_beam.options.pipeline_options import DirectOptions, PipelineOptions
from apache_beam.pvalue import AsSingleton, PCollection

from allsaid import lineage
from allsaid.console import counted, progress, say, watched
from allsaid.disk import disk_faults
from allsaid.gates import Check, GateBroken, broken
from allsaid.stops import when_stopped
from allsaid.storage import files, lock
from allsaid.storage.paths import absolute
from allsaid.storage.run_store import new_run
from batch_infer.job import folder, formats, preview, record
from batch_infer.job.folder import Job
from batch_infer.job.gates import measure
from batch_infer.job.handler import PartHandler, PartTexts
from batch_infer.options.job import JobOptions, TextGates
from batch_infer.proof import summary as summary_file
from batch_infer.proof import tally as tallies
from batch_infer.proof.judge import Judge
from batch_infer.proof.reasons import Reason
from batch_infer.proof.summary import TEXTS, Summary, summarize
from batch_infer.proof.tally import Tally
from batch_infer.rows import hashes, ids, inputs, sources
from batch_infer.rows.doubled import Block, DuplicateIds, blocks_of
from batch_infer.rows.earlier import Index
from batch_infer.rows.inputs import PartRows
from batch_infer.rows.sources import Part, Source, SourceFile, files_hash
from batch_infer.rows.survey import survey
from pipelines import metrics
from pipelines.beam import collect_less
from pipelines.ingest.runner import make_pipeline, pipeline_options, worker_faults
from pipelines.linking.phrases import Pass
from schemas.errors import UserError


@dataclass(frozen=True)
class Steps:
    """The parts of a job that are made when its work begins; a finished job has none."""

    handler: PartHandler
    earlier: Index | None = None  # rows whose texts are reused
    join: Callable[[PartRows, Index | None], PartRows] | None = None  # gives rows their texts; leaves reused rows out
    rejects: Iterable[Reason] | None = None  # of submitted texts without a row; None if none were submitted


@dataclass(frozen=True)
class Work:
    """The work of a job, prepared without reading its rows."""

    source: Source
    found: list[SourceFile]
    job: Job
    judge: Judge
    hashes: Mapping[str, tuple[list[str], str]]  # name of an input -> its files and their hash
    begin: Callable[[Sequence[Part]], Steps]
    batch: int  # parts have a multiple of these rows
    limit: int | None = None  # rows
    phrases: Sequence[Pass] = ()  # to prepare raw agendas


def run(options: JobOptions, work: Work, log: Callable[[Summary], None]) -> Summary:
    """Write the texts of all rows to the output, and return the means; ``log`` is called after new work.

    Texts that break a gate stay in the output, the summary lists the broken gates, and :class:`GateBroken` is raised.
    Other faults of the run raise :class:`UserError`.
    """
    output, beam_options = options.output, pipeline_options(options.beam_args)
    last = _earlier(options.against, output, options.gate)
    folder.check(output)
    with disk_faults(output), lock.held(output, new_run(), options.wait) as hold:
        has_finished = folder.begin(output, work.job)
        if not has_finished:
            with when_stopped(f"What is written stays in {output}; the same command goes on with the rest."):
                work = _execute(options, work, beam_options, hold)
        kinds, publish = formats.check(options.format, options.publish), options.publish
        formats.write(output, kinds, *work.source.names, publish)
        checks = options.gate.checks(measure(summary_file.read(output), last))
        summary = _judge(output, checks, formats.count(output) if publish == formats.CERTIFIED else None)
    record.report_lineage(options, work.source, work.found, work.job, summary, checks)
    if not has_finished:
        log(summary)
    if options.show:
        rows = sum(file.rows for file in work.found) or summary.input_rows  # large tables of a finished job
        preview.show(output, summary, rows, workers(beam_options))
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


def _judge(output: str, checks: Sequence[Check], published: Mapping[bool, int] | None) -> Summary:
    """Write the broken gates into the finished summary, and the numbers of texts published and kept aside."""
    counts = (None, None) if published is None else (published[True], published[False])
    summary = replace(summary_file.read(output), gates=broken(checks), published=counts[0], kept_aside=counts[1])
    summary_file.write(output, summary)
    return summary


def _execute(options: JobOptions, work: Work, beam_options: PipelineOptions, hold: lock.Lock) -> Work:
    """Write the parts that are not done, then the summary; return the work with the rows of large tables."""
    output, job, started = options.output, work.job, time.monotonic()
    collect_less()
    work = replace(work, found=survey(work.found, beam_options, files.join(output, folder.DONE)))
    parts = sources.cut(work.found, work.batch, work.limit, options.rows_per_file)
    steps = work.begin(parts)
    before = folder.texts_before(output, parts)
    if 0 < len(before) < len(parts):
        say(f"{len(before)} of {counted(len(parts), 'part')} were already done; going on with the others.")
    try:
        _write(parts, before, work, steps, output, beam_options)
    except Exception:
        _check_input(output, work)
        raise
    _check_input(output, work)
    hold.check()
    total, rows = folder.tally_of(output, folder.TOTAL) or Tally(), sum(part.rows for part in parts)
    if total.input_rows < rows:
        raise UserError(
            f"The job has ended, but {counted(rows - total.input_rows, 'row')} of {rows} left no tally in "
            f"{files.join(output, folder.DONE)}. The same command goes on with the rest."
        )
    fresh = total.texts - sum(before.values())
    seconds = time.monotonic() - started
    summary = summarize(
        [total],
        work.judge.MEANS,
        steps.rejects,
        figures=work.judge.own_figures,
        model_name=job["model_name"],
        model_version=job["model_version"],
        model_hash=job["model_hash"],
        input=job["input"],
        split=job["split"],
        input_fingerprint=job["input_fingerprint"],
        min_coverage=job["min_coverage"],
        texts_per_row=job["texts"],
        openlineage_run=lineage.run_id(),
        seconds=round(seconds, 1),
        texts_per_second=round(fresh / seconds, 2),
    )
    summary_file.write(output, summary)
    files.remove(files.join(output, folder.DONE))
    return work


def _write(
    parts: Sequence[Part], before: Collection[int], work: Work, steps: Steps, output: str, beam_options: PipelineOptions
) -> None:
    """Write the parts whose numbers are not in ``before``, and the tally of all parts."""
    source, earlier = work.source, None if steps.join else steps.earlier
    left = [part for part in parts if part.number not in before]
    blocks = blocks_of(parts)  # parts of a block share their layout when pickled
    shards = hashes.shards_of(sum(part.rows for part in parts))
    with watched(partial(_watch, output, left)), worker_faults(beam_options), make_pipeline(beam_options) as pipeline:
        in_blocks = pipeline | "Blocks" >> apache_beam.Create(blocks)
        doubled = in_blocks | "Duplicate ids" >> DuplicateIds(
            len(blocks), shards, source, absolute(files.join(output, folder.DONE))
        )
        to_do = in_blocks | "Parts to do" >> apache_beam.FlatMap(_to_do, frozenset(before))
        rows = (
            {"part": to_do, "doubled": doubled}
            | "One at a time" >> apache_beam.CoGroupByKey()
            | "Read and prepare" >> apache_beam.FlatMap(_read, source, work.phrases, earlier)
        )
        if steps.join is not None:
            rows |= "Texts by id" >> apache_beam.Map(steps.join, steps.earlier)
        written = (
            rows
            | "Texts with proof" >> steps.handler.transform()
            | "Write" >> apache_beam.Map(_write_part, absolute(output), source, folder.footer(work.job))
        )
        _ = (
            (written, pipeline | "Done before" >> apache_beam.Create(list(before)))
            | "Parts done" >> apache_beam.Flatten()
            | "Total" >> AddUp(absolute(output), len(blocks[0][1]), len(blocks), shards)
            | "Write total" >> apache_beam.Map(folder.write_total, absolute(output))
        )


def _to_do(block: Block, before: Collection[int]) -> Iterator[tuple[int, Part]]:
    """Yield the parts of a block that are not done before, by number."""
    return ((part.number, part) for part in block[1] if part.number not in before)


def _read(
    numbered: tuple[int, Mapping[str, Iterable[Any]]], source: Source, passes: Sequence[Pass], earlier: Index | None
) -> Iterator[PartRows]:
    """Read the rows of a part (`inputs.read`), unless it is done, and count them.

    numbered: the part's number, the part, and the hashes of its ids that occur in several rows. Any: of either type.
    """
    _, grouped = numbered
    for part in grouped["part"]:
        yield inputs.read(part, source, passes, ids.unpacked(grouped["doubled"]), earlier)
        metrics.report_sources([part.path, *([source.referred_table.path] if source.referred_table else [])])
        metrics.count({metrics.ROWS_READ: part.rows})


@apache_beam.ptransform_fn
def AddUp(parts: PCollection, output: str, size: int, blocks: int, shards: int) -> PCollection:
    """Add up the tallies of the written parts, which are given by number; ``size`` parts are a block.

    Sums are the same to the last digit however parts are spread. Beam moves no text.
    """
    total = (
        parts
        | "By block" >> apache_beam.Map(lambda part: (part // size, part))
        | "Blocks" >> apache_beam.GroupByKey()
        | "Add up block" >> apache_beam.Map(folder.add_up_block, output, shards)
        | "Together" >> apache_beam.Map(lambda block: (0, block))
        | "All blocks" >> apache_beam.GroupByKey()
        | "Add up" >> apache_beam.MapTuple(tallies.add_up_blocks)
    )
    equal = (
        total
        | "Shards" >> apache_beam.FlatMap(lambda _: range(shards))
        | "Each shard" >> apache_beam.Reshuffle()
        | "Equal texts" >> apache_beam.Map(folder.equal_in_shard, output, blocks, shards)
        | "All equal texts" >> apache_beam.CombineGlobally(sum)
    )
    return total | "With equal texts" >> apache_beam.Map(tallies.with_equal_texts, AsSingleton(equal))


def _write_part(texts: PartTexts, output: str, source: Source, origin: dict[bytes, bytes]) -> int:
    """Write the texts of a part (`folder.write_part`), report their file, and return the part's number."""
    folder.write_part(texts, output, source, origin)
    metrics.report_sinks([files.join(output, TEXTS, folder.part_name(texts.part.number, "parquet"))])
    return texts.part.number


def _check_input(output: str, work: Work) -> None:
    """Raise UserError if a file has changed since it was hashed; parts written from it no longer count as done."""
    for name, (paths, seen) in work.hashes.items():
        if not all(map(files.exists, paths)) or files_hash(paths) != seen:
            files.remove(files.join(output, folder.DONE))
            raise UserError(
                f"{name} changed while it was read, so its texts are not finished. When nobody writes there any more, "
                "give the command again with a new --output."
            )


def workers(beam_options: PipelineOptions) -> int:
    """Return the number of processes or threads that work at once on this machine."""
    direct = beam_options.view_as(DirectOptions)
    if direct.direct_running_mode == "in_memory":
        return 1
    return direct.direct_num_workers or os.cpu_count() or 1


def _watch(output: str, parts: Sequence[Part], ended: threading.Event) -> None:
    """Show the number of rows written, counted from the tallies of finished parts."""
    rows = {folder.part_name(part.number, "json"): part.rows for part in parts}
    with progress("Texts written", sum(rows.values())) as bar:
        last = False
        while not last:
            last = ended.wait(1.0 if files.is_local(output) else 10.0)
            done = sum(rows.get(name, 0) for name in files.below(files.join(output, folder.DONE)))
            bar.advance(done - bar.done)
