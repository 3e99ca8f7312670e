"""Beam wiring of the Meal-Master ingest. One element is one dump file, or what was said of it.

Records never go through a shuffle: they wait in Parquet files of the run, and only keys, hashes and counts
travel, since the local runner keeps every shuffled element in memory. A bundle that is tried again writes the
same files with the same content.
"""

from __future__ import annotations

import gc
import hashlib
import json
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import apache_beam as beam
from apache_beam.pvalue import AsDict, AsIter, AsList, AsSingleton, TaggedOutput

from allsaid.settings import number
from pipelines.datasets.snapshot import STAGED
from pipelines.datasets.statistics import count, example_figures
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
from pipelines.ingest.shares import Vocabularies
from pipelines.language import phrases
from pipelines.language.splits import bag_key, guard, split_of, triple_keys
from pipelines.recipes.examples import CleanFault, finish, prepare
from pipelines.sources.mealmaster import source as mealmaster
from pipelines.storage import files, streams
from pipelines.storage.files import RowWriter, read_rows
from schemas.example import EXAMPLE, SPLITS, Example
from schemas.phrase import PHRASE, Phrase
from schemas.prepared import PREPARED, Prepared
from schemas.recipe import RECIPE, Recipe
from schemas.rejected import HEAD_BYTES, REJECTED, Rejected

MEALMASTER = "mealmaster"  # the one source whose duplicates, guard and phrases need the whole corpus
DUPLICATE = "same_directions"


@dataclass(frozen=True)
class IngestSettings:
    """What decides on the content of a data set. The same settings and input give the same fingerprint."""

    dev_share: float = number(0.1, 0, 0.5)
    test_share: float = number(0.1, 0, 0.5)
    # Joins "cream cheese" (14.7), not "cold butter" (1); word2phrase's own default is 100.
    phrase_threshold: float = number(12.0, 0)
    phrase_min_count: int = number(5, 0)
    phrase_passes: int = number(2, 0, 5)


# Records are trees without cycles; at Python's own threshold of 700 looking for cycles takes a sixth of the time.
GARBAGE_THRESHOLD = 50_000
Double = tuple[int, int, int]  # offset of a duplicate; part and offset of the record that is kept
Dropped = dict[int, tuple[str, int, int]]  # offset -> reason; part and offset of the duplicate that is kept
Chosen = tuple[Part, Dropped]


def staged_rows(job: Job, part: Part) -> str:
    return job.staged(part, "parquet")


def split_in(job: Job, content: str) -> str:
    return split_of(content, job.settings.dev_share, job.settings.test_share)


class Ingest(beam.PTransform):
    """Dump files -> a run's folder with its summary."""

    def __init__(self, job: Job) -> None:
        self.job = job

    def expand(self, begin: Any) -> Any:
        job = self.job
        read = (
            begin
            | "Dump files" >> beam.Create(list(range(len(job.shares))))
            | "One at a time" >> beam.Reshuffle()
            | "Read, parse, clean" >> beam.FlatMap(read_part, job).with_outputs("keys", "reports", main="parts")
        )
        doubles = read.keys | "Same content" >> beam.GroupByKey() | "Keep one" >> beam.FlatMapTuple(doubles_of)
        unique = (
            {"part": read.parts | beam.Map(lambda part: (part, None)), "doubles": doubles}
            | "Doubles by part" >> beam.CoGroupByKey()
            | "Drop doubles" >> beam.MapTuple(drop_doubles)
        )
        titles = unique | "Dev and test titles" >> beam.FlatMap(held_out_keys, job)
        guarded = unique | "Guard" >> beam.Map(drop_guarded, job, AsIter(titles))
        table = begin | "No phrases yet" >> beam.Create([])
        for step in range(1, job.settings.phrase_passes + 1):
            found = guarded | f"Phrases {step}" >> FindPhrases(job, step, AsList(table))
            table = (table, found) | f"Phrases up to {step}" >> beam.Flatten()
        written = guarded | "Merge, link, write" >> beam.FlatMap(write_part, job, AsList(table)).with_outputs(
            "words", main="reports"
        )
        end = begin | "End" >> beam.Create([None])
        return end | "Summary" >> (
            beam.Map(
                summarize_run,
                job,
                AsList(read.reports),
                AsList(written.reports),
                AsDict(written.words | Vocabularies()),
                AsList(table),
            )
        )


class FindPhrases(beam.PTransform):
    """One pass of word2phrase over the training part's ingredients -> the phrases it adds to ``table``."""

    def __init__(self, job: Job, step: int, table: AsList) -> None:
        self.job, self.step, self.table = job, step, table

    def expand(self, guarded: Any) -> Any:
        settings = self.job.settings
        counted = guarded | "Count" >> beam.FlatMap(count_part, self.job, self.table).with_outputs(
            "pairs", main="words"
        )
        words = counted.words | "Sum words" >> beam.CombinePerKey(sum)
        total = words | beam.Values() | "Number of words" >> beam.CombineGlobally(sum)
        frequent = words | "Frequent words" >> beam.Filter(lambda entry: entry[1] > settings.phrase_min_count)
        pairs = (
            counted.pairs
            | "Sum pairs" >> beam.CombinePerKey(sum)
            | "Frequent pairs" >> beam.Filter(lambda entry: entry[1] > settings.phrase_min_count)
        )
        return (
            guarded.pipeline
            | beam.Create([self.step])
            | "Choose" >> beam.FlatMap(choose_phrases, settings, AsDict(frequent), AsDict(pairs), AsSingleton(total))
        )


def read_part(part: Part, job: Job) -> Iterator[Any]:
    """Parse and clean one dump file; write its records, its rejected and its staged rows.

    Yields the part, its report, and for each staged row the key ``(content hash, (id, part, offset))``.
    """
    gc.set_threshold(GARBAGE_THRESHOLD)
    saved = copy_part(job, part)
    report = saved or _read(part, job)
    job.done("read", part)
    for row in read_rows(staged_rows(job, part), ("content_hash", "id", "offset")):
        key = bytes.fromhex(row["content_hash"])
        yield TaggedOutput("keys", (key, (bytes.fromhex(row["id"]), part, row["offset"])))
    yield TaggedOutput("reports", report)
    yield part


def _read(part: Part, job: Job) -> Report:
    report = Report(part)
    name = f"{part_name(part)}.parquet"
    with (
        RowWriter(job.folder, f"records/{name}", RECIPE) as records,
        RowWriter(job.folder, f"rejected/read-{name}", REJECTED) as rejected,
        RowWriter(job.folder, f"{STAGED}/{name}", PREPARED) as staged,
    ):
        for row in _records(job, part, report):
            report.read += not isinstance(row, Recipe)
            if isinstance(row, Recipe):
                records.write(row)
            elif isinstance(row, Rejected):
                rejected.write(row)
                report.reject(row)
            else:
                staged.write(row)
    report.files = {"records": records.entries, "rejected": rejected.entries, STAGED: staged.entries}
    save_part(job, report)
    return report


def _records(job: Job, part: Part, report: Report) -> Iterator[Recipe | Prepared | Rejected]:
    """For each record its recipe, if it parses, then what became of it."""
    file = job.shares[part].file
    dump, stream = streams.open_dump(file)
    with stream:
        raws = mealmaster.split_records(stream)
        raw = next(raws, None)
        while raw is not None:
            following = next(raws, None)
            head = (raw.header + b"\n" + raw.body)[:HEAD_BYTES]
            try:
                if following is None and dump.loss:
                    raise mealmaster.ParseFault("cut_off", "The file ends in this record.")
                recipe = mealmaster.parse(raw, file)
            except mealmaster.ParseFault as fault:
                yield Rejected("read", fault.reason, fault.detail, "", file, raw.offset, head)
            else:
                yield recipe
                yield _prepared(recipe, head)
            raw = following
    if dump.loss or not report.read:
        report.losses.append(dump.loss or f"{file} holds no {job.source} recipe.")


def _prepared(recipe: Recipe, head: bytes) -> Prepared | Rejected:
    try:
        return prepare(recipe, head)
    except CleanFault as fault:
        return Rejected("clean", fault.reason, fault.detail, recipe.id, recipe.file, recipe.offset, head)


def doubles_of(_content: bytes, found: Iterable[tuple[bytes, Part, int]]) -> Iterator[tuple[Part, Double]]:
    """All records of one content but the one that is kept: the smallest id, then the first place."""
    kept, *doubles = sorted(found)
    for _, part, offset in doubles:
        yield part, (offset, kept[1], kept[2])


def drop_doubles(part: Part, grouped: dict[str, Iterable[Any]]) -> Chosen:
    return part, {offset: (DUPLICATE, *kept) for offset, *kept in chain(grouped["doubles"])}


def held_out_keys(chosen: Chosen, job: Job) -> Iterator[bytes]:
    """The guard's keys of a part's dev and test titles, packed."""
    part, dropped = chosen
    keys: set[int] = set()
    for row in read_rows(staged_rows(job, part), ("offset", "content_hash", "goal_tokens")):
        if row["offset"] not in dropped and split_in(job, row["content_hash"]) != "train":
            keys.add(bag_key(row["goal_tokens"]))
            keys.update(triple_keys(row["goal_tokens"]))
    yield array("q", sorted(keys)).tobytes()


def drop_guarded(chosen: Chosen, job: Job, titles: Iterable[bytes]) -> Chosen:
    """Drop the training recipes whose title is too near to a dev or test title."""
    part, dropped = chosen
    held_out = frozenset(chain.from_iterable(array("q", packed) for packed in titles))
    dropped = dict(dropped)
    for row in read_rows(staged_rows(job, part), ("offset", "content_hash", "goal_tokens")):
        if row["offset"] not in dropped and split_in(job, row["content_hash"]) == "train":
            reason = guard(row["goal_tokens"], held_out)
            if reason:
                dropped[row["offset"]] = (reason, -1, -1)
    return part, dropped


def count_part(chosen: Chosen, job: Job, found: list[Phrase]) -> Iterator[Any]:
    """Words and pairs of a part's training ingredients, joined by the passes so far."""
    part, dropped = chosen
    table = phrases.passes(found)
    rows = read_rows(staged_rows(job, part), ("offset", "content_hash", "agenda_words"))
    training = (row for row in rows if row["offset"] not in dropped and split_in(job, row["content_hash"]) == "train")
    counts = phrases.count(phrases.merge(words, table) for row in training for words in row["agenda_words"])
    for pair_count in counts.pairs.items():
        yield TaggedOutput("pairs", pair_count)
    yield from counts.words.items()


def choose_phrases(
    step: int, settings: IngestSettings, words: dict[str, int], pairs: dict[phrases.Pair, int], total: int
) -> list[Phrase]:
    counts = phrases.Counts(Counter(words), Counter(pairs), total)
    return phrases.choose(counts, settings.phrase_threshold, settings.phrase_min_count, step)


def write_part(chosen: Chosen, job: Job, found: list[Phrase]) -> Iterator[Any]:
    """Make a part's examples; write them by split, and a row of ``rejected/`` for each that was dropped.

    Yields the part's report and the counts of the words in titles and texts of the training part and of dev.
    """
    part, dropped = chosen
    report = Report(part)
    table = phrases.passes(found)
    words = no_words()
    name = f"part-{part:05}.parquet"
    with (
        RowWriter(job.folder, f"rejected/corpus-{name}", REJECTED) as rejected,
        RowWriter(job.folder, f"examples/split=train/{name}", EXAMPLE) as train,
        RowWriter(job.folder, f"examples/split=dev/{name}", EXAMPLE) as dev,
        RowWriter(job.folder, f"examples/split=test/{name}", EXAMPLE) as test,
    ):
        writers = dict(zip(SPLITS, (train, dev, test), strict=True))
        for row in _staged_rows(job, part):
            result = _finished(row, dropped, table, job)
            if isinstance(result, Rejected):
                rejected.write(result)
                report.reject(result)
                continue
            split = split_in(job, result.content_hash)
            writers[split].write(result)
            report.keep(split, [result])
            count(report.figures, split, example_figures(result))
            count_words(words, split, {"text": result.tokens, "title": result.goal_tokens})
    written = [entry for writer in writers.values() for entry in writer.entries]
    report.files = {"examples": written, "rejected": rejected.entries}
    job.done("written", part)
    yield report
    for bucket in word_buckets(word_rows(words)):
        yield TaggedOutput("words", bucket)


def _staged_rows(job: Job, part: Part) -> Iterator[Prepared]:
    for row in read_rows(staged_rows(job, part), PREPARED.names):
        yield Prepared(**row)


def _finished(row: Prepared, dropped: Dropped, table: Sequence[phrases.Pass], job: Job) -> Example | Rejected:
    if row.offset not in dropped:
        try:
            return finish(row, table)
        except CleanFault as fault:
            return Rejected("clean", fault.reason, fault.detail, row.id, row.file, row.offset, row.head)
    reason, kept_part, kept_offset = dropped[row.offset]
    if reason != DUPLICATE:
        return Rejected("guard", reason, "", row.id, row.file, row.offset, row.head)
    detail = f"{job.shares[kept_part].file} has the same directions at {kept_offset}; that recipe is kept."
    return Rejected("duplicate", reason, detail, row.id, row.file, row.offset, row.head)


def summarize_run(
    _: None, job: Job, read: list[Report], written: list[Report], marks: dict[str, int], found: list[Phrase]
) -> None:
    """Write ``phrases.parquet`` and the summary from which the run makes its manifest."""
    table = sorted(found, key=phrases.order)
    entries = files.write_rows(job.folder, "phrases.parquet", PHRASE, table)
    summarize(job, [*read, *written], marks, {"phrases": entries}, phrase_hash(table))


def phrase_hash(table: Iterable[Phrase]) -> str:
    text = json.dumps([list(vars(phrase).values()) for phrase in table])
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()
