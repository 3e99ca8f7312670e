"""Large tables are surveyed by workers, shard by shard, with the rows that reading from the beginning gives."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import yaml

from batch_infer.rows import inputs, sources
from batch_infer.rows.kinds import places
from batch_infer.rows.sources import Source, SourceFile
from batch_infer.rows.survey import survey
from pipelines.ingest.runner import pipeline_options
from pipelines.sources import cuts
from schemas.errors import UserError

MAPPING = yaml.safe_dump({"goal": "sort", "text": "said", "columns": {"size": "value"}})
ROWS = [{"sort": "shelf", "size": f"{number} m"} for number in range(97)]
SIZES = {  # for every third row: cells over several lines, and a row that is none
    "quoted.csv": lambda size: f'"{size}\n\n{size}"',
    "ragged.csv": lambda size: f"{size},{size}",
    "stray.csv": lambda size: f'"{size}',
}


def write(path: Path) -> Path:
    if path.suffix == ".parquet":
        pq.write_table(pa.Table.from_pylist(ROWS), path, row_group_size=8, compression="none", use_dictionary=False)
    elif path.suffix == ".jsonl":
        path.write_text("\n\n".join(map(json.dumps, ROWS)) + "\n")
    else:
        lines = [
            f"{row['sort']},"
            + (SIZES[path.name](row["size"]) if place % 3 == 0 else row["size"])
            + "\n" * (1 + place % 2)
            for place, row in enumerate(ROWS)
        ]
        path.write_text("\n\nsort,size\n" + "".join(lines))
    return path


def damage(path: Path) -> None:
    """Break a row of a text and cut its end off; break one of the row groups of a Parquet file."""
    content = bytearray(path.read_bytes())
    if path.suffix == ".parquet":
        page = pq.read_metadata(path).row_group(5).column(1).data_page_offset
        content[page : page + 4] = b"\xff" * 4
        path.write_bytes(content)
    else:
        path.write_bytes(content.replace(b"40 m", b"\xff\xfe\xff\xff", 1)[:-300])


def rows_of(source: Source, file: SourceFile, rows_per_part: int) -> list[tuple[str, list[str], str | None]]:
    """The rows of all parts: their names, which have the line's number, agendas and faults."""
    parts = [inputs.read(part, source, [], ()) for part in sources.cut([file], rows_per_part, None, rows_per_part)]
    assert sum(part.part.rows for part in parts) == file.rows
    return [
        (name, row.agenda, row.error)
        for part in parts
        for name, row in zip(part.carried["id"].to_pylist(), part.rows, strict=True)
    ]


@pytest.mark.parametrize("most", [8, 1 << 16])
@pytest.mark.parametrize("is_damaged", [False, True])
@pytest.mark.parametrize("name", [*SIZES, "t.jsonl", "t.parquet"])
def test_shards_have_the_rows_of_the_whole_table(
    name: str, is_damaged: bool, most: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(tmp_path / name)
    if is_damaged:
        damage(path)
    source, (whole,) = sources.find(str(path), "test", [], MAPPING, encoding="utf-8")
    assert whole.rows >= 60
    monkeypatch.setattr(cuts, "SHARD_BYTES", 150)
    monkeypatch.setattr(places, "MOST", most)
    _, found = sources.find(str(path), "test", [], MAPPING, encoding="utf-8")
    assert [(file.rows, file.places) for file in found] == [(0, None)]
    (file,) = survey(found, pipeline_options(()), str(tmp_path / "work"))
    assert len([*(tmp_path / "work").glob("survey-0-*.json")]) > 4
    assert file.places is not None and len(file.places.kept()) <= max(most, 2 * 97)
    assert file.rows == whole.rows
    expected = rows_of(source, whole, 10)
    assert [rows_of(source, file, rows) for rows in (1, 7, 100)] == 3 * [expected]


def test_a_large_table_without_rows_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "t.csv").write_text("sort,size\n" + "\n" * 200)
    monkeypatch.setattr(cuts, "SHARD_BYTES", 50)
    _, found = sources.find(str(tmp_path / "t.csv"), "test", [], MAPPING)
    with pytest.raises(UserError, match=r"t\.csv has no row"):
        survey(found, pipeline_options(()), str(tmp_path / "work"))
