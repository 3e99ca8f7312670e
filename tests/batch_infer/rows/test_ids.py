"""Ids that are in several rows are found, whatever parts the rows are of."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest

from batch_infer.rows import hashes, ids


@pytest.mark.parametrize("shards", [1, 7])
def test_ids_that_stand_twice_are_found_across_parts(shards: int, tmp_path: Path) -> None:
    ends_in_zero = next(n for n in range(1000, 100_000) if ids.id_hash(n).endswith(b"\0"))
    parts = [[f"r{n}" for n in range(300)], ["r7", "x", "x", 7, ends_in_zero], ["y", "7", "r299", ends_in_zero], []]
    paths = [hashes.path_of(str(tmp_path), "ids", block) for block in range(3)]
    records = [ids.records_of(number, part) for number, part in enumerate(parts)]
    for path, block in zip(paths, ([records[2]], records[:2], [records[3]]), strict=True):
        hashes.write(path, str(tmp_path), block, shards)
    found = defaultdict(set)
    for shard in range(shards):
        in_shard = hashes.read(paths, ids.RECORD, shard, shards)
        assert 0 < len(in_shard) < (310 if shards == 1 else 90)
        for number, joined in ids.duplicates(in_shard):
            found[number] |= ids.unpacked([joined])
    doubled = {0: ["r7", "r299"], 1: ["r7", "x", ends_in_zero], 2: ["r299", ends_in_zero]}
    assert found == {number: {*map(ids.id_hash, of_part)} for number, of_part in doubled.items()}, "7 is not the text 7"


def test_no_shard_grows_with_equal_ids() -> None:
    assert len(ids.records_of(3, ["x"] * 500 + ["y"])) == 3
