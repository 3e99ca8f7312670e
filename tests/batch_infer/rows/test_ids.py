"""Ids that are in several rows are found, whatever parts the rows are of."""

from __future__ import annotations

from collections import defaultdict

import pytest

from batch_infer.rows import ids


@pytest.mark.parametrize("shards", [1, 7])
def test_ids_that_stand_twice_are_found_across_parts(shards: int) -> None:
    ends_in_zero = next(n for n in range(1000, 100_000) if ids.id_hash(n).endswith(b"\0"))
    parts = [[f"r{n}" for n in range(300)], ["r7", "x", "x", 7, ends_in_zero], ["y", "7", "r299", ends_in_zero], []]
    grouped = defaultdict(list)
    for number, part in enumerate(parts):
        for shard, hashes in ids.by_shard(ids.hashes_of(part), shards):
            grouped[shard].append((number, hashes))
    assert len(grouped) == shards
    found = defaultdict(set)
    for shard, of_shard in grouped.items():
        for number, hashes in ids.duplicates(shard, of_shard):
            found[number] |= ids.unpacked([hashes])
    doubled = {0: ["r7", "r299"], 1: ["r7", "x", ends_in_zero], 2: ["r299", ends_in_zero]}
    assert found == {number: {*map(ids.id_hash, of_part)} for number, of_part in doubled.items()}, "7 is not the text 7"


def test_no_shard_grows_with_equal_ids() -> None:
    ((_, hashes),) = ids.by_shard(ids.hashes_of(["x"] * 500 + ["y"]), 1)
    assert len(hashes) == 3 * ids.SIZE
