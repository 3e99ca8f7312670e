"""Proof of texts in a workbook of Excel, by the sheets of its table and its texts."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import openpyxl
import pyarrow.parquet as pq
import pytest
from batch_tables import read
from in_process import allsaid

HERE = "--direct_running_mode=in_memory"
MAPPING = "id: nr\ngoal: kind\ntext: about\ncolumns: {name: value, weight: {kind: number, unit: kg}}\n"
TABLE = [["nr", "kind", "name", "weight"], [1, "bag", "Alder", 2], [2, "bag", "Birch", 3], [3, "bag", "Cedar", 4]]
TEXTS = [["nr", "about"], *([nr, f"The {name} is a bag of {weight} kg."] for nr, _, name, weight in TABLE[1:])]
DRAFTS = [["nr", "about"], ["draft 1", "Ask Anna."], ["draft 2", "Too late."]]


def book(path: Path, **sheets: Sequence[Sequence[Any]]) -> str:
    made = openpyxl.Workbook()
    made.remove(made.active)
    for name, rows in sheets.items():
        sheet = made.create_sheet(name)
        for row in rows:
            sheet.append(row)
    made.save(path)
    return str(path)


@pytest.fixture
def shop(tmp_path: Path) -> list[str]:
    """The arguments to prove the texts of a workbook whose first sheets are notes and drafts."""
    path = book(tmp_path / "shop.xlsx", Notes=[["to do", "who"]], Drafts=DRAFTS, Goods=TABLE, Texts=TEXTS)
    (tmp_path / "m.yaml").write_text(MAPPING, encoding="utf-8")
    return ["prove", path, "--input", path, "--sheet", "Goods", "--mapping", str(tmp_path / "m.yaml"), HERE]


def said(capsys: pytest.CaptureFixture[str]) -> str:
    return " ".join(capsys.readouterr().err.split())


def test_table_and_texts_are_sheets_of_one_workbook(shop: list[str], tmp_path: Path) -> None:
    assert allsaid(*shop, "--texts-sheet", "Texts", "--output", str(tmp_path / "proof")) == 0
    assert [row["percent_given"] for row in read(tmp_path / "proof")] == [100] * 3


def test_notes_on_a_sheet_of_table_and_texts_are_said_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [["Spring catalogue"], ["nr", "kind", "name", "weight", "about"]]
    rows += [[*row, text[1]] for row, text in zip(TABLE[1:], TEXTS[1:], strict=True)]
    path = book(tmp_path / "shop.xlsx", Goods=rows, Notes=[["to do", "who"]])
    (tmp_path / "m.yaml").write_text(MAPPING, encoding="utf-8")
    given = ("--input", path, "--mapping", str(tmp_path / "m.yaml"), HERE)
    assert allsaid("prove", path, *given, "--output", str(tmp_path / "proof")) == 0
    told = said(capsys)
    assert told.count("1 row of 'Goods' above the names of the columns") == 1
    assert told.count("Choose another with --sheet: Notes.") == told.count("with --texts-sheet: Notes.") == 1


def test_a_sheet_that_holds_no_texts_is_one_sentence(
    shop: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert allsaid(*shop, "--output", str(tmp_path / "proof")) == 1
    assert "This is its sheet 'Notes'; choose another with --texts-sheet: Drafts, Goods, Texts." in said(capsys)
    assert not (tmp_path / "proof").exists()
    assert allsaid(*shop, "--texts-sheet", "Text", "--output", str(tmp_path / "proof")) == 1
    assert "has no sheet 'Text'. Its sheets are: Notes, Drafts, Goods, Texts." in said(capsys)


def test_texts_of_no_row_are_told_once(shop: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert allsaid(*shop, "--texts-sheet", "Drafts", "--output", str(tmp_path / "proof"), "--show") == 2
    shown = capsys.readouterr()
    assert shown.out.count("error: No text of the row was given.") == 1
    told = " ".join(shown.err.split())
    assert "None of the texts can be proven. Most often: No row of the input has the id 'draft 1'." in told
    assert "This is its sheet 'Drafts'; choose another with --texts-sheet: Notes, Goods, Texts." in told
    assert pq.read_table(tmp_path / "proof" / "rejected").num_rows == 2


def test_a_date_of_an_ignored_column_is_true(tmp_path: Path) -> None:
    """The date is a cell of type date, shown by its format; the text of the second row has another day."""
    days = [datetime.datetime(2026, 5, 4 + nr) for nr in range(3)]
    table = [[*TABLE[0], "since"], *([*row, day] for row, day in zip(TABLE[1:], days, strict=True))]
    said = ["4 May 2026", "8 May 2026", "06.05.2026"]
    texts = [TEXTS[0], *([nr, f"{text} New since {day}."] for (nr, text), day in zip(TEXTS[1:], said, strict=True))]
    path = book(tmp_path / "shop.xlsx", Goods=table, Texts=texts)
    (tmp_path / "m.yaml").write_text(MAPPING.replace("{name", "{since: ignored, name"), encoding="utf-8")
    how = ("--input", path, "--mapping", str(tmp_path / "m.yaml"), "--texts-sheet", "Texts", HERE)
    assert allsaid("prove", path, *how, "--output", str(tmp_path / "proof")) == 0
    rows = read(tmp_path / "proof")
    assert [row["percent_given"] for row in rows] == [100] * 3
    assert [row["extra"] for row in rows] == [[], ["8 may 2026"], []]


def test_ticks_on_weak_evidence_are_marked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The first text names the processor whole, the second a part of it, which no other value has."""
    table = [
        ["nr", "kind", "name", "chip"],
        [1, "laptop", "Alder", "Core i7-1360P"],
        [2, "laptop", "Birch", "Core i5-1240P"],
    ]
    texts = [["nr", "about"], [1, "The Alder has a Core i7-1360P."], [2, "The Birch has the i5-1240P."]]
    path = book(tmp_path / "shop.xlsx", Goods=table, Texts=texts)
    (tmp_path / "m.yaml").write_text("id: nr\ngoal: kind\ntext: about\ncolumns: {name: value, chip: value}\n")
    how = ("--input", path, "--mapping", str(tmp_path / "m.yaml"), "--texts-sheet", "Texts", HERE)
    assert allsaid("prove", path, *how, "--output", str(tmp_path / "proof"), "--show") == 0
    shown = [line.strip() for line in capsys.readouterr().out.splitlines()]
    assert "✓ chip=Core i7-1360P" in shown and "✓ chip=Core i5-1240P (weak evidence)" in shown
    assert [row["findings"] for row in read(tmp_path / "proof")] == [[], []]
    assert allsaid("report", str(tmp_path / "proof")) == 0
    page = (tmp_path / "proof" / "report.html").read_text(encoding="utf-8")
    assert page.count("(weak evidence)") == 1 and "chip=Core i5-1240P <em>(weak evidence)</em>" in page
