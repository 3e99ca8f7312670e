"""The ingest run: check what was asked, read what is new, check the counts and the gates, publish."""

from __future__ import annotations

import errno
import json
import os
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from typing import Any

from apache_beam.options.pipeline_options import PipelineOptions

from console import UserError, counted, progress, say, when_stopped
from pipelines import files, gates, history, lock, reuse, snapshot, streams
from pipelines.gates import Gates
from pipelines.job import SUMMARY, Job, part_name
from pipelines.paths import expand
from pipelines.runner import make_pipeline, pipeline_options
from pipelines.shares import SOURCES, Shares
from pipelines.snapshot import BEGUN, STAGED
from pipelines.source import Share, Surveying
from pipelines.sources import mealmaster, records, records_report
from pipelines.statistics import add_up, describe, lost_zeros, shares_found, vocabularies
from pipelines.transforms import Ingest
from schemas.manifest import MAPPING_NAME, Manifest

MEALMASTER = "mealmaster"  # the one source whose duplicates, guard and phrases need the whole corpus
SNIFFED = 1 << 16  # bytes of a dump that are looked at before the run
MAX_CONTROL = 0.05  # share of control bytes above which a file without a header is binary
PUBLISHED, KEPT_ASIDE, NOTHING_TO_DO = "published", "kept aside", "nothing to do"
_TEXT_CONTROL = frozenset(b"\t\n\x0b\x0c\r\x14\x1a")  # control bytes that dumps of the time use


class GateBroken(UserError):
    """What was reached, a data set's manifest or the summary of texts, breaks a quality gate."""

    exit_code = 2

    def __init__(self, message: str, reached: Any) -> None:
        super().__init__(message)
        self.reached = reached


@dataclass(frozen=True)
class Schedule:
    """How a run fits among others."""

    run_date: str = ""  # the day that the snapshot is for, "2026-11-21"
    keep_snapshots: int | None = None  # how many complete runs stay on disk; None: all
    wait_minutes: float = 0  # how long another run on the same output is waited for
    gates: Gates = field(default_factory=Gates)


ALWAYS = Schedule()


@dataclass(frozen=True)
class Outcome:
    """What a run came to."""

    manifest: Manifest  # of this run, or of the published one where nothing was to do
    folder: str  # of the manifest's run
    status: str  # PUBLISHED, KEPT_ASIDE or NOTHING_TO_DO
    reused: int  # shares of the input that an earlier run has read
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
            of = len(self.manifest.shares)
            say(f"Shares of the input that were unchanged and taken from an earlier run: {self.reused} of {of}.")
        for loss in self.manifest.losses:
            say(f"Lost: {loss}", "warning")


def run(
    source: str,
    inputs: Sequence[str],
    output: str,
    settings: Any,
    beam_args: Sequence[str] = (),
    schedule: Schedule = ALWAYS,
) -> Manifest:
    """As :func:`reach`, for who needs a data set that keeps the gates: raises :class:`GateBroken` for another."""
    outcome = reach(source, inputs, output, settings, beam_args, schedule)
    outcome.check()
    return outcome.manifest


def reach(
    source: str,
    inputs: Sequence[str],
    output: str,
    settings: Any,
    beam_args: Sequence[str] = (),
    schedule: Schedule = ALWAYS,
) -> Outcome:
    """Ingest all files that the globs name and publish the data set under ``output``.

    ``beam_args`` are Beam's own options. With the same input, settings and code as the published run nothing is done.
    Raises :class:`UserError`; the data set that was published before is then unchanged.
    """
    begun = time.monotonic()
    options = pipeline_options(beam_args)
    given = expand(inputs, output)
    snapshot.check_output(output)
    hashes = reuse.contents(given.paths)  # before the plan is made: what changes from now on is found out
    shares = plan(source, given.paths, settings)
    hashes |= reuse.contents({path for share in shares for path in share.files} - hashes.keys())
    prints = reuse.fingerprints(source, shares, hashes, _read_settings(source, settings), _is_surveying(source))
    name = snapshot.new_run(schedule.run_date)
    with _disk_faults(output), lock.held(output, name, schedule.wait_minutes) as hold:
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
                tuple(shares),
                settings,
                reuse.earlier(output, found, prints),
                tuple(given.losses),
            )
            manifest = _make(job, options, name, prints, hashes, hold)
            outcome = _hand_over(job, manifest, output, gates.broken(manifest, last, schedule.gates), begun)
        snapshot.sweep(output, outcome.manifest if outcome.status != KEPT_ASIDE else last, schedule.keep_snapshots)
    outcome.tell()
    return outcome


def _take(run: Manifest, last: Manifest | None, output: str, limits: Gates, begun: float) -> Outcome:
    """What to do with a run that was made before of the very same: nothing, or publish what was kept aside."""
    folder = snapshot.run_folder(output, run.run)
    if run is last:
        snapshot.mend(output, run)
        return Outcome(run, folder, NOTHING_TO_DO, len(run.shares), gates.broken(run, None, limits))
    faults = gates.broken(run, last, limits)
    if not faults:
        snapshot.publish(output, run)
        history.add(output, history.entry(run, len(run.shares), time.monotonic() - begun, faults))
    return Outcome(run, folder, KEPT_ASIDE if faults else PUBLISHED, len(run.shares), faults)


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
        _tidy(job)
        hold.check()
    return manifest


def _check_input(job: Job, hashes: Mapping[str, str]) -> None:
    """Raise UserError where a file that was read is no longer what it was before."""
    read = [share for share, earlier in zip(job.shares, job.earlier, strict=True) if earlier is None]
    for path in sorted({path for share in read for path in share.files}):
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
    reused = sum(share is not None for share in job.earlier)
    history.add(output, history.entry(manifest, reused, time.monotonic() - begun, faults))
    return Outcome(manifest, job.folder, KEPT_ASIDE if faults else PUBLISHED, reused, faults)


def _check_source(output: str, source: str, last: Manifest | None) -> None:
    if last is not None and last.source != source:
        raise UserError(
            f"--output {output} holds a data set of the source '{last.source}', not '{source}'. Give another folder."
        )


def plan(source: str, paths: Sequence[str], settings: Any) -> Sequence[Share]:
    """The shares of the input; refuses binary files before any work is done."""
    if source != MEALMASTER:
        return SOURCES[source].plan(paths, settings)
    full = streams.with_content(paths)
    check_inputs(full)
    return [Share((path,)) for path in full]


def _read_settings(source: str, settings: Any) -> dict[str, Any]:
    """The settings that decide on what is read of a share; Meal-Master's concern later steps only."""
    return {} if source == MEALMASTER else asdict(settings)


def _is_surveying(source: str) -> bool:
    return source != MEALMASTER and isinstance(SOURCES[source], Surveying)


def _unchanged(last: Manifest, settings: Any, prints: Sequence[str], run_date: str) -> bool:
    dated = last.run.partition("/")[0] if "/" in last.run else ""
    return (
        last.settings == json.loads(json.dumps(asdict(settings)))
        and [share["fingerprint"] for share in last.shares] == list(prints)
        and dated == (f"run_date={run_date}" if run_date else "")
    )


def check_inputs(paths: Sequence[str]) -> None:
    """Refuse binary files before any work is done."""
    for path in paths:
        _, stream = streams.open_dump(path)
        with stream:
            head = stream.read(SNIFFED)
        control = sum(byte < 32 and byte not in _TEXT_CONTROL for byte in head) / max(len(head), 1)
        if control > MAX_CONTROL and not _has_record(path):
            raise UserError(f"{path} is a binary file, not a dump of recipes. Leave it out of --input.")


def _has_record(path: str) -> bool:
    _, stream = streams.open_dump(path)
    with stream:
        return next(mealmaster.split_records(stream), None) is not None


def _execute(job: Job, options: PipelineOptions) -> None:
    with _watched(job), make_pipeline(options) as pipeline:
        pipeline | (Ingest(job) if job.source == MEALMASTER else Shares(job))


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
    staged, total = files.join(job.folder, STAGED), len(job.shares)
    steps = (("read", "Shares of the input read"), ("written", "Shares written as examples"))
    for step, what in steps[: 1 + (job.source == MEALMASTER)]:
        with progress(what, total) as bar:
            while bar.done < total:
                ended = stop.wait(1.0 if files.is_local(job.folder) else 10.0)
                bar.advance(sum(name.endswith(f".{step}") for name in files.below(staged)) - bar.done)
                if ended:
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
    parts = (part_name(part) for part in range(len(job.shares)))
    useful = {BEGUN, *(f"{STAGED}/{part}.{ending}" for part in parts for ending in ("json", "parquet"))}
    staged = (f"{STAGED}/{name}" for name in files.below(files.join(job.folder, STAGED)))
    files.delete([files.join(job.folder, name) for name in staged if name not in useful])


@contextmanager
def _disk_faults(output: str) -> Iterator[None]:
    """Tell a full or read-only folder in a sentence."""
    try:
        yield
    except UserError:
        raise
    except BaseException as fault:
        sentence = disk_fault(fault, output)
        if sentence:
            raise UserError(sentence) from fault
        raise


def _remove_quietly(folder: str) -> None:
    try:
        snapshot.remove(folder)
    except OSError as fault:
        say(f"{folder} could not be removed ({fault}). Nobody reads it; remove it by hand.", "warning")


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


def assemble(job: Job, name: str, prints: Sequence[str], hashes: Mapping[str, str]) -> Manifest:
    """The manifest of a run from its summary."""
    summary = json.loads(files.read_text(files.join(job.folder, STAGED, SUMMARY)))
    reports = summary["reports"]
    entries: dict[str, list[dict[str, Any]]] = dict(summary["entries"])
    for report in reports:
        for border, found in report["files"].items():
            if border != STAGED:
                entries.setdefault(border, []).extend(found)
    if isinstance(job.settings, records.Settings):
        entries["mapping"] = [_keep_mapping(job.settings.mapping, job.folder)]
    staged = {report["part"]: report["files"][STAGED] for report in reports if STAGED in report["files"]}
    splits = _sum(report["splits"] for report in reports)
    fingerprint = sum(report["fingerprint"] for report in reports) % (1 << 128)
    histograms = add_up(report["figures"] for report in reports)
    figures = describe(histograms)
    return Manifest(
        run=name,
        source=job.source,
        created=f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}",
        settings=asdict(job.settings),
        unit="examples" if job.source == MEALMASTER else SOURCES[job.source].BORDERS[0],
        inputs=_inputs(job, reports, hashes),
        shares=[
            {
                "file": share.file,
                "first": share.first,
                "last": share.last,
                "fingerprint": found,
                "encoding": share.encoding,
                "staged": staged[part],
            }
            for part, (share, found) in enumerate(zip(job.shares, prints, strict=True))
        ],
        files={border: sorted(found, key=lambda entry: entry["path"]) for border, found in entries.items()},
        read=sum(report["read"] for report in reports),
        kept=sum(splits.values()),
        rejected=_by_stage(_sum(report["rejected"] for report in reports)),
        splits=splits,
        statistics={
            "figures": figures,
            "shares found": shares_found(figures),
            "lost zeros": lost_zeros(histograms),
            "vocabularies": vocabularies(summary["marks"]),
        },
        losses=[*job.losses, *(loss for report in reports for loss in report["losses"])],
        fingerprint=f"{fingerprint:032x}" + (f"-{summary['hash']}" if summary["hash"] else ""),
    )


def _keep_mapping(mapping: str, folder: str) -> dict[str, Any]:
    """Copy a table's mapping into the run; its entry in the manifest."""
    with files.HashedFile(folder, MAPPING_NAME) as stream:
        stream.write(files.read_text(mapping).encode())
    return stream.entry | {"rows": 0}


def _inputs(job: Job, reports: Sequence[dict[str, Any]], hashes: Mapping[str, str]) -> list[dict[str, Any]]:
    """The manifest's entry of each input file: how many are read with it, its records, the SHA-256 of all of them."""
    read: Counter[str] = Counter()
    parts: dict[str, tuple[str, ...]] = {}
    for report in reports:
        share = job.shares[report["part"]]
        read[share.file] += report["read"]
        parts[share.file] = share.files
    return [
        {"file": file, "more": len(together) - 1, "read": read[file], "sha256": {one: hashes[one] for one in together}}
        for file, together in sorted(parts.items())
    ]


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


def check_counts(manifest: Manifest, folder: str) -> None:
    """Nothing was lost, and something is usable; ``folder`` is the run's."""
    if not manifest.read:
        files_read = ", ".join(entry["file"] for entry in manifest.inputs[:3])
        lost = f" Lost: {manifest.losses[0]}" if manifest.losses else ""
        raise UserError(
            f"Nothing that `allsaid ingest {manifest.source}` could read as a record was found in {files_read}. "
            f"Check that these are such files.{lost}"
        )
    if manifest.read != manifest.kept + manifest.rejected_total:
        raise RuntimeError(f"{manifest.read} read, {manifest.kept} kept, {manifest.rejected_total} rejected: rows lost")
    if not manifest.kept:
        reasons = {reason: rows for found in manifest.rejected.values() for reason, rows in found.items()}
        most = max(reasons, key=lambda reason: reasons[reason])
        raise UserError(
            f"Of {counted(manifest.read, 'record')} none is usable; the most frequent reason is {most}"
            f"{_first_rejected(manifest, folder, most)} Nothing was published."
            + "".join(f" Lost: {loss}" for loss in manifest.losses[:1])
        )


def _first_rejected(manifest: Manifest, folder: str, reason: str) -> str:
    """Where the first row stands that is rejected for a reason, and what is wrong with it."""
    for entry in manifest.files["rejected"]:
        for row in files.read_rows(files.join(folder, entry["path"]), ["reason", "detail", "file", "offset"]):
            if row["reason"] == reason:
                is_table = manifest.source == "records"
                place = records_report.place_of(row["file"], row["offset"]) if is_table else row["file"]
                return f", for example in {place}. {row['detail']}".rstrip()
    return "."
