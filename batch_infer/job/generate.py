"""The batch job: texts for each agenda, with the proof of what they say.

``DIR/job.json`` says what was asked, ``DIR/texts/part-*.parquet`` holds the rows, ``DIR/rows/part-*.parquet`` what a
later run needs to take them over, ``DIR/summary.json`` the means. A part's tally under ``DIR/done/`` says that its file
is complete: a run that is started again writes only the parts that lack one, and its files have the same bytes as those
of a run that never stopped.
"""

from __future__ import annotations

import json
import os
import re
import threading
import time
from collections.abc import Sequence
from dataclasses import asdict, replace
from functools import partial
from typing import Any

import apache_beam
import pyarrow.parquet as pq
from apache_beam.ml.inference.base import RunInference
from apache_beam.options.pipeline_options import DirectOptions, PipelineOptions
from apache_beam.pvalue import AsList

from allsaid.console import UserError, progress, say, watched
from allsaid.stops import when_stopped
from batch_infer.job import formats, preview, previous, record
from batch_infer.job.gates import Gates, broken
from batch_infer.job.handler import PartRows, PartTexts, TextHandler
from batch_infer.job.prepared import Prepared, open_model, prepare
from batch_infer.job.request import Order, Request
from batch_infer.proof import summary as summary_file
from batch_infer.proof.judge import Judge, judge_of
from batch_infer.proof.summary import TEXTS, Summary, Tally, summarize
from batch_infer.rows import inputs, sources
from batch_infer.rows.earlier import PREFIX, Index
from batch_infer.rows.sources import Part, Source
from pipelines.datasets.gates import GateBroken
from pipelines.ingest.runner import make_pipeline, pipeline_options
from pipelines.language import phrases
from pipelines.language.phrases import Pass
from pipelines.storage import files
from pipelines.storage.disk import disk_faults
from pipelines.storage.paths import check_folder
from schemas.generated import DATA_KEY, GENERATED, MODEL_KEY, RUN_KEY
from schemas.phrase import Phrase
from schemas.table import from_table, to_table

JOB, DONE, REPORT, VALIDATION = "job.json", "done", "report.html", "validation"
# What may stand in an output folder; ".new" is what a small file is written as before it takes its place.
KNOWN = re.compile(
    rf"(?:{JOB}|{summary_file.NAME})(?:\.new)?|{REPORT}"
    rf"|(?:{TEXTS}|{previous.ROWS})/part-\d+\.parquet|{DONE}/(?:part-\d+\.json|{PREFIX}\w+\.npy(?:\.new)?)"
    rf"|{VALIDATION}/[^/]+\.html|texts\.(?:{'|'.join(formats.WRITERS)})"
)


def run(request: Request) -> Summary:
    """Write texts for each row of the request's input under its output, and give back the means.

    Texts that break a gate stay where they are, the summary says so, and :class:`GateBroken` is raised; other faults of
    the run raise :class:`UserError`.
    """
    return carry_out(request, prepare(request, *open_model(request)))


def carry_out(request: Request, ready: Prepared) -> Summary:
    """As :func:`run`, with what :func:`prepare` has made of the request."""
    output, order, job = request.output, ready.order, ready.job
    options = pipeline_options(request.beam_args)
    last = _earlier(request.against, output, request.gates)
    parts = sources.cut(ready.found, order.search.search_batch, request.limit)
    with disk_faults(output):
        has_finished = _begin(output, job)
        if not has_finished:
            if request.previous is not None:
                order = replace(order, earlier=previous.find(request.previous, output, job, files.join(output, DONE)))
            with when_stopped(f"What is written stays in {output}; the same command goes on with the rest."):
                _execute(parts, ready.source, judge_of(ready.bundle), order, output, options)
        formats.write(output, formats.check(request.formats), ready.source.id_name)
        summary = _judge(output, last, request.gates)
    if not has_finished:
        record.log(ready.model, ready.bundle, job, summary, output)
    if request.show:
        preview.show(output, summary, sum(file.rows for file in ready.found), _workers(options))
    if summary.gates:
        raise GateBroken(" ".join(summary.gates) + f" The texts are in {output}.", summary)
    return summary


def _earlier(against: str | None, output: str, gates: Gates) -> Summary | None:
    """The summary of the run to compare with."""
    if against is None:
        if gates.compare:
            raise UserError("Gates that end in _fall or _rise need an earlier run. Name its folder with --against.")
        return None
    if against.rstrip("/") == output.rstrip("/"):
        raise UserError(f"--against {against} is the output itself. Give the folder of an earlier run.")
    return summary_file.read(against)


def _judge(output: str, last: Summary | None, gates: Gates) -> Summary:
    """Write the broken gates into the finished summary."""
    summary = summary_file.read(output)
    summary = replace(summary, gates=broken(summary, last, gates))
    summary_file.write(output, summary)
    return summary


def _begin(output: str, job: dict[str, Any]) -> bool:
    """Check the output folder and write down the job; tells whether the same job has finished there before."""
    check_folder(output)
    names = files.below(output)
    there = {name.split("/")[0] for name in names}
    ours = (TEXTS, previous.ROWS, DONE, VALIDATION)  # folders, in which only our own files stand
    unknown = [name.split("/") for name in names if not KNOWN.fullmatch(name)]
    strangers = sorted({"/".join(steps[: 2 if steps[0] in ours else 1]) for steps in unknown})
    if strangers:
        raise UserError(
            f"--output {output} holds {', '.join(strangers[:3])}, which `allsaid generate` did not write. "
            "Give a new folder."
        )
    before = _read_json(files.join(output, JOB)) if JOB in there else None
    if before is None:
        if there - {f"{JOB}.new"}:
            raise UserError(f"--output {output} holds no {JOB} of its texts that can be read. Give a new folder.")
        files.replace(files.join(output, JOB), (json.dumps(job, indent=2) + "\n").encode())
        return False
    differing = sorted(key for key in job.keys() | before.keys() if job.get(key) != before.get(key))
    if differing:
        raise UserError(
            f"--output {output} holds texts of another run: {', '.join(differing)} differ. Give a new folder."
        )
    # The tallies are removed after the summary is written, so with some left it may be cut off.
    has_finished = summary_file.NAME in there and DONE not in there
    if has_finished:
        say(f"{output} holds the finished texts of this very run; nothing is left to do.")
    return has_finished


def _execute(
    parts: Sequence[Part],
    source: Source,
    judge: Judge,
    order: Order,
    output: str,
    options: PipelineOptions,
) -> None:
    """Write the parts that are not done, then the summary."""
    table = phrases.passes(from_table(judge.bundle.phrases, Phrase))
    started = time.monotonic()
    job = _read_json(files.join(output, JOB)) or {}
    before = {part.number for part in parts if _tally(output, part) is not None}
    left = [part for part in parts if part.number not in before]
    if before and left:
        say(f"Parts that were done before: {len(before)} of {len(parts)}; going on with the others.")
    if left:
        with watched(partial(_watch, output, left)), make_pipeline(options) as pipeline:
            doubled = (
                pipeline
                | "All parts" >> apache_beam.Create(list(parts))
                | "Ids" >> apache_beam.FlatMap(inputs.read_ids, source)
                | "Rows of an id" >> apache_beam.combiners.Count.PerElement()
                | "Several" >> apache_beam.Filter(lambda entry: entry[1] > 1)
                | "Doubled ids" >> apache_beam.Keys()
            )
            _ = (
                pipeline
                | "Parts to do" >> apache_beam.Create(left)
                | "One at a time" >> apache_beam.Reshuffle()
                | "Read and prepare" >> apache_beam.Map(read_part, source, table, AsList(doubled), order.earlier)
                | "Search" >> RunInference(TextHandler(order))
                | "Write" >> apache_beam.Map(write_part, output, source, footer(job))
            )
    tallies = [tally for part in parts if (tally := _tally(output, part)) is not None]
    fresh = sum(tally.texts for part, tally in zip(parts, tallies, strict=True) if part.number not in before)
    seconds = time.monotonic() - started
    summary = summarize(
        tallies,
        judge.MEANS,
        figures=judge.own_figures,
        model_name=job["model_name"],
        model_version=job["model_version"],
        input=job["input"],
        split=job["split"],
        input_fingerprint=job["input_fingerprint"],
        min_coverage=job["min_coverage"],
        texts_per_row=job["texts"],
        seconds=round(seconds, 1),
        texts_per_second=round(fresh / seconds, 2),
    )
    summary_file.write(output, summary)
    files.remove(files.join(output, DONE))


def read_part(
    part: Part, source: Source, table: Sequence[Pass], doubled: Sequence[bytes], earlier: Index | None
) -> PartRows:
    rows, carried = inputs.read(part, source, table, frozenset(doubled), earlier.open() if earlier else None)
    return PartRows(part, rows, carried)


def footer(job: dict[str, Any]) -> dict[bytes, bytes]:
    """What a file of texts says of its origin; `allsaid trace` reads it."""
    model = f"{job['model_name']}/{job['model_version']}"
    origin = {RUN_KEY: job["model_run"], MODEL_KEY: model, DATA_KEY: job["data_fingerprint"]}
    return (GENERATED.metadata or {}) | {key: value.encode() for key, value in origin.items()}


def write_part(found: PartTexts, output: str, source: Source, origin: dict[bytes, bytes]) -> None:
    """Write a part's rows, and after them its tally, which says that they are complete."""
    table = to_table(found.texts, GENERATED).set_column(0, source.id_column, found.carried.column(sources.ID))
    for column in source.kept:
        table = table.append_column(column, found.carried.column(column.name))
    name = part_name(found.part, "parquet")
    with files.HashedFile(output, f"{TEXTS}/{name}") as texts:
        pq.write_table(table.replace_schema_metadata(origin), texts, compression="zstd")
    previous.write(output, name, found.written, texts.entry["sha256"])
    files.write_text(files.join(output, DONE, part_name(found.part, "json")), json.dumps(asdict(found.tally)))


def part_name(part: Part, ending: str) -> str:
    return f"part-{part.number:05}.{ending}"


def _tally(output: str, part: Part) -> Tally | None:
    values = _read_json(files.join(output, DONE, part_name(part, "json")))
    return None if values is None else Tally.from_json(values)


def _read_json(path: str) -> dict[str, Any] | None:
    """The values of a small file; None where it is missing, was cut off, or is none of ours."""
    if not files.exists(path):
        return None
    try:
        values = json.loads(files.read_text(path))
    except (ValueError, RecursionError):
        return None
    return values if isinstance(values, dict) else None


def _workers(options: PipelineOptions) -> int:
    """How many processes or threads of this machine work at once."""
    direct = options.view_as(DirectOptions)
    if direct.direct_running_mode == "in_memory":
        return 1
    return direct.direct_num_workers or os.cpu_count() or 1


def _watch(output: str, parts: Sequence[Part], ended: threading.Event) -> None:
    """Show how many rows are written, by the tallies that parts leave."""
    rows = {part_name(part, "json"): part.rows for part in parts}
    with progress("Texts written", sum(rows.values())) as bar:
        last = False
        while not last:
            last = ended.wait(1.0 if files.is_local(output) else 10.0)
            done = sum(rows.get(name, 0) for name in files.below(files.join(output, DONE)))
            bar.advance(done - bar.done)
