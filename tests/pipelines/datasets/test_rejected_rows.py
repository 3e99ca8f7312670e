"""A first run that rejects over a tenth of a table's rows for one reason reports it, and is kept aside."""

from __future__ import annotations

from pathlib import Path

import pytest
from in_process import allsaid

MAPPING = "id: nr\ngoal: sort\ntext: said\ncolumns: {name: value}\n"
GOOD = "nr,sort,name,said\n" + "".join(f"{nr},lamp,Elm {nr},The lamp Elm {nr} is new.\n" for nr in range(18))


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("m.yaml").write_text(MAPPING)
    return Path("t.csv")


def ingest(*more: str) -> int:
    return allsaid("ingest", "records", "--input", "t.csv", "--mapping", "m.yaml", "--output", "data", *more)


def test_many_rows_rejected_for_one_reason(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table.write_text(GOOD + "".join(f"{nr},,Fir {nr},A lamp.\n" for nr in range(90, 93)))
    assert ingest() == 2
    told = " ".join(capsys.readouterr().err.split())
    reason = "3 of 21 records are rejected as no_goal"
    assert f"{reason}, for example in line 20 of t.csv. The cell of 'sort', the goal, is empty." in told
    assert (
        f"{reason}; the gate 'lost' allows 10.0%. If that is right, publish it with --gate lost=1. The run is kep"
        in told
    )
    assert not Path("data/manifest.json").exists()
    assert ingest("--gate", "lost=1") == 0
    assert Path("data/manifest.json").exists()
    assert ingest() == 0, "nothing is to do"
    table.write_text(table.read_text() + "93,,Fir,A lamp.\n")
    assert ingest() == 0, "no row of the last run is missing"


def test_each_reason_is_reported(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table.write_text(GOOD + "90,lamp,Fir\n" * 4 + "".join(f"{nr},lamp,Fir,A lamp,x\n" for nr in range(94, 98)))
    assert ingest() == 2
    told = " ".join(capsys.readouterr().err.split())
    assert "4 of 26 records are rejected as no_text, for example in line 20 of t.csv. The cell of 'said'" in told
    assert "4 of 26 records are rejected as ragged_row, for example in line 24 of t.csv. The row has 5 cells" in told
    assert "4 of 26 records are rejected as ragged_row; the gate 'lost' allows 10.0%." in told


def test_a_longer_table_may_not_lose_a_tenth_for_a_new_reason(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table.write_text(GOOD)
    assert ingest() == 0
    longer = GOOD + "".join(f"{nr},lamp,Elm {nr},The lamp Elm {nr} is new.\n" for nr in range(20, 40))
    table.write_text(longer + "".join(f"{nr},lamp,Fir,A lamp,x\n" for nr in range(90, 97)))
    assert ingest() == 2
    told = " ".join(capsys.readouterr().err.split())
    assert "7 of 45 records are rejected as ragged_row; the gate 'lost' allows 10.0%." in told
    assert ingest("--gate", "lost=1") == 0


def test_rows_without_a_text_yet_break_no_gate(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table.write_text(GOOD + "".join(f"{nr},lamp,Fir\n" for nr in range(90, 93)))
    assert ingest() == 0
    told = " ".join(capsys.readouterr().err.split())
    assert "3 of 21 records are rejected as no_text, for example in line 20 of t.csv. The cell of 'said'" in told


def test_a_tenth_may_be_rejected(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table.write_text(GOOD + "90,lamp,Fir\n91,lamp,Fir\n")
    assert ingest() == 0
    assert "are rejected as" not in capsys.readouterr().err
