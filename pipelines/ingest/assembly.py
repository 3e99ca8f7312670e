"""A run's transforms, its manifest, added up from the reports on its parts, and the check of its counts.

The files of a run depend on the source and on this module with all that it imports (`pipelines/ingest/reuse.py`).
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from allsaid.console import counted
from allsaid.storage import files
from allsaid.storage.rows import read_rows
from pipelines import sources
from pipelines.datasets.snapshot import STAGED
from pipelines.datasets.statistics import add_up, describe, lost_zeros, shares_found, vocabularies
from pipelines.ingest.job import SUMMARY, Job, Report
from pipelines.source import Copying, Reporting
from schemas.errors import UserError
from schemas.runs.manifest import FileEntry, InputEntry, Manifest

if TYPE_CHECKING:
    from apache_beam import Pipeline

MANY = 0.1  # a larger share of the records that is rejected for one reason is reported


def add_transforms(pipeline: Pipeline, job: Job) -> None:
    """Add the steps that read the job's shards and write the run's folder."""
    from pipelines.ingest.transforms import Ingest  # load Beam, which a run with nothing to read does without

    pipeline | Ingest(job)


def assemble(job: Job, name: str, prints: Sequence[str], hashes: Mapping[str, str]) -> Manifest:
    """Return the manifest of a run, made from its summary."""
    summary = json.loads(files.read_text(files.join(job.folder, STAGED, SUMMARY)))
    reports = [Report(**report) for report in summary["reports"]]
    entries: dict[str, list[FileEntry]] = dict(summary["entries"])
    for report in reports:
        for border, group in report.files.items():
            if border != STAGED:
                entries.setdefault(border, []).extend(group)
    source = sources.find(job.source)
    if isinstance(source, Copying):
        for copy, text in source.copied(job.shards, job.settings).items():
            with files.HashedFile(job.folder, copy, STAGED) as stream:
                stream.write(text.encode())
            entries[copy.partition(".")[0]] = [{**stream.entry, "rows": 0}]
    staged = {report.part: report.files[STAGED] for report in reports if STAGED in report.files}
    splits = _sum(report.splits for report in reports)
    fingerprint = sum(report.fingerprint for report in reports) % (1 << 128)
    histograms = add_up(report.figures for report in reports)
    figures = describe(histograms)
    return Manifest(
        run=name,
        source=job.source,
        created=f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}",
        settings=asdict(job.settings),
        unit=source.borders[0],
        inputs=_inputs(job, reports, hashes),
        shards=[
            {
                "file": shard.file,
                "first": shard.first,
                "last": shard.last,
                "fingerprint": shard_print,
                "encoding": shard.encoding,
                "staged": staged[part],
            }
            for part, (shard, shard_print) in enumerate(zip(job.shards, prints, strict=True))
        ],
        files={border: sorted(group, key=lambda entry: entry["path"]) for border, group in entries.items()},
        read=sum(report.read for report in reports),
        kept=sum(splits.values()),
        rejected=_by_stage(_sum(report.rejected for report in reports)),
        splits=splits,
        statistics={
            "figures": figures,
            "shares found": shares_found(figures),
            "lost zeros": lost_zeros(histograms),
            "vocabularies": vocabularies(summary["marks"]),
        },
        losses=[*job.losses, *(loss for report in reports for loss in report.losses)],
        fingerprint=f"{fingerprint:032x}" + (f"-{summary['hash']}" if summary["hash"] else ""),
    )


def _inputs(job: Job, reports: Sequence[Report], hashes: Mapping[str, str]) -> list[InputEntry]:
    """Return the manifest's entry of each input file."""
    read: Counter[str] = Counter()
    together: dict[str, tuple[str, ...]] = {}
    for report in reports:
        shard = job.shards[report.part]
        read[shard.file] += report.read
        together[shard.file] = shard.files
    return [
        {"file": file, "more": len(paths) - 1, "read": read[file], "sha256": {path: hashes[path] for path in paths}}
        for file, paths in sorted(together.items())
    ]


def _sum(counts: Iterable[Mapping[str, int]]) -> dict[str, int]:
    total: Counter[str] = Counter()
    for part in counts:
        total.update(part)
    return dict(total)


def _by_stage(counts: Mapping[str, int]) -> dict[str, dict[str, int]]:
    stages: dict[str, dict[str, int]] = {}
    for name, rows in counts.items():
        stage, reason = name.split(" ")
        stages.setdefault(stage, {})[reason] = rows
    return stages


def check_counts(manifest: Manifest, folder: str) -> None:
    """Raise an error if records are lost, or none was read or kept; ``folder`` is the run's."""
    if not manifest.read:
        files_read = ", ".join(entry["file"] for entry in manifest.inputs[:3])
        lost = f" Lost: {manifest.losses[0]}" if manifest.losses else ""
        raise UserError(
            f"`allsaid ingest {manifest.source}` found no records in {files_read}. "
            f"Check that the files are of this kind.{lost}"
        )
    if manifest.read != manifest.kept + manifest.rejected_total:
        raise RuntimeError(f"{manifest.read} read, {manifest.kept} kept, {manifest.rejected_total} rejected: rows lost")
    if not manifest.kept:
        reasons = {reason: rows for counts in manifest.rejected.values() for reason, rows in counts.items()}
        most_frequent = max(reasons, key=lambda reason: reasons[reason])
        raise UserError(
            f"None of {counted(manifest.read, 'record')} is usable; the most frequent reason is {most_frequent}"
            f"{_example(manifest, folder, most_frequent)} Nothing was published."
            + "".join(f" Lost: {loss}" for loss in manifest.losses[:1])
        )


def many_rejected(manifest: Manifest, folder: str) -> Iterator[str]:
    """Yield a sentence for each reason for which over a tenth of the records could not be read.

    ``folder`` is the run's.
    """
    of = counted(manifest.read, "record")
    for reason, rows in manifest.rejected.get("read", {}).items():
        if rows > MANY * manifest.read:
            yield f"{rows:,} of {of} are rejected as {reason}{_example(manifest, folder, reason)}"


def _example(manifest: Manifest, folder: str, reason: str) -> str:
    """Return the end of a sentence: the place of the first row rejected for a reason, and its detail."""
    for entry in manifest.files["rejected"]:
        for row in read_rows(files.join(folder, entry["path"]), ["reason", "detail", "file", "offset"]):
            if row["reason"] == reason:
                source = sources.find(manifest.source)
                place = source.place_of(row["file"], row["offset"]) if isinstance(source, Reporting) else row["file"]
                return f", for example in {place}. {row['detail']}".rstrip()
    return "."
