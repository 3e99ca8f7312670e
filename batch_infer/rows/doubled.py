"""Ids that more than one row has: found by a Beam transform, or in this process when a run is only planned."""

from __future__ import annotations

import pipelines.beam  # noqa: F401  before Beam itself

# isort: split
from collections import defaultdict
from collections.abc import Iterator, Sequence

import apache_beam as beam
from apache_beam.pvalue import PCollection

from batch_infer.rows import hashes, ids
from batch_infer.rows.parts import input_ids
from batch_infer.rows.sources import Part, Source

Block = tuple[int, Sequence[Part]]  # the block's number, and its parts
IDS = "ids"  # first word of the files' names


def blocks_of(parts: Sequence[Part]) -> list[Block]:
    """Return blocks of equally many parts, each with about as many rows as a shard."""
    size = max(1, hashes.ROWS // max(part.rows for part in parts))
    return [(first // size, parts[first : first + size]) for first in range(0, len(parts), size)]


@beam.ptransform_fn
def DuplicateIds(blocks: PCollection, block_count: int, shards: int, source: Source, work: str) -> PCollection:
    """Turn blocks of parts into pairs: a part's number, and the hashes of its ids that several rows have.

    Files of hashes are written to ``work``; only the hashes of duplicates pass between Beam's workers.
    """
    paths = [hashes.path_of(work, IDS, block) for block in range(block_count)]
    return (
        blocks
        | "Each block" >> beam.Reshuffle()
        | "Ids" >> beam.Map(_write, shards, source, work)
        | "Wait for all files" >> beam.combiners.Count.Globally()
        | "Shards" >> beam.FlatMap(lambda _: range(shards))
        | "Each shard" >> beam.Reshuffle()
        | "In several rows" >> beam.FlatMap(_find, paths, shards)
    )


def duplicates_without_beam(parts: Sequence[Part], source: Source, work: str) -> dict[int, set[bytes]]:
    """Return part's number -> hashes of its ids that several rows have, as :data:`DuplicateIds` finds them."""
    blocks, shards = blocks_of(parts), hashes.shards_of(sum(part.rows for part in parts))
    for block in blocks:
        _write(block, shards, source, work)
    paths, found = [hashes.path_of(work, IDS, number) for number, _ in blocks], defaultdict[int, set[bytes]](set)
    for shard in range(shards):
        for number, joined in _find(shard, paths, shards):
            found[number] |= ids.unpacked([joined])
    return found


def _write(block: Block, shards: int, source: Source, work: str) -> None:
    number, parts = block
    records = [ids.records_of(part.number, input_ids(part, source)) for part in parts]
    hashes.write(hashes.path_of(work, IDS, number), work, records, shards)


def _find(shard: int, paths: Sequence[str], shards: int) -> Iterator[tuple[int, bytes]]:
    return ids.duplicates(hashes.read(paths, ids.RECORD, shard, shards))
