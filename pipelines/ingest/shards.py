"""Reading of one shard: its rows by border and split, its report, and the files that let a later run skip it.

If a source defers its records until the whole corpus is read, they are staged; ``corpus.py`` finishes them.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping
from types import TracebackType
from typing import Any  # Any: the keys of a survey, known to the source alone

import pyarrow as pa
from apache_beam.pvalue import TaggedOutput

from allsaid.storage import files
from allsaid.storage.rows import RowWriter, read_rows
from pipelines import metrics, sources
from pipelines.beam import collect_less
from pipelines.datasets.snapshot import STAGED
from pipelines.datasets.statistics import REJECTED, Words, count
from pipelines.ingest.job import Job, Part, Report, copy_part, part_name, save_part, word_buckets, word_rows
from pipelines.installed import check_worker
from pipelines.source import Counting, KeptRecord, ParsedRow, RejectedFigures, Result, SharedRow, Surveying, Unreadable
from schemas.borders import BY_NAME
from schemas.runs.deferred import DEFERRED, Deferred
from schemas.runs.rejected import Rejected
from schemas.runs.word import WORD, Word


class PartWriter:
    """The files of one part, each opened at its first row, and the report on them.

    ``prefix``: of the names of files that a later step writes next to files of the same part.
    """

    def __init__(self, job: Job, part: Part, prefix: str = "") -> None:
        self.report = Report(part)
        self.words: dict[str, Words] = {"train": defaultdict(Counter), "dev": defaultdict(Counter)}
        self._folder, self._name = job.folder, f"{part_name(part)}.parquet"
        self._prefix, self._borders = prefix, sources.find(job.source).borders
        self._writers: dict[str, RowWriter] = {}

    def __enter__(self) -> PartWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        for path, writer in self._writers.items():
            writer.__exit__(kind, fault, trace)
            self.report.files.setdefault(path.split("/")[0], []).extend(writer.entries)

    def keep(self, kept: KeptRecord) -> None:
        for border, rows in kept.rows.items():
            self.write(border, kept.split, rows)
        self.report.keep(kept.split, (row for border in self._borders for row in kept.rows.get(border, ())))
        count(self.report.figures, kept.split, kept.figures)
        if kept.split in self.words:
            for vocabulary, tokens in kept.words.items():
                self.words[kept.split][vocabulary].update(tokens)

    def reject(self, row: Rejected, figures: Mapping[str, int] | None = None) -> None:
        """Write a rejected record and count its figures."""
        self._write(f"rejected/{self._prefix}{self._name}", BY_NAME["rejected"].schema, [row])
        self.report.reject(row)
        if figures:
            count(self.report.figures, REJECTED, figures)

    def defer(self, row: Deferred) -> None:
        self._write(f"{STAGED}/{self._name}", DEFERRED, [row])

    def write(self, border: str, split: str, rows: Iterable[object]) -> None:
        by_split = f"/split={split}" if BY_NAME[border].by_split else ""
        self._write(f"{border}{by_split}/{self._name}", BY_NAME[border].schema, rows)

    def stage_words(self) -> None:
        self._write(f"{STAGED}/{self._name}", WORD, word_rows(self.words))

    def _write(self, path: str, schema: pa.Schema, rows: Iterable[object]) -> None:
        if path not in self._writers:
            self._writers[path] = RowWriter(self._folder, path, schema, STAGED)
        for row in rows:
            self._writers[path].write(row)


def survey_part(part: Part, job: Job) -> Counter[Hashable]:
    """Return a shard's counts that the reading of others depends on; none for most sources."""
    source = sources.find(job.source)
    return source.survey(job.shards[part], job.settings) if isinstance(source, Surveying) else Counter()


def add_up(counts: Iterable[Counter[Hashable]]) -> Counter[Hashable]:
    """Return the sum of the counts of shards, each one element: one element for each key would cost more."""
    total: Counter[Hashable] = Counter()
    for shard in counts:
        total.update(shard)
    return total


def read_part(part: Part, surveyed: Counter[Any], job: Job) -> Iterator[Part | TaggedOutput]:
    """Read one shard, or copy an earlier run's files; yield the part, its report and its words.

    Deferred records have no words yet; to find duplicates, ``(same, (id, part, place))`` of each is yielded.
    """
    check_worker(job.launcher)
    collect_less()
    report = copy_part(job, part) or read_shard(part, job, surveyed)
    report_metrics(job, report)
    job.mark_done("read", part)
    yield part
    yield TaggedOutput("reports", report)
    if job.steps is None:
        for bucket in word_buckets(Word(**row) for row in read_rows(job.staged(part, "parquet"), WORD.names)):
            yield TaggedOutput("words", bucket)
    elif job.steps.duplicates:
        yield from _keys(part, job)


def report_metrics(job: Job, report: Report) -> None:
    """Report the records and the files of a part, and those that a later step adds, as metrics of the pipeline."""
    kept, rejected = sum(report.splits.values()), sum(report.rejected.values())
    metrics.count({metrics.RECORDS_READ: report.read, metrics.RECORDS_KEPT: kept, metrics.RECORDS_REJECTED: rejected})
    metrics.report_sources(job.shards[report.part].files)
    written = (entry["path"] for border, entries in report.files.items() if border != STAGED for entry in entries)
    metrics.report_sinks(files.join(job.folder, path) for path in written)


def _keys(part: Part, job: Job) -> Iterator[TaggedOutput]:
    place_of = job.shards[part].files.index
    for row in read_rows(job.staged(part, "parquet"), ("same", "id", "file", "offset")):
        record = row["id"].encode(), part, (place_of(row["file"]), row["offset"])
        yield TaggedOutput("keys", (bytes.fromhex(row["same"]), record))


def read_shard(part: Part, job: Job, surveyed: Counter[Any]) -> Report:
    """Read one shard; write its rows by border and split, and the files that let a later run skip it."""
    with PartWriter(job, part) as writer:
        report = writer.report
        for result in _results(job, part, surveyed):
            match result:
                case KeptRecord():
                    writer.keep(result)
                case Deferred():
                    writer.defer(result)
                case Rejected():
                    writer.reject(result)
                case RejectedFigures(figures):
                    count(report.figures, REJECTED, figures)
                case ParsedRow(border, row):
                    writer.write(border, "", [row])
                case SharedRow(border, row):
                    writer.write(border, "", [row])
                    report.share(row)
                case Unreadable(sentence):
                    report.losses.append(sentence)
            report.read += isinstance(result, KeptRecord | Deferred | Rejected)
        if job.steps is None:
            writer.stage_words()
    save_part(job, report)
    return report


def _results(job: Job, part: Part, surveyed: Counter[Any]) -> Iterator[Result]:
    source, shard = sources.find(job.source), job.shards[part]
    if isinstance(source, Surveying | Counting):
        return source.read(shard, job.settings, surveyed)
    return source.read(shard, job.settings)
