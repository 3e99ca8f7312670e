"""What only the whole corpus can tell of records that wait: duplicates, the guard, phrases. Plain functions of a part.

Records never go through a shuffle: they wait in Parquet files of the run, and only keys, hashes and counts
travel, since the local runner keeps every shuffled element in memory. A bundle that is tried again writes the
same files with the same content.
"""

from __future__ import annotations

import json
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

from apache_beam.pvalue import TaggedOutput

from allsaid.storage.rows import read_rows
from pipelines import sources
from pipelines.ingest.job import Job, Part, word_buckets, word_rows
from pipelines.ingest.shards import PartWriter
from pipelines.linking import phrases
from pipelines.linking.splits import PackedKeys, bag_key, guard, split_of, triple_keys
from pipelines.source import Awaiting, RecordFault, Steps
from schemas.phrase import Phrase
from schemas.runs.rejected import Rejected
from schemas.runs.waiting import WAITING, Waiting

Place = tuple[int, int]  # which of its shard's files a record stands in, and where
Double = tuple[Place, Part, Place]  # a duplicate, and the record that is kept
Dropped = dict[Place, tuple[Part, Place] | str]  # a duplicate -> the record that is kept; a guarded record -> why
Chosen = tuple[Part, Dropped]


def doubles_of(_same: bytes, found: Iterable[tuple[bytes, Part, Place]]) -> Iterator[tuple[Part, Double]]:
    """All records that are the same but the one that is kept: the smallest id, then the first place."""
    (_, kept_part, kept_place), *doubles = sorted(found)
    for _, part, place in doubles:
        yield part, (place, kept_part, kept_place)


def drop_doubles(part: Part, grouped: dict[str, Iterable[Any]]) -> Chosen:
    return part, {place: (kept_part, kept_place) for place, kept_part, kept_place in chain(grouped["doubles"])}


def held_out_keys(chosen: Chosen, job: Job) -> Iterator[bytes]:
    """The guard's keys of a part's dev and test titles, packed."""
    keys: set[int] = set()
    for split, row in _left(chosen, job, "title"):
        if split != "train" and row["title"]:
            keys.add(bag_key(row["title"]))
            keys.update(triple_keys(row["title"]))
    yield array("q", sorted(keys)).tobytes()


def drop_guarded(chosen: Chosen, job: Job, titles: Iterable[bytes]) -> Chosen:
    """Drop the training records whose title is too near to a dev or test title."""
    part, dropped = chosen
    held_out = PackedKeys(titles)
    same_title, place_of = _source(job).alike.title, job.shards[part].files.index
    guarded: Dropped = {}
    for split, row in _left(chosen, job, "title"):
        if split == "train" and (reason := guard(row["title"], held_out, same_title)):
            guarded[place_of(row["file"]), row["offset"]] = reason
    return part, dropped | guarded


def count_part(chosen: Chosen, job: Job, found: list[Phrase]) -> Iterator[Any]:
    """Words and pairs of a part's training names, joined by the passes so far."""
    table = phrases.passes(found)
    training = (row for split, row in _left(chosen, job, "names") if split == "train")
    counts = phrases.count(phrases.merge(words, table) for row in training for words in row["names"])
    for pair_count in counts.pairs.items():
        yield TaggedOutput("pairs", pair_count)
    yield from counts.words.items()


def _left(chosen: Chosen, job: Job, column: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Split and one column, with the place, of the waiting records that are not dropped yet."""
    part, dropped = chosen
    steps, place_of = asked(job), job.shards[part].files.index
    for row in read_rows(job.staged(part, "parquet"), ("file", "offset", "content_hash", column)):
        if (place_of(row["file"]), row["offset"]) not in dropped:
            yield _split(row["content_hash"], steps), row


def _source(job: Job) -> Awaiting:
    source = sources.find(job.source)
    assert isinstance(source, Awaiting)
    return source


def asked(job: Job) -> Steps:
    assert job.steps is not None
    return job.steps


def _split(content: str, steps: Steps) -> str:
    return split_of(content, steps.dev_share, steps.test_share)


def choose_phrases(
    step: int, steps: Steps, words: dict[str, int], pairs: dict[phrases.Pair, int], total: int
) -> list[Phrase]:
    counts = phrases.Counts(Counter(words), Counter(pairs), total)
    return phrases.choose(counts, steps.phrase_threshold, steps.phrase_min_count, step)


def write_part(chosen: Chosen, job: Job, found: list[Phrase]) -> Iterator[Any]:
    """Write the rows of a part's records, and a row of ``rejected/`` for each that was dropped.

    Yields the part's report and the counts of its words in the training part and in dev.
    """
    part, dropped = chosen
    source, steps, table = _source(job), asked(job), phrases.passes(found)
    place_of = job.shards[part].files.index
    with PartWriter(job, part, "corpus-") as writer:
        for values in read_rows(job.staged(part, "parquet"), WAITING.names):
            row = Waiting(**values)
            if why := dropped.get((place_of(row.file), row.offset)):
                writer.reject(_dropped(row, why, job), json.loads(row.found))
                continue
            try:
                writer.keep(source.finish(row, _split(row.content_hash, steps), table))
            except RecordFault as fault:
                writer.reject(_rejected(row, "clean", fault.reason, fault.detail), json.loads(row.found))
    job.done("written", part)
    yield writer.report
    for bucket in word_buckets(word_rows(writer.words)):
        yield TaggedOutput("words", bucket)


def _dropped(row: Waiting, why: tuple[Part, Place] | str, job: Job) -> Rejected:
    if isinstance(why, str):
        return _rejected(row, "guard", why, "")
    kept_part, (file, offset) = why
    reason = _source(job).alike.duplicate
    kept = job.shards[kept_part].files[file]
    detail = f"{kept} has the {reason.replace('_', ' ')} at {offset}; that one is kept."
    return _rejected(row, "duplicate", reason, detail)


def _rejected(row: Waiting, stage: str, reason: str, detail: str) -> Rejected:
    return Rejected(stage, reason, detail, row.id, row.file, row.offset, row.head)
