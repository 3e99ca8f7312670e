"""The steps that need the whole corpus, as functions of a part: duplicates, the guard, phrases.

Records are never shuffled: they stay in the run's staged Parquet files, and only keys, hashes and counts move, since
the local runner keeps every shuffled element in memory. A bundle that is retried writes the same files with the same
content.
"""

from __future__ import annotations

import json
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any  # Any: rows of a border, known to the source alone

from apache_beam.pvalue import TaggedOutput

from allsaid.storage.rows import read_rows
from pipelines import sources
from pipelines.ingest.job import Job, Part, word_buckets, word_rows
from pipelines.ingest.shards import PartWriter, report_metrics
from pipelines.linking import phrases
from pipelines.linking.splits import PackedKeys, bag_key, guard, split_of, triple_keys
from pipelines.source import Deferring, RecordFault, Steps
from schemas.phrase import Phrase
from schemas.runs.deferred import DEFERRED, Deferred
from schemas.runs.rejected import Rejected

Place = tuple[int, int]  # the record's file, by its position in the shard, and its offset
Duplicate = tuple[Place, Part, Place]  # a duplicate, and the part and place of the record that is kept
Dropped = dict[Place, tuple[Part, Place] | str]  # a duplicate -> the kept record; a guarded record -> the reason
Chosen = tuple[Part, Dropped]


def find_duplicates(_same: bytes, records: Iterable[tuple[bytes, Part, Place]]) -> Iterator[tuple[Part, Duplicate]]:
    """Yield all equal records except the kept one, which has the smallest id, then the first place."""
    (_, kept_part, kept_place), *duplicates = sorted(records)
    for _, part, place in duplicates:
        yield part, (place, kept_part, kept_place)


def drop_duplicates(part: Part, grouped: Mapping[str, Iterable[Duplicate]]) -> Chosen:
    return part, {place: (kept_part, kept_place) for place, kept_part, kept_place in grouped["duplicates"]}


def held_out_keys(chosen: Chosen, job: Job) -> Iterator[bytes]:
    """Yield the guard's keys of a part's dev and test titles, packed."""
    keys: set[int] = set()
    for split, row in _remaining(chosen, job, "title"):
        if split != "train" and row["title"]:
            keys.add(bag_key(row["title"]))
            keys.update(triple_keys(row["title"]))
    yield array("q", sorted(keys)).tobytes()


def drop_guarded(chosen: Chosen, job: Job, titles: Iterable[bytes]) -> Chosen:
    """Drop the training records whose title is too similar to a dev or test title."""
    part, dropped = chosen
    held_out = PackedKeys(titles)
    same_title, place_of = _source(job).dedup_reasons.title, job.shards[part].files.index
    guarded: Dropped = {}
    for split, row in _remaining(chosen, job, "title"):
        if split == "train" and (reason := guard(row["title"], held_out, same_title)):
            guarded[place_of(row["file"]), row["offset"]] = reason
    return part, dropped | guarded


def count_part(chosen: Chosen, job: Job, table: list[Phrase]) -> Iterator[tuple[str, int] | TaggedOutput]:
    """Yield the counts of words and pairs in a part's training names, joined by the passes so far."""
    passes = phrases.passes(table)
    training = (row for split, row in _remaining(chosen, job, "names") if split == "train")
    counts = phrases.count(phrases.merge(words, passes) for row in training for words in row["names"])
    for pair_count in counts.pairs.items():
        yield TaggedOutput("pairs", pair_count)
    yield from counts.words.items()


def _remaining(chosen: Chosen, job: Job, column: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield split and row (one column and the place) of the deferred records that are not dropped yet."""
    part, dropped = chosen
    steps, place_of = steps_of_job(job), job.shards[part].files.index
    for row in read_rows(job.staged(part, "parquet"), ("file", "offset", "content_hash", column)):
        if (place_of(row["file"]), row["offset"]) not in dropped:
            yield _split(row["content_hash"], steps), row


def _source(job: Job) -> Deferring:
    source = sources.find(job.source)
    assert isinstance(source, Deferring)
    return source


def steps_of_job(job: Job) -> Steps:
    assert job.steps is not None
    return job.steps


def _split(content_hash: str, steps: Steps) -> str:
    return split_of(content_hash, steps.dev_share, steps.test_share)


def choose_phrases(
    step: int, steps: Steps, words: dict[str, int], pairs: dict[phrases.Pair, int], total: int
) -> list[Phrase]:
    counts = phrases.Counts(Counter(words), Counter(pairs), total)
    return phrases.choose(counts, steps.phrase_threshold, steps.phrase_min_count, step)


def write_part(chosen: Chosen, job: Job, table: list[Phrase]) -> Iterator[Any]:
    """Write the rows of a part's records, and a row of ``rejected/`` for each that was dropped.

    Yields the part's report and the counts of its words in the training part and in dev.
    """
    part, dropped = chosen
    source, steps, passes = _source(job), steps_of_job(job), phrases.passes(table)
    place_of = job.shards[part].files.index
    with PartWriter(job, part, "corpus-") as writer:
        for values in read_rows(job.staged(part, "parquet"), DEFERRED.names):
            row = Deferred(**values)
            if why := dropped.get((place_of(row.file), row.offset)):
                writer.reject(_dropped(row, why, job), json.loads(row.found))
                continue
            try:
                writer.keep(source.finish(row, _split(row.content_hash, steps), passes))
            except RecordFault as fault:
                writer.reject(_rejected(row, "clean", fault.reason, fault.detail), json.loads(row.found))
    job.mark_done("written", part)
    report_metrics(job, writer.report)
    yield writer.report
    for bucket in word_buckets(word_rows(writer.words)):
        yield TaggedOutput("words", bucket)


def _dropped(row: Deferred, why: tuple[Part, Place] | str, job: Job) -> Rejected:
    if isinstance(why, str):
        return _rejected(row, "guard", why, "")
    kept_part, (file, offset) = why
    reason = _source(job).dedup_reasons.duplicate
    kept = job.shards[kept_part].files[file]
    detail = f"{kept} has the {reason.replace('_', ' ')} at {offset}; that one is kept."
    return _rejected(row, "duplicate", reason, detail)


def _rejected(row: Deferred, stage: str, reason: str, detail: str) -> Rejected:
    return Rejected(stage, reason, detail, row.id, row.file, row.offset, row.head)
