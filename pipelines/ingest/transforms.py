"""Beam wiring of the ingest, the same for every source. One element is one shard of the input, or a report on it."""

from __future__ import annotations

from functools import partial

import apache_beam as beam
from apache_beam.pvalue import AsDict, AsIter, AsList, AsSingleton, PBegin, PCollection

from allsaid.storage import files
from allsaid.storage.rows import write_rows
from pipelines import metrics
from pipelines.datasets.hashes import phrase_hash
from pipelines.datasets.snapshot import STAGED
from pipelines.datasets.statistics import vocabulary_counts
from pipelines.ingest import corpus
from pipelines.ingest.job import Job, Report, write_summary
from pipelines.ingest.keys import KeysBefore, has_cuts
from pipelines.ingest.shards import add_up, read_part, survey_part
from pipelines.linking import phrases
from schemas.phrase import PHRASE, Phrase


@beam.ptransform_fn
def Ingest(begin: PBegin, job: Job) -> PCollection:
    """Shards of a source -> a run's folder with its summary."""
    parts = begin | "Shards" >> beam.Create(list(range(len(job.shards)))) | "One at a time" >> beam.Reshuffle()
    if has_cuts(job):
        known, reading = parts | KeysBefore(job), beam.FlatMapTuple(partial(read_part, job=job))
    else:
        surveyed = parts | "Survey" >> beam.Map(survey_part, job) | "Sum survey" >> beam.CombineGlobally(add_up)
        known, reading = parts, beam.FlatMap(read_part, AsSingleton(surveyed), job)
    read = known | "Read, parse, clean" >> reading.with_outputs("keys", "reports", "words", main="parts")
    reports, words = [read.reports], read.words
    table = begin | "No phrases yet" >> beam.Create([])
    if job.steps is not None:
        chosen = {"parts": read.parts, "keys": read.keys} | Choose(job)
        if job.steps.phrase_passes:
            table = chosen | FindPhrases(job, table)
        linked = chosen | "Merge, link, write" >> (
            beam.FlatMap(corpus.write_part, job, AsList(table)).with_outputs("words", main="reports")
        )
        reports, words = [read.reports, linked.reports], linked.words
    end = begin | "End" >> beam.Create([None])
    return end | "Summary" >> beam.Map(
        summarize_run,
        job,
        AsList(reports | "All reports" >> beam.Flatten()),
        AsDict(words | Vocabularies()),
        AsList(table),
    )


@beam.ptransform_fn
def Choose(read: dict[str, PCollection], job: Job) -> PCollection:
    """Parts and keys of their deferred records -> each part with the records that duplicates and guard drop."""
    duplicates = (
        read["keys"] | "The same" >> beam.GroupByKey() | "Keep one" >> beam.FlatMapTuple(corpus.find_duplicates)
    )
    unique = (
        {"part": read["parts"] | beam.Map(lambda part: (part, None)), "duplicates": duplicates}
        | "Duplicates by part" >> beam.CoGroupByKey()
        | "Drop duplicates" >> beam.MapTuple(corpus.drop_duplicates)
    )
    if not corpus.steps_of_job(job).guard:
        return unique
    titles = unique | "Dev and test titles" >> beam.FlatMap(corpus.held_out_keys, job)
    return unique | "Guard" >> beam.Map(corpus.drop_guarded, job, AsIter(titles))


@beam.ptransform_fn
def FindPhrases(chosen: PCollection, job: Job, table: PCollection) -> PCollection:
    """The passes of word2phrase over the training part's names -> the table of phrases; ``table`` is empty."""
    for step in range(1, (corpus.steps_of_job(job).phrase_passes or 0) + 1):
        added = chosen | f"Phrases {step}" >> PhrasePass(job, step, AsList(table))
        table = (table, added) | f"Phrases up to {step}" >> beam.Flatten()
    return table


@beam.ptransform_fn
def PhrasePass(chosen: PCollection, job: Job, step: int, table: AsList) -> PCollection:
    """One pass of word2phrase -> the phrases that it adds to ``table``."""
    steps = corpus.steps_of_job(job)
    counted = chosen | "Count" >> beam.FlatMap(corpus.count_part, job, table).with_outputs("pairs", main="words")
    words = counted.words | "Sum words" >> beam.CombinePerKey(sum)
    total = words | beam.Values() | "Number of words" >> beam.CombineGlobally(sum)
    frequent = words | "Frequent words" >> beam.Filter(lambda entry: entry[1] > steps.phrase_min_count)
    pairs = (
        counted.pairs
        | "Sum pairs" >> beam.CombinePerKey(sum)
        | "Frequent pairs" >> beam.Filter(lambda entry: entry[1] > steps.phrase_min_count)
    )
    return (
        chosen.pipeline
        | beam.Create([step])
        | "Choose" >> beam.FlatMap(corpus.choose_phrases, steps, AsDict(frequent), AsDict(pairs), AsSingleton(total))
    )


@beam.ptransform_fn
def Vocabularies(words: PCollection) -> PCollection:
    """Words of all parts by bucket -> the vocabularies' figures, by mark."""
    return (
        words
        | "By bucket" >> beam.GroupByKey()
        | "Marks" >> beam.FlatMapTuple(vocabulary_counts)
        | "Sum marks" >> beam.CombinePerKey(sum)
    )


def summarize_run(_: None, job: Job, reports: list[Report], marks: dict[str, int], table: list[Phrase]) -> None:
    """Write the table of phrases, if the job has one, and the summary."""
    if job.steps is None or job.steps.phrase_passes is None:
        write_summary(job, reports, marks, {}, "")
        return
    ordered = sorted(table, key=phrases.order)
    entries = write_rows(job.folder, "phrases.parquet", PHRASE, ordered, STAGED)
    metrics.report_sinks(files.join(job.folder, entry["path"]) for entry in entries)
    write_summary(job, reports, marks, {"phrases": entries}, phrase_hash(ordered))
