"""Places of rows are found by hashes in files, whatever the number of files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from batch_infer.rows import hashes, ids
from batch_infer.rows.hashes import NOWHERE

NAMES = [f"r{number}" for number in range(1000)]


@pytest.mark.parametrize(("most", "files"), [(10_000, 1), (600, 2), (300, 4), (70, 4), (1, 512)])
def test_each_row_is_found_at_its_place(most: int, files: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hashes, "ROWS", most)
    zero = next(f"z{n}" for n in range(100_000) if ids.id_hash(f"z{n}").endswith(b"\0"))
    parts = [NAMES[:300], [], [zero, *NAMES[300:301]], NAMES[301:], ["r7"]]
    if most == 1:
        parts = [[name] for name in NAMES[:300]]
    records = [hashes.places(number, [*map(ids.id_hash, names)]) for number, names in enumerate(parts)]
    places = hashes.save("rows", str(tmp_path), iter(records))
    assert len(places.paths) == files
    rows = {name: (part, row) for part, names in reversed([*enumerate(parts)]) for row, name in enumerate(names)}
    wanted = ["unknown", *reversed(rows), "r0", "other"]
    found = places.find(np.array([*map(ids.id_hash, wanted), b""], f"S{hashes.SIZE}"))
    expected = [*map(rows.get, wanted), None]
    numbers, of_part = hashes.part_and_row(found)
    pairs = zip(found.tolist(), numbers.tolist(), of_part.tolist(), strict=True)
    assert [None if place == NOWHERE else (part, row) for place, part, row in pairs] == expected


def test_without_rows_nothing_is_found(tmp_path: Path) -> None:
    places = hashes.save("rows", str(tmp_path), iter(()))
    assert places.find(np.array([ids.id_hash("r1")], f"S{hashes.SIZE}")).tolist() == [NOWHERE]


def test_few_places_are_in_memory_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hashes, "ROWS", 100)
    sorted_at_once: list[int] = []
    in_order = hashes.in_order

    def watched(records: list[np.ndarray]) -> np.ndarray:
        sorted_at_once.append(sum(map(len, records)))
        return in_order(records)

    monkeypatch.setattr(hashes, "in_order", watched)
    parts = [hashes.places(number, [ids.id_hash((number, row)) for row in range(40)]) for number in range(250)]
    places = hashes.save("rows", str(tmp_path), iter(parts))
    assert max(sorted_at_once) < 200
    assert (
        max(Path(path).stat().st_size for path in places.paths) < 8 * (hashes.BUCKETS + 1) + 200 * hashes.PLACE.itemsize
    )
