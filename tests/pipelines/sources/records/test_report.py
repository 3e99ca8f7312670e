"""What a run says of a table's columns."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import yaml
from in_process import allsaid

from pipelines.sources.records.tables.rows import place_of

MAPPING = {
    "goal": "kind",
    "text": "about",
    "columns": {"name": "value", "height": {"kind": "number", "unit": "m"}, "open": "yes/no", "made of": "list"},
}
ROWS = [
    {"kind": "tower", "name": "Old Beacon", "height": "31", "open": "yes", "made of": "brick, oak",
     "about": "Old Beacon is 31 m high and made of oak."},
    {"kind": "tower", "name": "Grey Watch", "height": "8-10 m", "open": "in summer", "made of": "",
     "about": "Grey Watch is open in summer."},
    {"kind": "mill", "name": "Low Mill", "height": "n/a", "open": "no", "made of": "oak", "about": "A mill of oak."},
]  # fmt: skip


def test_the_columns_stand_in_the_table_and_in_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "towers.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    (tmp_path / "towers.yaml").write_text(yaml.safe_dump(MAPPING))
    given = ["--input", str(tmp_path / "towers.jsonl"), "--mapping", str(tmp_path / "towers.yaml")]
    assert allsaid("ingest", "records", *given, "--output", str(tmp_path / "data")) == 0
    found = capsys.readouterr()
    told = " ".join(found.out.replace("│", " ").split())
    assert "column height 2 filled, 1 found in texts (50%)" in told
    assert "column made of 3 filled, 2 found in texts (67%)" in told
    assert "column open 3 filled, 1 found in texts (33%)" in told
    said = " ".join(found.err.split())
    assert f"1 of 2 cells of 'height' is not a single number; read as words: '8-10 m' in line 2 of {tmp_path}" in said
    assert "1 of 3 cells of 'open' is neither yes nor no; read as words: 'in summer' in line 2 of" in said
    assert "never found" not in said


def test_a_row_is_placed_by_its_line_or_number(tmp_path: Path) -> None:
    text = b"a,b\n1,2\n3,4\n"
    (tmp_path / "t.csv").write_bytes(text)
    (tmp_path / "t.csv.gz").write_bytes(gzip.compress(text))
    pq.write_table(pa.table({"a": [1, 2]}), tmp_path / "t.parquet")
    for name in ("t.csv", "t.csv.gz"):
        assert place_of(str(tmp_path / name), 8) == f"line 3 of {tmp_path / name}"
        assert place_of(str(tmp_path / name), 0) == f"line 1 of {tmp_path / name}"
    assert place_of(str(tmp_path / "t.parquet"), 1) == f"row 2 of {tmp_path / 't.parquet'}"
    (tmp_path / "mac.csv").write_bytes(text.replace(b"\n", b"\r"))
    assert place_of(str(tmp_path / "mac.csv"), 8) == f"line 3 of {tmp_path / 'mac.csv'}"
    (tmp_path / "dos.csv").write_bytes(text.replace(b"\n", b"\r\n"))
    assert place_of(str(tmp_path / "dos.csv"), 10) == f"line 3 of {tmp_path / 'dos.csv'}"
    (tmp_path / "wide.csv").write_bytes(text.decode().encode("utf-16"))
    assert place_of(str(tmp_path / "wide.csv"), 18) == f"line 3 of {tmp_path / 'wide.csv'}"
