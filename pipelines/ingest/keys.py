"""Keys of records across the shards of a file: how often each occurs in earlier shards.

Only keys move between workers, packed by their first byte: first the keys of all records, then the keys that several
shards share, of records that count. No worker holds more than a 256th of a file's keys.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import partial

import apache_beam as beam
import numpy as np
from apache_beam.pvalue import PCollection

from pipelines import sources
from pipelines.ingest.job import Job, Part
from pipelines.source import KEY_BYTES, Counting, Shard

Bucket = tuple[str, int]  # the file, the first byte of the keys
Packed = tuple[Part, bytes]  # a shard's keys, concatenated


def has_cuts(job: Job) -> bool:
    """Return whether shards depend on the keys of earlier shards."""
    return isinstance(sources.find(job.source), Counting) and any(map(_is_cut, job.shards))


@beam.ptransform_fn
def KeysBefore(parts: PCollection, job: Job) -> PCollection:
    """Parts -> each part with a count of its keys in earlier shards of the same file."""
    shared = (
        parts
        | "Keys" >> beam.FlatMap(keys_of, job)
        | "Keys by bucket" >> beam.GroupByKey()
        | "In several shards" >> beam.FlatMapTuple(shared_keys)
        | "Shared keys by part" >> beam.GroupByKey()
    )
    before = (
        shared
        | "Counted keys" >> beam.FlatMapTuple(partial(counting_keys, job=job))
        | "Counted keys by bucket" >> beam.GroupByKey()
        | "Before" >> beam.FlatMapTuple(keys_before)
    )
    return (
        {"part": parts | "Each" >> beam.Map(lambda part: (part, None)), "before": before}
        | "Keys before by part" >> beam.CoGroupByKey()
        | "One count" >> beam.MapTuple(lambda part, grouped: (part, sum(grouped["before"], Counter())))
    )


def _is_cut(shard: Shard) -> bool:
    return shard.first > 0 or shard.last is not None


def keys_of(part: Part, job: Job) -> Iterator[tuple[Bucket, Packed]]:
    """Yield all keys of a shard, each once; no keys if the file is a single shard, or no shard of it is read."""
    shard = job.shards[part]
    read = {read.file for read, earlier in zip(job.shards, job.earlier, strict=True) if earlier is None}
    if _is_cut(shard) and shard.file in read:
        yield from _packed(part, shard, {*_source(job).keys(shard, job.settings, None)})


def shared_keys(_bucket: Bucket, shards: Iterable[Packed]) -> Iterator[tuple[Part, bytes]]:
    """Yield for each shard the keys of a bucket that it shares with other shards."""
    keys = [(part, np.frombuffer(packed, "<u8")) for part, packed in shards]
    all_keys, times = np.unique(np.concatenate([part_keys for _, part_keys in keys]), return_counts=True)
    for part, part_keys in keys:
        both = np.intersect1d(part_keys, all_keys[times > 1], assume_unique=True)
        if len(both):
            yield part, both.tobytes()


def counting_keys(part: Part, shared: Iterable[bytes], job: Job) -> Iterator[tuple[Bucket, Packed]]:
    """Yield the key of each counted record of a shard, if it is one of the ``shared`` keys."""
    shard, among = job.shards[part], frozenset(key for packed in shared for key in _unpacked(packed))
    yield from _packed(part, shard, _source(job).keys(shard, job.settings, among))


def keys_before(_bucket: Bucket, shards: Iterable[Packed]) -> Iterator[tuple[Part, Counter[bytes]]]:
    """Yield for each shard how often its keys occur in earlier shards."""
    counts: Counter[bytes] = Counter()
    for part, packed in sorted(shards):
        part_keys = Counter(_unpacked(packed))
        yield part, Counter({key: counts[key] for key in part_keys if key in counts})
        counts.update(part_keys)


def _source(job: Job) -> Counting:
    source = sources.find(job.source)
    assert isinstance(source, Counting)
    return source


def _packed(part: Part, shard: Shard, keys: Iterable[bytes]) -> Iterator[tuple[Bucket, Packed]]:
    buckets: dict[int, list[bytes]] = {}
    for key in keys:
        buckets.setdefault(key[0], []).append(key)
    for first, bucket_keys in buckets.items():
        yield (shard.file, first), (part, b"".join(bucket_keys))


def _unpacked(packed: bytes) -> Iterator[bytes]:
    return (packed[place : place + KEY_BYTES] for place in range(0, len(packed), KEY_BYTES))
