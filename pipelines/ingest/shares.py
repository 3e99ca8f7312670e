"""Beam wiring of every source whose records need nothing of the rest of the corpus but a survey of it."""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from typing import Any

import apache_beam as beam
from apache_beam.pvalue import AsDict, AsList, AsSingleton, TaggedOutput

from pipelines.datasets.snapshot import STAGED
from pipelines.datasets.statistics import REJECTED, Words, count, vocabulary_marks
from pipelines.ingest.job import (
    Job,
    Part,
    Report,
    copy_part,
    count_words,
    no_words,
    part_name,
    save_part,
    summarize,
    word_buckets,
    word_rows,
)
from pipelines.source import Found, Kept, Lost, Result, Shared, Source, Surveying
from pipelines.sources.allrecipes import source as allrecipes
from pipelines.sources.dialogue_acts import source as dialogue_acts
from pipelines.sources.dstc2 import source as dstc2
from pipelines.sources.records import source as records
from pipelines.sources.wikibio import source as wikibio
from pipelines.storage.files import RowWriter, read_rows
from schemas.borders import BORDERS
from schemas.rejected import Rejected
from schemas.word import WORD, Word

SOURCES: dict[str, Source | Surveying] = {
    "allrecipes": allrecipes,
    "dialogue-acts": dialogue_acts,
    "dstc2": dstc2,
    "records": records,
    "wikibio": wikibio,
}
SCHEMAS = {border.name: border for border in BORDERS}
GARBAGE_THRESHOLD = 50_000  # records are trees without cycles; looking for cycles takes a sixth of the time


class Vocabularies(beam.PTransform):
    """Words of all parts by bucket -> the vocabularies' figures, by mark."""

    def expand(self, words: Any) -> Any:
        return (
            words
            | "By bucket" >> beam.GroupByKey()
            | "Marks" >> beam.FlatMapTuple(vocabulary_marks)
            | "Sum marks" >> beam.CombinePerKey(sum)
        )


class Shares(beam.PTransform):
    """Shares of a source -> a run's folder with its summary."""

    def __init__(self, job: Job) -> None:
        self.job = job

    def expand(self, begin: Any) -> Any:
        parts = begin | "Shares" >> beam.Create(list(range(len(self.job.shares)))) | "One at a time" >> beam.Reshuffle()
        surveyed = parts | "Survey" >> beam.Map(survey_part, self.job) | "Sum survey" >> beam.CombineGlobally(add_up)
        written = parts | "Read and write" >> (
            beam.FlatMap(write_part, self.job, AsSingleton(surveyed)).with_outputs("words", main="reports")
        )
        end = begin | "End" >> beam.Create([None])
        return end | "Summary" >> beam.Map(
            summarize_run, self.job, AsList(written.reports), AsDict(written.words | Vocabularies())
        )


def survey_part(part: Part, job: Job) -> Counter[Any]:
    """What the reading of every share must know of this one; nothing for most sources."""
    source = SOURCES[job.source]
    return source.survey(job.shares[part], job.settings) if isinstance(source, Surveying) else Counter()


def add_up(counts: Iterable[Counter[Any]]) -> Counter[Any]:
    """All counts together. They travel whole: one element a share costs less than one for each of its keys."""
    total: Counter[Any] = Counter()
    for one in counts:
        total.update(one)
    return total


def write_part(part: Part, job: Job, surveyed: Counter[Any]) -> Iterator[Any]:
    """Read one share and write its rows by border and split; yields its report and its words."""
    gc.set_threshold(GARBAGE_THRESHOLD)
    report = copy_part(job, part) or read_share(part, job, surveyed)
    job.done("read", part)
    yield report
    for bucket in word_buckets(Word(**row) for row in read_rows(job.staged(part, "parquet"), WORD.names)):
        yield TaggedOutput("words", bucket)


def _results(job: Job, part: Part, surveyed: Counter[Any]) -> Iterator[Result]:
    source, share = SOURCES[job.source], job.shares[part]
    if isinstance(source, Surveying):
        return source.read(share, job.settings, surveyed)
    return source.read(share, job.settings)


def read_share(part: Part, job: Job, surveyed: Counter[Any]) -> Report:
    """Read one share; write its rows by border and split, and what a later run needs in order not to read it again."""
    report, borders = Report(part), SOURCES[job.source].BORDERS
    words = no_words()
    with ExitStack() as open_files:
        writers: dict[str, RowWriter] = {}

        def write(border: str, split: str, rows: Iterable[Any]) -> None:
            by_split = f"/split={split}" if SCHEMAS[border].by_split else ""
            path = f"{border}{by_split}/{part_name(part)}.parquet"
            if path not in writers:
                writers[path] = open_files.enter_context(RowWriter(job.folder, path, SCHEMAS[border].schema))
            for row in rows:
                writers[path].write(row)

        for result in _results(job, part, surveyed):
            match result:
                case Kept(split, rows, figures, found):
                    for border, border_rows in rows.items():
                        write(border, split, border_rows)
                    report.keep(split, (row for border in borders for row in rows.get(border, ())))
                    count(report.figures, split, figures)
                    count_words(words, split, found)
                case Rejected():
                    write("rejected", "", [result])
                    report.reject(result)
                case Found(figures):
                    count(report.figures, REJECTED, figures)
                case Shared(border, row):
                    write(border, "", [row])
                    report.share([row])
                case Lost(sentence):
                    report.losses.append(sentence)
            report.read += isinstance(result, Kept | Rejected)
    for path, writer in writers.items():
        report.files.setdefault(path.split("/")[0], []).extend(writer.entries)
    _save_words(job, report, words)
    save_part(job, report)
    return report


def _save_words(job: Job, report: Report, words: dict[str, Words]) -> None:
    with RowWriter(job.folder, f"{STAGED}/{part_name(report.part)}.parquet", WORD) as writer:
        for row in word_rows(words):
            writer.write(row)
    report.files[STAGED] = writer.entries


def summarize_run(_: None, job: Job, reports: list[Report], marks: dict[str, int]) -> None:
    summarize(job, reports, marks, {}, "")
