"""An ingest job as every worker knows it, and the report on each of its parts."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property

from allsaid.storage import files
from pipelines import sources
from pipelines.datasets.hashes import record_hash
from pipelines.datasets.snapshot import STAGED
from pipelines.datasets.statistics import Bucket, Histograms, Words, bucket_of
from pipelines.installed import Installed, installed
from pipelines.source import Deferring, Settings, Shard, Steps
from schemas.runs.manifest import FileEntry
from schemas.runs.rejected import Rejected
from schemas.runs.word import Word

SUMMARY = "summary.json"
Part = int  # a shard's position in the job


@dataclass(frozen=True)
class Earlier:
    """A shard of an earlier run with the same bytes, settings and code."""

    folder: str
    part: Part


@dataclass(frozen=True)
class Job:
    """The description of a run that every step gets."""

    source: str
    folder: str  # runs/<run>
    shards: tuple[Shard, ...]
    settings: Settings
    earlier: tuple[Earlier | None, ...]  # for each shard
    losses: tuple[str, ...] = ()  # sentences on parts of the input that no shard covers
    launcher: Installed = field(default_factory=installed)  # the installation that the workers must match

    @cached_property
    def steps(self) -> Steps | None:
        """The steps after all shards are read; None if no record is deferred."""
        return steps_of(self.source, self.settings)

    def staged(self, part: Part, ending: str) -> str:
        return files.join(self.folder, STAGED, f"{part_name(part)}.{ending}")

    def mark_done(self, step: str, part: Part) -> None:
        """Write a small file that shows the progress display that a part has passed a step."""
        files.write_text(self.staged(part, step), "done\n")


def steps_of(source: str, settings: Settings) -> Steps | None:
    module = sources.find(source)
    return module.steps(settings) if isinstance(module, Deferring) else None


def part_name(part: Part) -> str:
    return f"part-{part:05}"


@dataclass
class Report:
    """The figures of one part, for the run's summary."""

    part: Part
    read: int = 0
    losses: list[str] = field(default_factory=list)
    files: dict[str, list[FileEntry]] = field(default_factory=dict)  # by border
    rejected: dict[str, int] = field(default_factory=dict)  # "stage reason" -> rows
    splits: dict[str, int] = field(default_factory=dict)
    figures: Histograms = field(default_factory=dict)
    fingerprint: int = 0  # sum of the kept records' hashes, modulo 2^128

    def reject(self, row: Rejected) -> None:
        name = f"{row.stage} {row.reason}"
        self.rejected[name] = self.rejected.get(name, 0) + 1

    def keep(self, split: str, rows: Iterable[object]) -> None:
        """Count a record and add the content of its rows to the fingerprint."""
        self.splits[split] = self.splits.get(split, 0) + 1
        self._add_hash(record_hash(split, rows))

    def share(self, row: object) -> None:
        """Add a row of the whole data set to the fingerprint."""
        self._add_hash(record_hash("", [row]))

    def _add_hash(self, number: int) -> None:
        self.fingerprint = (self.fingerprint + number) % (1 << 128)


def copy_part(job: Job, part: Part) -> Report | None:
    """Copy the files of an earlier run's shard and return its report; None if the shard must be read."""
    earlier = job.earlier[part]
    if earlier is None:
        return None
    old, new = part_name(earlier.part), part_name(part)
    report = Report(**json.loads(files.read_text(files.join(earlier.folder, STAGED, f"{old}.json"))))
    report.part, work = part, files.join(job.folder, STAGED)
    for entry in (entry for entries in report.files.values() for entry in entries):
        path, entry["path"] = entry["path"], entry["path"].replace(old, new)
        files.copy(files.join(earlier.folder, path), files.join(job.folder, entry["path"]), work)
    save_part(job, report)
    return report


def save_part(job: Job, report: Report) -> None:
    """Write a report, which a later run reads instead of the shard, and add that file to the report."""
    with files.HashedFile(job.folder, f"{STAGED}/{part_name(report.part)}.json", STAGED) as stream:
        stream.write(json.dumps(asdict(report)).encode())
    report.files.setdefault(STAGED, []).append(stream.entry)


def word_rows(words: Mapping[str, Words]) -> Iterator[Word]:
    """Yield each word with its uses in the training part and in dev, in order."""
    train, dev = words["train"], words["dev"]
    for vocabulary in sorted(train.keys() | dev.keys()):
        in_train, in_dev = train.get(vocabulary, Counter()), dev.get(vocabulary, Counter())
        for word in sorted(in_train.keys() | in_dev.keys()):
            yield Word(vocabulary, word, in_train[word], in_dev[word])


def word_buckets(rows: Iterable[Word]) -> Iterable[tuple[Bucket, dict[str, tuple[int, int]]]]:
    """Return the words by bucket, since Beam moves few large elements faster than many small ones."""
    buckets: dict[Bucket, dict[str, tuple[int, int]]] = {}
    for row in rows:
        bucket = row.vocabulary, bucket_of(row.word)
        buckets.setdefault(bucket, {})[row.word] = row.train, row.dev
    return buckets.items()


def write_summary(
    job: Job, reports: Iterable[Report], marks: Mapping[str, int], entries: Mapping[str, list[FileEntry]], digest: str
) -> None:
    """Write the summary that the manifest is made from.

    ``entries`` are those of files that belong to no part, ``digest`` is the hash of their content.
    """
    summary = {
        "reports": sorted(map(asdict, reports), key=lambda report: (report["part"], not report["read"])),
        "marks": marks,
        "entries": entries,
        "hash": digest,
    }
    folder = files.join(job.folder, STAGED)
    with files.whole(files.join(folder, SUMMARY), folder) as stream:
        stream.write(json.dumps(summary).encode())
