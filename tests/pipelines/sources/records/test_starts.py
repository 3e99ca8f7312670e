"""A table is read from any of its rows on as it is read from its beginning."""

from __future__ import annotations

import gzip
from pathlib import Path

import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pipelines.sources.records.tables.layout import END, Row, Start
from pipelines.sources.records.tables.rows import look, read_table

CSV = 'nr,name\n1,"Oak\nold"\n\n2\n3,"Elm\n4,Fir\nnr,name\n5,Yew\n'
LINES = '{"nr": 1}\n\n[]\n{"nr": 2}\n'


def write_tables(folder: Path) -> None:
    texts = {"t.csv": CSV, "named.csv": f"sep=,\n{CSV}", "late.csv": f'"\n{CSV}', "t.jsonl": LINES}
    for name, text in texts.items():
        (folder / name).write_text(text)
    (folder / "wide.csv").write_text(CSV, "utf-16")
    (folder / "mac.csv").write_bytes(CSV.replace("\n", "\r").encode())
    (folder / "t.csv.gz").write_bytes(gzip.compress(CSV.encode()))
    (folder / "cut.csv.gz").write_bytes(gzip.compress(CSV.encode())[:-3])
    table = pa.Table.from_pylist([{"nr": number} for number in range(7)])
    pq.write_table(table, folder / "t.parquet", row_group_size=3)
    book = openpyxl.Workbook()
    for cells in (["nr", "name"], ["1", "Oak"], [], ["2", None], ["3", "Elm"]):
        book.active.append(cells)
    book.active.merge_cells("B2:B4")
    book.save(folder / "t.xlsx")


@pytest.mark.parametrize(
    "name",
    [
        "t.csv",
        "named.csv",
        "late.csv",
        "wide.csv",
        "mac.csv",
        "t.csv.gz",
        "cut.csv.gz",
        "t.jsonl",
        "t.parquet",
        "t.xlsx",
    ],
)
def test_a_table_is_read_from_any_row_on(tmp_path: Path, name: str) -> None:
    write_tables(tmp_path)
    path = str(tmp_path / name)
    layout = look(path)
    rows = list(read_table(path, layout))
    assert len(rows) > 2
    for place, row in enumerate(rows):
        start = Start(row.offset, row.number) if isinstance(row, Row) else END
        assert list(read_table(path, layout, start=start)) == rows[place:]
