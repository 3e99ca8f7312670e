"""Cells of Parquet and JSON lines, whose values have types, and the names of their columns."""

from __future__ import annotations

import datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pipelines.source import RecordFault
from pipelines.sources.records.tables.layout import Row, TableFault, cell_text
from pipelines.sources.records.tables.rows import look, read_table

DAY = datetime.datetime(2024, 3, 5)


def cells_of(path: Path, columns: list[str] | None = None) -> list[Any]:
    rows = read_table(str(path), look(str(path)), columns)
    return [row.cells for row in rows if isinstance(row, Row)]


@pytest.mark.parametrize(
    ("value", "kind", "shown"),
    [
        (24.9, pa.float32(), "24.9"), (0.1 + 0.2, pa.float64(), "0.3"), (5.0, pa.float64(), "5"),
        (Decimal("12.50"), pa.decimal128(10, 2), "12.50"), (1e21, pa.float64(), "1000000000000000000000"),
        (DAY, pa.timestamp("us"), "2024-03-05"), (DAY.replace(hour=14), pa.timestamp("ns"), "2024-03-05 14:00"),
        (DAY.date(), pa.date32(), "2024-03-05"), (datetime.time(14, 30), pa.time64("us"), "14:30"),
        (True, pa.bool_(), "yes"), (2**60, pa.int64(), "1152921504606846976"), (None, pa.float32(), ""),
        (float("nan"), pa.float64(), ""), ("Elm", pa.dictionary(pa.int8(), pa.string()), "Elm"),
        (b"Elm", pa.binary(), "Elm"),
    ],
)  # fmt: skip
def test_values_of_parquet_as_text(value: Any, kind: pa.DataType, shown: str, tmp_path: Path) -> None:
    pq.write_table(pa.table({"a": pa.array([value], kind)}), tmp_path / "t.parquet")
    assert cell_text(cells_of(tmp_path / "t.parquet")[0]["a"], "a") == shown


@pytest.mark.parametrize("value", [b"\xff\xfe", {"b": 1}, ["b"]])
def test_what_is_no_text_is_rejected(value: Any, tmp_path: Path) -> None:
    pq.write_table(pa.table({"a": [value]}), tmp_path / "t.parquet")
    with pytest.raises(RecordFault, match="The cell of 'a' holds"):
        cell_text(cells_of(tmp_path / "t.parquet")[0]["a"], "a")


def test_names_are_compared_in_one_unicode_form(tmp_path: Path) -> None:
    pq.write_table(pa.table({"gro\u0308\u00dfe": ["x"], " b ": ["y"]}), tmp_path / "t.parquet")
    (tmp_path / "t.jsonl").write_text('{"gro\u0308\u00dfe": "x", " b ": "y"}\n')
    for path in (tmp_path / "t.parquet", tmp_path / "t.jsonl"):
        assert look(str(path)).columns == ["gr\u00f6\u00dfe", "b"]
        assert cells_of(path) == [{"gr\u00f6\u00dfe": "x", "b": "y"}]
        assert cells_of(path, ["gr\u00f6\u00dfe"])[0]["gr\u00f6\u00dfe"] == "x"


def test_two_columns_of_one_name_are_refused(tmp_path: Path) -> None:
    pq.write_table(pa.table([pa.array(["x"]), pa.array(["y"])], names=["o\u0308", "\u00f6"]), tmp_path / "t.parquet")
    with pytest.raises(TableFault, match="more than once in its header"):
        look(str(tmp_path / "t.parquet"))
