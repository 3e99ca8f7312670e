"""The texts of a run as one file of another format: every row in order, and no cell that is a formula."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from batch_tables import write_lines

from batch_infer.job import formats, generate
from batch_infer.options.generate import GenerateOptions
from schemas.errors import UserError

TEXTS = ['=HYPERLINK("http://x")', "+1", "-cmd|x", "@SUM(1)", "\tx", "\rx", 'Zwölf = 12\n"ja", nein', ""]


@pytest.fixture
def output(tmp_path: Path) -> str:
    rows = [
        {"sku": f"={number}", "text": text, "used": ["a", "ü"], "log_probability": -1.5, "ok": True, "none": None}
        for number, text in enumerate(TEXTS)
    ]
    (tmp_path / "texts").mkdir()
    for part in range(2):
        pq.write_table(pa.Table.from_pylist(rows[4 * part :][:4]), tmp_path / "texts" / f"part-{part:05}.parquet")
    return str(tmp_path)


def test_a_csv_is_harmless(output: str) -> None:
    (path,) = formats.write(output, ["csv"])
    with Path(path).open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert Path(path).name == "texts.csv"
    assert [row["text"] for row in rows] == [f"'{text}" for text in TEXTS[:6]] + TEXTS[6:]
    assert rows[3] == {
        "sku": "'=3", "text": "'@SUM(1)", "used": '["a", "ü"]', "log_probability": "-1.5", "ok": "True", "none": "",
    }  # fmt: skip


def test_a_workbook_holds_texts_and_numbers(output: str) -> None:
    (path,) = formats.write(output, ["xlsx"])
    header, *rows = openpyxl.load_workbook(path)["texts"].iter_rows()
    assert [cell.value for cell in header] == ["sku", "text", "used", "log_probability", "ok", "none"]
    assert [row[0].value for row in rows] == [f"'={number}" for number in range(8)]
    assert {cell.data_type for row in rows for cell in row} == {"s", "inlineStr", "n", "b"}  # no "f"
    assert (rows[0][1].value, rows[0][3].value) == (f"'{TEXTS[0]}", -1.5)


def test_json_lines_are_as_they_are(output: str) -> None:
    (path,) = formats.write(output, ["jsonl"])
    rows: list[Any] = [json.loads(line) for line in Path(path).read_text().splitlines()]
    assert [row["text"] for row in rows] == TEXTS
    assert rows[0]["used"] == ["a", "ü"]


def test_ids_stand_under_the_tables_own_name(tmp_path: Path) -> None:
    (tmp_path / "texts").mkdir()
    table = pa.table({"id": ["a"], "text": ["Red."]})
    pq.write_table(table, tmp_path / "texts" / "part-00000.parquet")
    formats.write(str(tmp_path), ["csv", "jsonl", "xlsx"], "sku")
    assert (tmp_path / "texts.csv").read_text("utf-8-sig").splitlines() == ["sku,text", "a,Red."]
    assert json.loads((tmp_path / "texts.jsonl").read_text()) == {"sku": "a", "text": "Red."}
    assert openpyxl.load_workbook(tmp_path / "texts.xlsx")["texts"]["A1"].value == "sku"
    pq.write_table(table.append_column("sku", [["a"]]), tmp_path / "texts" / "part-00000.parquet")  # --keep sku
    formats.write(str(tmp_path), ["csv"], "sku")
    assert (tmp_path / "texts.csv").read_text("utf-8-sig").splitlines()[0] == "id,text,sku"


def test_formats_are_named_by_their_endings(model: Path, tmp_path: Path) -> None:
    assert formats.check("parquet") == ()
    assert formats.check("parquet, CSV,csv,jsonl") == ("csv", "jsonl")
    with pytest.raises(UserError, match=r"--format xls: the valid ones are parquet, csv, jsonl, xlsx\."):
        formats.check("parquet,xls")
    given = write_lines(tmp_path / "a.jsonl", [{"id": "=a", "goal": "Salsa", "agenda": ["salt"]}])
    request = GenerateOptions(str(model), str(given), str(tmp_path / "out"), width=1, max_tokens=3, format="csv")
    for _ in range(2):  # the finished run is made again in the same folder
        generate.run(request)
        assert (tmp_path / "out" / "texts.csv").read_text("utf-8-sig").splitlines()[1].startswith("'=a,Salsa,")
