"""Parquet that others wrote: what is small only while it is packed, and what repeats itself honestly."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from allsaid.storage import streams
from allsaid.storage.parquet import MAX_BYTES, batches, check_size
from batch_infer.rows import sources
from batch_infer.rows.inputs import read
from batch_infer.rows.sources import Part
from pipelines.sources.records.tables.rows import Row, TableFault, look, read_table
from schemas.errors import UserError

TIDE = "The tide is high at noon."


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch) -> None:
    """A tenth of the real bound, to make the tests quick."""
    monkeypatch.setattr(streams, "LARGE", streams.LARGE // 10)


def test_decompression_bombs_are_refused(tmp_path: Path, large: None) -> None:
    path = str(tmp_path / "tides.parquet")
    table = pa.table({"goal": ["tide"] * 12_000, "agenda": [["x" * 1000]] * 12_000})
    pq.write_table(table, path, compression="zstd", use_dictionary=False, data_page_size=1 << 30)
    fault = r"\(?its column 'agenda\.list\.element' unpacks to more than 1,000 times its size, which no text does"
    with pytest.raises(TableFault, match=rf"tides\.parquet is no Parquet file that can be read: {fault}"):
        look(path)
    with pytest.raises(UserError, match=rf"tides\.parquet can't be read as Parquet {fault}"):
        sources.find(path, "test", [])


def test_a_column_of_far_more_values_than_bytes_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "LARGE", 500_000)
    pq.write_table(pa.table({"wet": pa.nulls(1 << 20)}), tmp_path / "tides.parquet", max_rows_per_page=1 << 20)
    with pytest.raises(ValueError, match="its column 'wet' unpacks to more than 1,000 times its size"):
        check_size(pq.read_metadata(tmp_path / "tides.parquet"))


def test_a_table_that_repeats_itself_is_honest(tmp_path: Path, large: None) -> None:
    path = str(tmp_path / "tides.parquet")
    pq.write_table(pa.table({"said": pa.repeat(TIDE, 1_000_000)}), path, compression="zstd")
    assert (tmp_path / "tides.parquet").stat().st_size < 10_000
    assert look(path).columns == ["said"]
    with pq.ParquetFile(path) as parquet:
        assert sum(batch.num_rows for batch in batches(parquet)) == 1_000_000


@pytest.fixture
def giants(tmp_path: Path) -> str:
    """100 rows of 2 MB, all by one entry of a dictionary."""
    path = str(tmp_path / "giants.parquet")
    said = pa.DictionaryArray.from_arrays(pa.array([0] * 100, pa.int32()), pa.array(["x" * 2_000_000]))
    table = pa.table({"goal": [f"tide {n}" for n in range(100)], "said": said})
    pq.write_table(table, path, compression="zstd", store_schema=False)
    assert Path(path).stat().st_size < 50_000
    return path


def test_few_rows_of_a_large_dictionary_are_held_at_once(giants: str) -> None:
    with pq.ParquetFile(giants) as parquet:
        assert max(batch.nbytes for batch in batches(parquet)) <= MAX_BYTES
    rows = [row.cells for row in read_table(giants, look(giants)) if isinstance(row, Row) and row.cells]
    assert [row["goal"] for row in rows] == [f"tide {n}" for n in range(100)]


def test_parts_span_batches_and_row_groups(tmp_path: Path) -> None:
    path = str(tmp_path / "tides.parquet")
    table = pa.table({"id": [f"t{n}" for n in range(5000)], "goal": ["tide"] * 5000, "agenda": [["the moon"]] * 5000})
    pq.write_table(table, path, row_group_size=1500)
    source, _ = sources.find(path, "test", [])
    for start, count in ((0, 5000), (0, 1), (999, 3), (1499, 2), (2900, 1700), (4999, 1)):
        found = read(Part(0, path, "tides", start, start + 1, count), source, [], set())
        assert found.carried.column("id").to_pylist() == [f"t{n}" for n in range(start, start + count)]
        assert len(found.rows) == count


def test_reading_a_stream_starts_no_thread(tmp_path: Path) -> None:
    path = tmp_path / "tides.parquet"
    pq.write_table(pa.table({"goal": ["tide"] * 100, "height": range(100)}), path)
    code = """
import os, sys
from allsaid.storage.parquet import batches, open_parquet
before = os.listdir("/proc/self/task")
for read in (lambda parquet: parquet.read(use_threads=False), lambda parquet: list(batches(parquet))):
    with open(sys.argv[1], "rb") as stream, open_parquet(stream) as parquet:
        assert read(parquet)
assert os.listdir("/proc/self/task") == before
"""
    subprocess.run([sys.executable, "-c", code, str(path)], check=True)
