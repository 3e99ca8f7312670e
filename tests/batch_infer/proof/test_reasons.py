"""Rows without a text: reasons that are one, a table of them, and the exit code where they are most rows."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from in_process import allsaid
from tiny_model import save_tiny_model

from batch_infer.proof.reasons import FIRST, SHOWN, Reason, add, general, most_frequent


@pytest.mark.parametrize(
    ("sentence", "columns", "reason"),
    [
        ("Line 1,204 of a7.jsonl is no JSON (char 35).", [], "Line … of a7.jsonl is no JSON (char …)."),
        ("The id 'it's 4' stands in several rows.", [], "The id … stands in several rows."),
        ("The cell of 'size 2' is '8-10', not one number.", ["size 2"], "The cell of 'size 2' is …, not one number."),
        ("Near are 'a', 'b' and 'c d'.", [], "Near are …."),
        ("12.5% of the letters are Latin.", [], "…% of the letters are Latin."),
        ("The row's goal isn't there.", [], "The row's goal isn't there."),
    ],
)
def test_what_a_row_holds_is_no_part_of_the_reason(sentence: str, columns: list[str], reason: str) -> None:
    assert general(sentence, columns) == reason


def test_the_most_frequent_stand_first_and_the_rest_is_one() -> None:
    found: dict[str, Reason] = {}
    for number in range(SHOWN + 2):
        for row in range(number + 1):
            add(found, Reason(f"r{number}", 1, f"of {row}", [f"{number}.{row}"]))
    first, *_, last = most_frequent(found.values())
    assert first == Reason("r21", 22, "of 0", ["21.0", "21.1", "21.2"]) and len(first.first_rows) == FIRST
    assert last == Reason("2 other reasons", 3, "of 0", ["1.0", "1.1"])
    assert sum(one.rows for one in most_frequent(found.values())) == sum(range(SHOWN + 3))


@pytest.mark.parametrize(("more", "exit_code"), [([], 2), (["--limit", "2"], 0), (["--gate", "errors=0.7"], 0)])
def test_mostly_error_rows_exit_with_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], more: list[str], exit_code: int
) -> None:
    good, bad = {"id": "s", "goal": "Salsa", "agenda": ["salt"]}, [{"goal": f"{n}!!", "agenda": ["**"]} for n in "ab"]
    (tmp_path / "a.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in [good, *bad]))
    where = ["--model", str(save_tiny_model(tmp_path)), "--input", str(tmp_path / "a.jsonl")]
    out = tmp_path / "out"
    assert allsaid("generate", *where, "--output", str(out), "--max-tokens", "5", *more) == exit_code
    told = capsys.readouterr()
    assert "Rows without a text" in told.out and "a.jsonl:2" in told.out
    (reason,) = json.loads((out / "summary.json").read_text())["reasons"]
    assert (reason["reason"], reason["rows"]) == (
        "Item … of the agenda, …, names nothing.",
        1 if "--limit" in more else 2,
    )
    assert list((out / "texts").iterdir())
    if exit_code:
        assert "Most often, as in row a.jsonl:2: Item 1 of the agenda, '**', names nothing." in told.err
