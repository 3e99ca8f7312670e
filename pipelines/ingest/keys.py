"""What the shards of a file that was cut must know of those before them: how often their records' keys stand there.

Only keys travel, packed by their first byte: first those of all records, then of records whose key stands in several
shards, which are few, those that count. No worker holds more than a 256th of a file's keys.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import partial

import apache_beam as beam
import numpy as np

from pipelines import sources
from pipelines.ingest.job import Job, Part
from pipelines.source import KEY_BYTES, Counting, Shard

Place = tuple[str, int]  # the file, the first byte of the keys
Packed = tuple[Part, bytes]  # a shard's keys, one behind the other


def has_cuts(job: Job) -> bool:
    """Whether shards must know what stands before them."""
    return isinstance(sources.find(job.source), Counting) and any(map(_is_cut, job.shards))


class KeysBefore(beam.PTransform):
    """Parts -> each with the keys that stand in other shards of its file before, and how often."""

    def __init__(self, job: Job) -> None:
        self.job = job

    def expand(self, parts: beam.PCollection) -> beam.PCollection:
        shared = (
            parts
            | "Keys" >> beam.FlatMap(keys_of, self.job)
            | "Keys by place" >> beam.GroupByKey()
            | "In several shards" >> beam.FlatMapTuple(shared_keys)
            | "Shared keys by part" >> beam.GroupByKey()
        )
        before = (
            shared
            | "Keys that count" >> beam.FlatMapTuple(partial(counting_keys, job=self.job))
            | "Counting keys by place" >> beam.GroupByKey()
            | "Before" >> beam.FlatMapTuple(keys_before)
        )
        return (
            {"part": parts | "Each" >> beam.Map(lambda part: (part, None)), "before": before}
            | "Keys before by part" >> beam.CoGroupByKey()
            | "One count" >> beam.MapTuple(lambda part, found: (part, sum(found["before"], Counter())))
        )


def _is_cut(shard: Shard) -> bool:
    return shard.first > 0 or shard.last is not None


def keys_of(part: Part, job: Job) -> Iterator[tuple[Place, Packed]]:
    """All keys of a shard, each once; none where its file is one shard, or no shard of it is read."""
    shard = job.shards[part]
    read = {one.file for one, earlier in zip(job.shards, job.earlier, strict=True) if earlier is None}
    if _is_cut(shard) and shard.file in read:
        yield from _packed(part, shard, {*_source(job).keys(shard, job.settings, None)})


def shared_keys(_place: Place, found: Iterable[Packed]) -> Iterator[tuple[Part, bytes]]:
    """Of a place's keys those that stand in several shards, for each of these."""
    keys = [(part, np.frombuffer(packed, "<u8")) for part, packed in found]
    every, times = np.unique(np.concatenate([own for _, own in keys]), return_counts=True)
    for part, own in keys:
        both = np.intersect1d(own, every[times > 1], assume_unique=True)
        if len(both):
            yield part, both.tobytes()


def counting_keys(part: Part, shared: Iterable[bytes], job: Job) -> Iterator[tuple[Place, Packed]]:
    """Of a shard's keys that stand in others, too, those of records that count, as often as they do."""
    shard, among = job.shards[part], frozenset(key for packed in shared for key in _unpacked(packed))
    yield from _packed(part, shard, _source(job).keys(shard, job.settings, among))


def keys_before(_place: Place, found: Iterable[Packed]) -> Iterator[tuple[Part, Counter[bytes]]]:
    """Of each shard's keys those that stand in the shards before, and how often."""
    seen: Counter[bytes] = Counter()
    for part, packed in sorted(found):
        own = Counter(_unpacked(packed))
        yield part, Counter({key: seen[key] for key in own if key in seen})
        seen.update(own)


def _source(job: Job) -> Counting:
    source = sources.find(job.source)
    assert isinstance(source, Counting)
    return source


def _packed(part: Part, shard: Shard, keys: Iterable[bytes]) -> Iterator[tuple[Place, Packed]]:
    places: dict[int, list[bytes]] = {}
    for key in keys:
        places.setdefault(key[0], []).append(key)
    for first, own in places.items():
        yield (shard.file, first), (part, b"".join(own))


def _unpacked(packed: bytes) -> Iterator[bytes]:
    return (packed[place : place + KEY_BYTES] for place in range(0, len(packed), KEY_BYTES))
