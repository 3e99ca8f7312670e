"""Proof of texts by another author: those of a table, with and without a model."""

from __future__ import annotations

import csv
import json
import re
import shlex
from pathlib import Path

import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from batch_tables import read
from in_process import allsaid
from small_proof import GOOD, HERE, MAPPING, ROWS, options, write

from allsaid.proof import findings
from batch_infer.job import preview, prove
from batch_infer.proof import summary
from schemas.errors import UserError
from schemas.texts.finding import WRONG

SAMPLES = Path(__file__).parents[4] / "samples"


def test_right_texts_state_all_of_their_rows(shop: Path) -> None:
    found = prove.run(options(shop))
    assert (found.texts, found.submitted_texts, found.rejected_texts, found.percent_given) == (3, 3, 0, 100)
    rows = read(shop / "proof")
    assert [(row["missing"], row["extra"], row["origin"]) for row in rows] == [([], [], "submitted")] * 3
    assert [row["text"] for row in rows] == [row["about"] for row in GOOD]


def test_what_a_text_omits_and_adds_is_reported(shop: Path) -> None:
    wrong = {"nr": "1", "about": "The Alder is a red bag of 5 kg. It is not washable."}
    write(shop / "texts.csv", [wrong, *GOOD[1:]])
    prove.run(options(shop))
    row = read(shop / "proof")[0]
    assert row["missing"] == ["colour=blue", "weight=2 kg", "washable=yes"]
    assert row["extra"] == ["colour=red", "5 kg", "washable=no"]


def test_the_opposite_of_an_answer_is_wrong_in_any_table(shop: Path) -> None:
    """All rows have the same answer, or none, so that the table alone shows no opposite."""
    write(shop / "table.csv", [row | {"washable": "yes", "for_children": "no", "vegan": ""} for row in ROWS])
    (shop / "mapping.yaml").write_text(MAPPING + "  for_children: yes/no\n  vegan: yes/no\n", encoding="utf-8")
    wrong = "The Alder is a blue bag of 2 kg. It is not washable. Great for kids. It is vegan."
    write(shop / "texts.csv", [{"nr": "1", "about": wrong}, *GOOD[1:]])
    prove.run(options(shop))
    row = read(shop / "proof")[0]
    assert row["extra"] == ["washable=no", "for_children=yes", "vegan=yes"]
    grades = {(finding["line"], finding["grade"], finding["kind"]) for finding in row["findings"]}
    assert {("washable=no", WRONG, findings.OPPOSITE), ("for_children=yes", WRONG, findings.OPPOSITE)} <= grades


def test_show_prints_all_texts_with_findings_first(
    shop: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    birch, cedar = "The Birch is a red bag of 9 kg.", "The Cedar is green."
    wrong = [{"nr": "2", "about": birch}, {"nr": "3", "about": cedar}]
    write(shop / "texts.csv", [GOOD[0], *wrong])
    monkeypatch.setattr(preview, "SHOWN", 1)
    prove.run(options(shop, show=True))
    printed = capsys.readouterr().out
    assert printed.index(birch) < printed.index(cedar)
    assert GOOD[0]["about"] not in printed
    assert "Printed: all texts with a finding (2), and 0 of the 1 others." in printed
    assert allsaid("report", str(shop / "proof")) == 0
    counts = "3 texts, 2 flagged (worst finding: 1 wrong, 1 missing). Most findings: weight 3, washable 1."
    assert counts in capsys.readouterr().err


def test_a_name_may_be_left_out_but_must_be_right(shop: Path) -> None:
    mapping = (
        (shop / "mapping.yaml")
        .read_text(encoding="utf-8")
        .replace("name: value", "name: {kind: value, may_omit: true}")
    )
    (shop / "mapping.yaml").write_text(mapping, encoding="utf-8")
    texts = ("A blue bag of 2 kg. It is washable.", "The Alder, a bag, weighs 3 kg. It is red, and not washable.")
    right = {"nr": "3", "about": "Cedar is a green tent. It weighs 4 kg."}
    write(shop / "texts.csv", [*({"nr": str(number), "about": text} for number, text in enumerate(texts, 1)), right])
    prove.run(options(shop))
    assert [(row["percent_given"], row["extra"]) for row in read(shop / "proof")] == [
        (100, []),
        (100, ["name=alder"]),
        (100, []),
    ]
    assert "name=Alder" not in read(shop / "proof")[0]["agenda"]


def test_the_report_of_a_proof_begins_with_its_faults(shop: Path) -> None:
    wrong = {"nr": "2", "about": "The Birch is a red bag of 9 kg. It is not washable."}
    write(shop / "texts.csv", [GOOD[0], wrong, GOOD[2]])
    prove.run(options(shop))
    assert allsaid("report", str(shop / "proof")) == 0
    page = (shop / "proof" / "report.html").read_text(encoding="utf-8")
    assert "<h1>1 of 3 texts needs a look</h1>" in page
    tiles = re.findall(r'class="value">([^<]*)</span><span class="label">([^<]*)', page)
    assert tiles[:3] == [("2", "texts without a finding"), ("1", "wrong statements"), ("1", "missing values")]
    assert re.findall("<h2>(.*?)</h2>", page) == ["Findings", "Worst texts", "Best texts", "Means", "Spread"]
    assert page.count("9 kg</span>") == 1  # once in the card, not as a finding and as an extra item


@pytest.mark.parametrize("kind", ["jsonl", "xlsx", "parquet"])
def test_texts_in_any_format_have_the_same_proof(shop: Path, kind: str) -> None:
    path = shop / f"texts.{kind}"
    if kind == "jsonl":
        path.write_text("".join(json.dumps({"id": int(row["nr"]), "text": row["about"]}) + "\n" for row in GOOD))
    elif kind == "xlsx":
        book = openpyxl.Workbook()
        for row in [{"nr": "nr", "about": "about"}, *GOOD]:
            book.active.append([int(row["nr"]) if row["nr"].isdigit() else row["nr"], row["about"]])
        book.save(path)
    else:
        pq.write_table(pa.Table.from_pylist(list(GOOD)), path)
    prove.run(options(shop))
    prove.run(options(shop, path.name, "other"))
    assert read(shop / "other") == read(shop / "proof")


def test_requirements_that_a_text_does_not_meet_are_reported(shop: Path) -> None:
    (shop / "require.yaml").write_text("all: [weighs]\nBag: It is washable\n", encoding="utf-8")
    found = prove.run(options(shop, require=str(shop / "require.yaml"), max_characters=50))
    rows = read(shop / "proof")
    assert [row["unfitted"] for row in rows] == [
        ["require=weighs"],
        ["require=It is washable", "max_characters=50"],
        [],
    ]
    assert rows[1]["unfitted_why"] == ["required", "too long"] and found.unfitted_items == 3


def test_the_same_command_does_nothing_a_second_time(shop: Path) -> None:
    prove.run(options(shop))
    before = {path: path.stat().st_mtime_ns for path in (shop / "proof" / "texts").iterdir()}
    prove.run(options(shop))
    assert {path: path.stat().st_mtime_ns for path in (shop / "proof" / "texts").iterdir()} == before
    write(shop / "texts.csv", GOOD[:2])
    with pytest.raises(UserError, match=r"texts of a run that differs in submitted_fingerprint"):
        prove.run(options(shop))


def test_files_are_the_same_for_any_order_of_texts(shop: Path) -> None:
    """Also of files with few rows each."""
    rows = [{**ROWS[number % 3], "nr": str(number)} for number in range(450)]
    texts = [{**GOOD[number % 3], "nr": str(number)} for number in range(450)]
    write(shop / "table.csv", rows)
    write(shop / "texts.csv", texts)
    write(shop / "other.csv", texts[::-1])
    prove.run(options(shop))
    prove.run(options(shop, "other.csv", "other"))
    parts = sorted(path.name for path in (shop / "proof" / "texts").iterdir())
    assert len(parts) == 3 and read(shop / "proof") == read(shop / "other")


def test_a_night_publishes_the_texts_without_a_finding(shop: Path) -> None:
    """Of three rows, one text is right, one is wrong, and one is missing."""
    write(
        shop / "texts.csv", [GOOD[0], {"nr": "2", "about": "The Birch, a bag, weighs 9 kg. It is red, not washable."}]
    )
    asked = {name: str(shop / path) for name, path in (("texts", "texts.csv"), ("input", "table.csv"))}
    asked |= {"mapping": str(shop / "mapping.yaml"), "output": str(shop / "night"), "format": "csv"}
    current, runs = shop / "night" / "current", set[Path]()
    for publish, rows, count in (("certified", ["1"], 1), ("certified", ["1"], 1), ("all", ["1", "2", "3"], 2)):
        (shop / "night.yaml").write_text(json.dumps({"prove": {**asked, "publish": publish}}), encoding="utf-8")
        assert allsaid("nightly", str(shop / "night.yaml"), HERE) == 0
        runs.add(current.resolve())
        assert len(runs) == count  # a run with the same settings does nothing
        with (current / "texts.csv").open(encoding="utf-8-sig", newline="") as file:
            table = csv.DictReader(file)
            assert [row["nr"] for row in table] == rows
            assert [*(table.fieldnames or ())][:4] == ["nr", "about", "proof", "reason"]  # as in the shop's table
        found = summary.read(str(current))
        counts = (1, 2) if publish == "certified" else (None, None)
        assert (found.published, found.kept_aside, found.texts + found.errors) == (*counts, 3)
        assert (current / "texts-kept-aside.csv").exists() == (publish == "certified")


def test_an_ingredient_in_lower_case_is_extra_and_no_name_is(shop: Path) -> None:
    """Blue is in the text of a row whose values begin with capitals; cedar is the wood, and no Cedar."""
    write(shop / "table.csv", [{**row, "colour": "Red" if row["colour"] == "red" else row["colour"]} for row in ROWS])
    texts = "The Birch, a bag of cedar, weighs 3 kg. It is Red and blue, and not washable."
    write(shop / "texts.csv", [GOOD[0], {"nr": "2", "about": texts}, GOOD[2]])
    prove.run(options(shop))
    assert [row["extra"] for row in read(shop / "proof")] == [[], ["colour=blue"], []]


def test_the_first_example_of_the_page_prints_what_it_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = (SAMPLES.parent / "docs" / "prove.md").read_text(encoding="utf-8")
    command, shown = re.findall(r"^```(?:bash)?\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)[:2]
    monkeypatch.chdir(tmp_path)
    words = shlex.split(command.replace("\\\n", ""))
    given = [str(SAMPLES.parent / word) if word.startswith("samples/") else word for word in words[1:]]
    assert len(command.splitlines()) == 5 and allsaid(*given, HERE) == 0
    assert shown in capsys.readouterr().out


def test_marks_before_decimals_are_those_that_the_table_shows(tmp_path: Path) -> None:
    """The price of the second row is unclear by itself: 1299 beside "24,90", and no 1.299 of an English text."""
    write(
        tmp_path / "table.csv",
        [{"nr": "1", "kind": "bag", "price": "24,90"}, {"nr": "2", "kind": "bag", "price": "1.299"}],
    )
    write(
        tmp_path / "texts.csv",
        [{"nr": "1", "about": "A bag for 24.90 EUR."}, {"nr": "2", "about": "A bag for 1299 EUR."}],
    )
    mapping = "id: nr\ngoal: kind\ntext: about\nlanguage: en\ncolumns: {price: {kind: number, unit: EUR}}\n"
    (tmp_path / "mapping.yaml").write_text(mapping, encoding="utf-8")
    prove.run(options(tmp_path))
    assert [row["missing"] for row in read(tmp_path / "proof")] == [[], []]
