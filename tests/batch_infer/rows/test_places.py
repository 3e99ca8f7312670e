"""Parts of large files begin at places that are kept of every n-th row only."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import yaml

from batch_infer.rows import inputs, sources
from batch_infer.rows.kinds import places

MAPPING = yaml.safe_dump({"goal": "sort", "text": "said", "columns": {"size": "value"}})
ROWS = [{"sort": "shelf", "size": f"{number} m"} for number in range(37)]


def sizes(path: Path, mapping: str, rows_per_part: int) -> tuple[list[str], list[str | None]]:
    """The agendas of all parts, and their faults."""
    source, (file,) = sources.find(str(path), "test", [], mapping)
    assert file.places is not None
    parts = [inputs.read(part, source, [], ()) for part in sources.cut([file], rows_per_part, None, rows_per_part)]
    rows = [row for part in parts for row in part.rows]
    assert sum(part.carried.num_rows for part in parts) == len(rows)
    names = [name for part in parts for name in part.carried["id"].to_pylist()]
    return [f"{name} {' '.join(row.agenda)}" for name, row in zip(names, rows, strict=True)], [
        one.error for one in rows
    ]


@pytest.mark.parametrize("most", [2, 6, 36, 38])
@pytest.mark.parametrize("name", ["t.csv", "t.jsonl", "t.parquet", "raw.jsonl", "cut.csv.gz"])
def test_a_part_has_the_same_rows_however_few_places_are_kept(
    name: str, most: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cells = "".join(f'{row["sort"]},"{row["size"]}"\n' + "\n" * (place % 3) for place, row in enumerate(ROWS))
    (tmp_path / "t.csv").write_text(f"sort,size\n{cells}")
    (tmp_path / "cut.csv.gz").write_bytes(gzip.compress(f"sort,size\n{cells}".encode())[:-9])
    (tmp_path / "t.jsonl").write_text("\n\n".join(map(json.dumps, ROWS)))
    agendas = [{"goal": row["sort"], "agenda": [row["size"]]} for row in ROWS]
    (tmp_path / "raw.jsonl").write_text("\n\n".join(map(json.dumps, agendas)))
    pq.write_table(pa.Table.from_pylist(ROWS), tmp_path / "t.parquet", row_group_size=8)
    mapping = "" if name == "raw.jsonl" else MAPPING
    whole = sizes(tmp_path / name, mapping, 100)
    assert len({*whole[0]}) >= 37
    monkeypatch.setattr(places, "MOST", most)
    assert [sizes(tmp_path / name, mapping, rows) for rows in (1, 3, 4)] == 3 * [whole]


def test_places_do_not_grow_with_the_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(places, "MOST", 4)
    kept = places.Places()
    for row in range(1001):
        kept.add(10 * row, row + 1)
    assert kept.rows == 1001
    for row in (0, 1, 255, 256, 257, 999, 1000):
        offset, number, skipped = kept.before(row)
        assert (offset // 10 + skipped, number + skipped) == (row, row + 1)
    assert {kept.before(row)[0] for row in range(1001)} == {0, 2560, 5120, 7680}
