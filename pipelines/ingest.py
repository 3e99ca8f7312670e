"""The ingest run: check what was asked, run the pipeline, check the counts, publish."""

from __future__ import annotations

import errno
import json
import os
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

from apache_beam.options.pipeline_options import PipelineOptions

from console import UserError, progress, say
from pipelines import files, snapshot
from pipelines.runner import make_pipeline, pipeline_options
from pipelines.statistics import Statistics, figures
from pipelines.transforms import SOURCES, STAGED, SUMMARY, Ingest, IngestSettings, Job
from schemas.manifest import Manifest

SNIFFED = 1 << 16  # bytes of a dump that are looked at before the run
MAX_CONTROL = 0.05  # share of control bytes above which a file without a header is binary
_TEXT_CONTROL = frozenset(b"\t\n\x0b\x0c\r\x14\x1a")  # control bytes that dumps of the time use


def run(
    source: str,
    inputs: Sequence[str],
    output: str,
    settings: IngestSettings,
    beam_args: Sequence[str] = (),
    max_rejected: float | None = None,
) -> Manifest:
    """Ingest all files that the globs name and publish the data set under ``output``.

    ``beam_args`` are Beam's own options. ``max_rejected`` is the largest share of rejected records that is no
    failure. Raises :class:`UserError`; the data set that was published before is then unchanged.
    """
    options = pipeline_options(beam_args)
    paths = files.expand(inputs)
    check_inputs(paths, source)
    snapshot.check_output(output)
    name = snapshot.new_run()
    job = Job(source, snapshot.run_folder(output, name), tuple(paths), settings)
    with _cleaned_up(job, output):
        _execute(job, options)
        manifest = assemble(job, name)
        check_counts(manifest, max_rejected)
        files.remove(files.join(job.folder, STAGED))
        snapshot.publish(output, manifest)
    for loss in manifest.losses:
        say(f"Warning: {loss}")
    return manifest


def check_inputs(paths: Sequence[str], source: str) -> None:
    """Refuse empty and binary files before any work is done."""
    for path in paths:
        try:
            dump, stream = files.open_dump(path)
            with stream:
                head = stream.read(SNIFFED)
        except OSError as fault:
            raise UserError(f"{path} can't be read: {fault}") from fault
        if not head:
            raise UserError(f"{dump.loss or path + ' is empty.'} Leave it out of --input.")
        control = sum(byte < 32 and byte not in _TEXT_CONTROL for byte in head) / len(head)
        if control > MAX_CONTROL and not _has_record(path, source):
            raise UserError(f"{path} is a binary file, not a dump of recipes. Leave it out of --input.")


def _has_record(path: str, source: str) -> bool:
    _, stream = files.open_dump(path)
    with stream:
        return next(SOURCES[source].split_records(stream), None) is not None


def _execute(job: Job, options: PipelineOptions) -> None:
    with _watched(job), make_pipeline(options) as pipeline:
        pipeline | Ingest(job)


@contextmanager
def _watched(job: Job) -> Iterator[None]:
    """Show the progress of the block's run from a thread of its own."""
    stop = threading.Event()
    watcher = threading.Thread(target=_watch, args=(job, stop), daemon=True)
    watcher.start()
    try:
        yield
    finally:
        stop.set()
        watcher.join()


def _watch(job: Job, stop: threading.Event) -> None:
    """Count the files that went through the two long steps, by the marks that these leave."""
    staged, total = files.join(job.folder, STAGED), len(job.inputs)
    for step, what in (("read", "Dump files read"), ("written", "Dump files written as examples")):
        with progress(what, total) as bar:
            while bar.done < total:
                ended = stop.wait(1.0 if files.is_local(job.folder) else 10.0)
                bar.advance(sum(name.endswith(step) for name in files.below(staged)) - bar.done)
                if ended:
                    break


@contextmanager
def _cleaned_up(job: Job, output: str) -> Iterator[None]:
    """Prove first that the folder can be written; leave nothing of a run that fails, and tell why in a sentence."""
    try:
        files.write_text(files.join(job.folder, STAGED, "begun"), "begun\n")
        yield
    except BaseException as fault:
        _remove_quietly(job.folder)
        sentence = disk_fault(fault, output)
        if sentence:
            raise UserError(sentence) from fault
        raise


def _remove_quietly(folder: str) -> None:
    try:
        files.remove(folder)
    except OSError as fault:
        say(f"Warning: {folder} could not be removed ({fault}). Nobody reads it; remove it by hand.")


def disk_fault(fault: BaseException, output: str) -> str:
    """What an output folder that can't be written means for the user; "" for any other fault.

    A worker process hands on its fault as text only, so the text is what is searched.
    """
    text = str(fault)
    if os.strerror(errno.ENOSPC) in text or os.strerror(errno.EDQUOT) in text:
        return f"--output {output} is full. Make room or give another folder; what was published before is unchanged."
    for code in (errno.EROFS, errno.EACCES, errno.EPERM):
        if os.strerror(code) in text:
            return f"--output {output} can't be written ({os.strerror(code)}). Give a folder that you may write to."
    return ""


def assemble(job: Job, name: str) -> Manifest:
    """The manifest of a run from its summary."""
    summary = json.loads(files.read_text(files.join(job.folder, STAGED, SUMMARY)))
    reports = summary["read"] + summary["written"]
    statistics = Statistics()
    for report in summary["written"]:
        statistics.merge(Statistics(**report["statistics"]))
    entries: dict[str, list[dict[str, Any]]] = {"phrases": summary["phrases"]}
    for border in ("records", "examples", "rejected"):
        entries[border] = sorted(
            (entry for report in reports for entry in report["files"].get(border, [])), key=lambda entry: entry["path"]
        )
    splits = _sum(report["splits"] for report in summary["written"])
    fingerprint = sum(report["fingerprint"] for report in summary["written"]) % (1 << 128)
    return Manifest(
        run=name,
        source=job.source,
        created=f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}",
        settings=asdict(job.settings),
        inputs=[{"file": job.inputs[report["part"]], "read": report["read"]} for report in summary["read"]],
        files=entries,
        read=sum(report["read"] for report in summary["read"]),
        kept=sum(splits.values()),
        rejected=_by_stage(_sum(report["rejected"] for report in reports)),
        splits=splits,
        statistics=figures(statistics, summary["vocabulary"]),
        losses=[loss for report in summary["read"] if (loss := _loss(job, report))],
        fingerprint=f"{fingerprint:032x}-{summary['phrase_hash']}",
    )


def _loss(job: Job, report: dict[str, Any]) -> str:
    """What can't be told of a part by rows; "" if all of it was read."""
    if report["loss"] or report["read"]:
        return report["loss"]
    return f"{job.inputs[report['part']]} holds no {job.source} recipe."


def _sum(counts: Iterator[dict[str, int]]) -> dict[str, int]:
    total: Counter[str] = Counter()
    for part in counts:
        total.update(part)
    return dict(total)


def _by_stage(counts: dict[str, int]) -> dict[str, dict[str, int]]:
    stages: dict[str, dict[str, int]] = {}
    for name, rows in counts.items():
        stage, reason = name.split(" ")
        stages.setdefault(stage, {})[reason] = rows
    return stages


def check_counts(manifest: Manifest, max_rejected: float | None) -> None:
    """Nothing was lost, something is usable, and not too much was rejected."""
    if not manifest.read:
        files_read = ", ".join(entry["file"] for entry in manifest.inputs[:3])
        raise UserError(f"No {manifest.source} recipe was found in {files_read}. Check that these are such dumps.")
    if manifest.read != manifest.kept + manifest.rejected_total:
        raise RuntimeError(f"{manifest.read} read, {manifest.kept} kept, {manifest.rejected_total} rejected: rows lost")
    if not manifest.kept:
        reasons = {reason: rows for found in manifest.rejected.values() for reason, rows in found.items()}
        most = max(reasons, key=lambda reason: reasons[reason])
        raise UserError(
            f"None of the {manifest.read} recipes is usable; most were rejected as {most}. Nothing was published."
        )
    share = manifest.rejected_total / manifest.read
    if max_rejected is not None and share > max_rejected:
        raise UserError(
            f"{share:.1%} of {manifest.read} records were rejected, more than --max-rejected {max_rejected} allows. "
            "Nothing was published."
        )
