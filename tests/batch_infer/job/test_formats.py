"""The texts of a run as one file of another format: every row in order, and no cell that is a formula."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping
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
JUDGED = {
    "error": None,
    "certified": True,
    "missing": [],
    "extra": [],
    "unattested": [],
    "unfitted": [],
    "findings": [],
}
LOOK = {"grade": "look at it", "passage": "a free mug", "kind": "an offer"}
MISSING = {"grade": "missing", "passage": "", "kind": "not stated"}
ROWS: list[dict[str, Any]] = [
    {"id": "a"},
    {"id": "b", "certified": False, "missing": ["colour=red"], "extra": ["3 kg"], "unattested": ["So it is"]},
    {"id": "c", "certified": None},
    {"id": "d", "certified": None, "findings": [LOOK]},
    {"id": "e", "certified": None, "missing": ["colour=red"], "findings": [MISSING]},
    {"id": "f", "unfitted": ["require=free returns"]},
    {"id": "g", "certified": None, "error": "No text has this id."},
    {"id": "h", "certified": False},
]


def save(folder: Path, rows: list[dict[str, Any]]) -> str:
    (folder / "texts").mkdir()
    table = pa.Table.from_pylist([{"goal": "mug", "text": "Red.", **JUDGED, **row} for row in rows])
    pq.write_table(table, folder / "texts" / "part-00000.parquet")
    return str(folder)


@pytest.fixture
def output(tmp_path: Path) -> str:
    found = {"used": ["a", "ü"], "log_probability": -1.5, "ok": True, "none": None}
    return save(tmp_path, [{"id": f"={number}", "text": text, **found} for number, text in enumerate(TEXTS)])


def rows_of(path: str | Path) -> list[dict[str, str]]:
    with Path(path).open(encoding="utf-8-sig", newline="") as file:
        return [*csv.DictReader(file)]


def test_a_csv_is_harmless(output: str) -> None:
    (path,) = formats.write(output, ["csv"])
    rows = rows_of(path)
    assert Path(path).name == "texts.csv"
    assert [row["text"] for row in rows] == [f"'{text}" for text in TEXTS[:6]] + TEXTS[6:]
    assert list(rows[3].items())[:5] == [
        ("id", "'=3"), ("text", "'@SUM(1)"), ("proof", "certified"), ("reason", ""), ("goal", "mug"),
    ]  # fmt: skip
    assert (rows[3]["used"], rows[3]["log_probability"], rows[3]["ok"], rows[3]["none"]) == (
        '["a", "ü"]', "-1.5", "True", "",
    )  # fmt: skip


def test_a_workbook_holds_texts_and_numbers(output: str) -> None:
    (path,) = formats.write(output, ["xlsx"])
    header, *rows = openpyxl.load_workbook(path)["texts"].iter_rows()
    titles = [cell.value for cell in header]
    assert titles[:5] == ["id", "text", "proof", "reason", "goal"]
    assert [row[0].value for row in rows] == [f"'={number}" for number in range(8)]
    assert {cell.data_type for row in rows for cell in row} == {"s", "inlineStr", "n", "b"}  # no "f"
    assert (rows[0][1].value, rows[0][titles.index("log_probability")].value) == (f"'{TEXTS[0]}", -1.5)


def test_json_lines_are_as_they_are(output: str) -> None:
    (path,) = formats.write(output, ["jsonl"])
    rows: list[Any] = [json.loads(line) for line in Path(path).read_text().splitlines()]
    assert [row["text"] for row in rows] == TEXTS
    assert rows[0]["used"] == ["a", "ü"]
    assert rows[0].keys() == pq.read_table(Path(output) / "texts").to_pylist()[0].keys()


def test_ids_and_texts_have_the_tables_own_names(tmp_path: Path) -> None:
    output = save(tmp_path, [{"id": "a"}])
    formats.write(output, ["csv", "jsonl", "xlsx"], "sku", "Description")
    assert (tmp_path / "texts.csv").read_text("utf-8-sig").startswith("sku,Description,proof,reason,goal,")
    assert json.loads((tmp_path / "texts.jsonl").read_text())["Description"] == "Red."
    sheet = openpyxl.load_workbook(tmp_path / "texts.xlsx")["texts"]
    assert (sheet["A1"].value, sheet["B1"].value) == ("sku", "Description")
    path = tmp_path / "texts" / "part-00000.parquet"
    pq.write_table(pq.read_table(path).append_column("sku", [["a"]]), path)  # --keep sku
    formats.write(output, ["csv"], "sku")
    assert (tmp_path / "texts.csv").read_text("utf-8-sig").startswith("id,text,proof,reason,goal,")


def test_only_certified_texts_are_published(tmp_path: Path) -> None:
    """Without a certificate, as in a proof without a model, texts without a finding are published."""
    output = save(tmp_path, ROWS)
    paths = formats.write(output, ["csv"], publish=formats.CERTIFIED)
    assert [Path(path).name for path in paths] == ["texts.csv", "texts-kept-aside.csv"]
    published, aside = map(rows_of, paths)
    assert [row["id"] for row in published] == ["a", "c"]
    assert {row["id"]: (row["proof"], row["reason"]) for row in aside} == {
        "b": ("not certified", "missing: colour=red; extra: 3 kg; unknown wording: So it is"),
        "d": ("finding", "look at it: a free mug (an offer)"),
        "e": ("finding", "missing: colour=red"),
        "f": ("certified", "not met: require=free returns"),
        "g": ("no text", "No text has this id."),
        "h": ("not certified", "a word or a value is stated twice, or a value is in no known wording"),
    }
    counts: Mapping[bool, int] = formats.count(output)
    assert (counts[True], counts[False]) == (2, 6)
    assert [Path(path).name for path in formats.write(output, ["csv"])] == ["texts.csv"]
    assert len(rows_of(paths[0])) == 8 and not Path(paths[1]).exists()


def test_a_choice_of_texts_needs_a_file_for_them() -> None:
    with pytest.raises(UserError, match=r"--publish certified chooses the texts of one file\. Add --format csv, jsonl"):
        formats.check("parquet", formats.CERTIFIED)
    with pytest.raises(UserError, match=r"--publish some: the valid ones are all and certified\."):
        formats.check("csv", "some")


def test_formats_are_named_by_their_endings(model: Path, tmp_path: Path) -> None:
    assert formats.check("parquet") == ()
    assert formats.check("parquet, CSV,csv,jsonl") == ("csv", "jsonl")
    with pytest.raises(UserError, match=r"--format xls: the valid ones are parquet, csv, jsonl, xlsx\."):
        formats.check("parquet,xls")
    given = write_lines(tmp_path / "a.jsonl", [{"id": "=a", "goal": "Salsa", "agenda": ["salt"]}])
    request = GenerateOptions(str(model), str(given), str(tmp_path / "out"), width=1, max_tokens=3, format="csv")
    for _ in range(2):  # the finished run is made again in the same folder
        generate.run(request)
        assert rows_of(tmp_path / "out" / "texts.csv")[0]["id"] == "'=a"
