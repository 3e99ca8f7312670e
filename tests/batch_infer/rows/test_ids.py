"""Ids that are in several rows are found, whatever parts the rows are of."""

from __future__ import annotations

from collections import defaultdict

from batch_infer.rows import ids


def test_ids_that_stand_twice_are_found_across_parts() -> None:
    ends_in_zero = next(n for n in range(1000, 100_000) if ids.id_hash(n).endswith(b"\0"))
    parts = [[f"r{n}" for n in range(300)], ["r7", "x", "x", 7, ends_in_zero], ["y", "7", "r299", ends_in_zero]]
    shards = defaultdict(list)
    for part in parts:
        for shard, hashes in ids.by_shard(part):
            shards[shard].append(hashes)
    found = {one for shard in shards.items() for one in ids.duplicates(shard)}
    assert found == {ids.id_hash(one) for one in ("r7", "x", "r299", ends_in_zero)}, "the number 7 is not the text"
