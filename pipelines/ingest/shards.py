"""The reading of one shard: its rows by border and split, its report, and what a later run needs not to read it again.

Where a source's records wait for the whole corpus, they are staged; ``corpus.py`` says what becomes of them.
"""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from types import TracebackType
from typing import Any

from apache_beam.pvalue import TaggedOutput

from allsaid.storage.rows import RowWriter, read_rows
from pipelines import sources
from pipelines.datasets.snapshot import STAGED
from pipelines.datasets.statistics import REJECTED, count
from pipelines.ingest.job import (
    Job,
    Part,
    Report,
    copy_part,
    count_words,
    no_words,
    part_name,
    save_part,
    word_buckets,
    word_rows,
)
from pipelines.installed import check_worker
from pipelines.source import Counting, Found, Kept, Lost, Parsed, Result, Shared, Surveying
from schemas.borders import BY_NAME
from schemas.runs.rejected import Rejected
from schemas.runs.waiting import WAITING, Waiting
from schemas.runs.word import WORD, Word

GARBAGE_THRESHOLD = 50_000  # records are trees without cycles; looking for cycles takes a sixth of the time


class PartWriter:
    """The files of one part, each opened when it has a row, with the report of what is written there.

    ``prefix``: of the names of files that a further step writes at a border where the part has a file already.
    """

    def __init__(self, job: Job, part: Part, prefix: str = "") -> None:
        self.report = Report(part)
        self.words = no_words()
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

    def keep(self, kept: Kept) -> None:
        for border, rows in kept.rows.items():
            self.write(border, kept.split, rows)
        self.report.keep(kept.split, (row for border in self._borders for row in kept.rows.get(border, ())))
        count(self.report.figures, kept.split, kept.figures)
        count_words(self.words, kept.split, kept.words)

    def reject(self, row: Rejected, found: Mapping[str, int] | None = None) -> None:
        """``found``: figures of what was found in it."""
        self._write(f"rejected/{self._prefix}{self._name}", BY_NAME["rejected"].schema, [row])
        self.report.reject(row)
        if found:
            count(self.report.figures, REJECTED, found)

    def wait(self, row: Waiting) -> None:
        self._write(f"{STAGED}/{self._name}", WAITING, [row])

    def write(self, border: str, split: str, rows: Iterable[Any]) -> None:
        by_split = f"/split={split}" if BY_NAME[border].by_split else ""
        self._write(f"{border}{by_split}/{self._name}", BY_NAME[border].schema, rows)

    def stage_words(self) -> None:
        self._write(f"{STAGED}/{self._name}", WORD, word_rows(self.words))

    def _write(self, path: str, schema: Any, rows: Iterable[Any]) -> None:
        if path not in self._writers:
            self._writers[path] = RowWriter(self._folder, path, schema, STAGED)
        for row in rows:
            self._writers[path].write(row)


def survey_part(part: Part, job: Job) -> Counter[Any]:
    """What the reading of every shard must know of this one; nothing for most sources."""
    source = sources.find(job.source)
    return source.survey(job.shards[part], job.settings) if isinstance(source, Surveying) else Counter()


def add_up(counts: Iterable[Counter[Any]]) -> Counter[Any]:
    """All counts together. They travel whole: one element a shard costs less than one for each of its keys."""
    total: Counter[Any] = Counter()
    for one in counts:
        total.update(one)
    return total


def read_part(part: Part, surveyed: Counter[Any], job: Job) -> Iterator[Any]:
    """Read one shard, or take what an earlier run made of it; yields the part, its report and its words.

    Where records wait it has no words yet; to find duplicates it yields ``(same, (id, part, place))`` of each.
    """
    check_worker(job.launcher)
    gc.set_threshold(GARBAGE_THRESHOLD)
    report = copy_part(job, part) or read_shard(part, job, surveyed)
    job.done("read", part)
    yield part
    yield TaggedOutput("reports", report)
    if job.steps is None:
        for bucket in word_buckets(Word(**row) for row in read_rows(job.staged(part, "parquet"), WORD.names)):
            yield TaggedOutput("words", bucket)
    elif job.steps.duplicates:
        yield from _keys(part, job)


def _keys(part: Part, job: Job) -> Iterator[Any]:
    place_of = job.shards[part].files.index
    for row in read_rows(job.staged(part, "parquet"), ("same", "id", "file", "offset")):
        found = row["id"].encode(), part, (place_of(row["file"]), row["offset"])
        yield TaggedOutput("keys", (bytes.fromhex(row["same"]), found))


def read_shard(part: Part, job: Job, surveyed: Counter[Any]) -> Report:
    """Read one shard; write its rows by border and split, and what a later run needs in order not to read it again."""
    with PartWriter(job, part) as writer:
        report = writer.report
        for result in _results(job, part, surveyed):
            match result:
                case Kept():
                    writer.keep(result)
                case Waiting():
                    writer.wait(result)
                case Rejected():
                    writer.reject(result)
                case Found(figures):
                    count(report.figures, REJECTED, figures)
                case Parsed(border, row):
                    writer.write(border, "", [row])
                case Shared(border, row):
                    writer.write(border, "", [row])
                    report.add_shared([row])
                case Lost(sentence):
                    report.losses.append(sentence)
            report.read += isinstance(result, Kept | Waiting | Rejected)
        if job.steps is None:
            writer.stage_words()
    save_part(job, report)
    return report


def _results(job: Job, part: Part, surveyed: Counter[Any]) -> Iterator[Result]:
    source, shard = sources.find(job.source), job.shards[part]
    if isinstance(source, Surveying | Counting):
        return source.read(shard, job.settings, surveyed)
    return source.read(shard, job.settings)
