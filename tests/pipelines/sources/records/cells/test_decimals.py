"""The decimal separator is decided by column, then by table, then by language; texts have one of their own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from in_process import allsaid
from openpyxl import Workbook

from batch_infer.rows import facts
from pipelines.source import KeptRecord, Shard
from pipelines.sources.records.decimals import written_with
from pipelines.sources.records.mapping import parse_mapping, read_mapping
from pipelines.sources.records.source import Records, Settings

EURO = {"kind": "number", "unit": "EUR", "also": ["Euro"]}


def planned(
    folder: Path, rows: list[dict[str, Any]], columns: dict[str, Any], **mapping: Any
) -> tuple[Shard, Settings]:
    (folder / "t.csv").write_text(
        "".join(f"{';'.join(map(str, cells))}\n" for cells in [rows[0], *(row.values() for row in rows)])
    )
    named = {"id": "nr", "goal": "art", "text": "text", "columns": columns, **mapping}
    (folder / "m.yaml").write_text(yaml.safe_dump(named, sort_keys=False, allow_unicode=True))
    settings = Settings(mapping=str(folder / "m.yaml"))
    (shard,) = Records().plan([str(folder / "t.csv")], settings)
    return shard, settings


def found(shard: Shard, settings: Settings, column: str = "preis") -> list[int]:
    kept = [one for one in Records().read(shard, settings) if isinstance(one, KeptRecord)]
    return [one.figures[f"found {column}"] for one in kept]


def priced(*pairs: tuple[str, str], more: str = "") -> list[dict[str, Any]]:
    return [
        {"nr": f"n{number}", "art": "Lampe", "preis": price, "mehr": more, "text": f"Die Lampe kostet {said} Euro."}
        for number, (price, said) in enumerate(pairs)
    ]


@pytest.mark.parametrize(
    ("rows", "mapping", "marks"),
    [
        (priced(("1.299", "1.299"), ("24,90", "24,90")), {}, {"preis": ",", "mehr": ",", "": ","}),  # the cells
        (priced(("1.299", "1299")), {}, {"preis": ",", "mehr": ","}),  # its texts
        (priced(("1.299", "1.299,00")), {}, {"preis": ",", "mehr": ",", "": ","}),
        (priced(("1.250", "1.25")), {}, {"preis": ".", "mehr": ".", "": "."}),
        (priced(("1.299", "1.299"), more="0,5 kg"), {}, {"preis": ",", "mehr": ",", "": ","}),  # the table
        (priced(("1.299", "1.299")), {"language": "de"}, {"preis": ",", "mehr": ",", "": ","}),  # the language
        (priced(("1.299", "1.299")), {"language": "en"}, {"preis": ".", "mehr": ".", "": "."}),
        (priced(("1.299", "1.299")), {}, {}),  # nothing
        (priced(("1.299", "1299")), {"decimal": "."}, {}),  # the mapping decides
    ],
)  # fmt: skip
def test_what_decides_on_the_mark(
    rows: list[dict[str, Any]], mapping: dict[str, Any], marks: dict[str, str], tmp_path: Path
) -> None:
    shard, _ = planned(tmp_path, rows, {"preis": EURO, "mehr": "number"}, **mapping)
    assert {name: mark for name, mark in shard.decimals if name in marks or marks == {}} == marks


def test_a_number_is_found_only_as_the_texts_write_it(tmp_path: Path) -> None:
    said = ("1299", "1.299", "1 299", "1.299,00", "1,299")
    rows = priced(*(("1.299", one) for one in said), ("0,5", "0,5"))
    shard, settings = planned(tmp_path, rows, {"preis": EURO}, language="de")
    assert found(shard, settings) == [1, 1, 1, 1, 0, 1]


@pytest.mark.parametrize("where", ["column", "table"])
def test_the_mapping_sets_the_mark(where: str, tmp_path: Path) -> None:
    own = {"decimal": ","}
    rows = priced(("1.299", "1299"), ("2.5", "2.5"))
    column = EURO | (own if where == "column" else {})
    shard, settings = planned(tmp_path, rows, {"preis": column}, **({} if where == "column" else own))
    assert found(shard, settings)[0] == 1


def test_numbers_that_a_file_holds_as_numbers_have_points(tmp_path: Path) -> None:
    cells = {"nr": "1", "art": "Lampe", "text": "Sie wiegt 1,299 kg."}
    (tmp_path / "t.jsonl").write_text(json.dumps({**cells, "kilo": 1.299}) + "\n")
    book = Workbook()
    book.active.append(["nr", "art", "kilo", "text"])
    book.active.append(["1", "Lampe", 1299, "Sie wiegt 1.299 kg."])
    book.active["C2"].number_format = "#,##0"
    book.save(tmp_path / "t.xlsx")
    mapping = {
        "id": "nr",
        "goal": "art",
        "text": "text",
        "columns": {"kilo": {"kind": "number", "unit": "kg"}},
        "language": "de",
    }
    (tmp_path / "m.yaml").write_text(yaml.safe_dump(mapping))
    settings = Settings(mapping=str(tmp_path / "m.yaml"))
    for name in ("t.jsonl", "t.xlsx"):
        (shard,) = Records().plan([str(tmp_path / name)], settings)
        assert dict(shard.decimals)["kilo"] == "."
        assert found(shard, settings, "kilo") == [1], name


def test_the_proof_reads_numbers_by_the_marks() -> None:
    mapping = parse_mapping(
        {"goal": "art", "text": "text", "columns": {"preis": {**EURO, "decimal": ","}}, "decimal": ","}, "m.yaml"
    )
    (fact,) = facts.facts_of(["preis=1.299 EUR"], mapping)
    assert fact.number == 1299 and fact.numbers == {1299}
    from allsaid.proof.values.matching import Inventory, measure_values

    for said, is_given in (("1299", True), ("1.299", True), ("1,299", False)):
        text = facts.text_of(f"Die Lampe kostet {said} Euro.", mapping)
        assert measure_values(text, [fact], Inventory()).given == [is_given], said


def test_marks_that_were_found_are_kept_in_the_run_s_mapping() -> None:
    text = "goal: art\ntext: text\ncolumns: {preis: number, name: value}\nlanguage: de\n"
    assert written_with(text, (), "m.yaml") == text
    kept = read_mapping(written_with(text, (("preis", ","), ("", ".")), "m.yaml"), "m.yaml")
    assert [column.decimal for column in kept.columns] == [",", "."] or kept.columns[0].decimal == ","
    assert kept.decimal == "." and kept.language == "de"


def test_the_summary_reports_the_marks_and_unclear_numbers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    planned(tmp_path, priced(("1.299", "1.299"), ("2.499", "2.499")), {"preis": EURO})
    given = ["--input", str(tmp_path / "t.csv"), "--mapping", str(tmp_path / "m.yaml"), "--output"]
    assert allsaid("ingest", "records", *given, str(tmp_path / "a")) == 0
    told = " ".join(capsys.readouterr().err.split())
    assert (
        f"2 of 2 cells of 'preis' may be read in two ways: '1.299 EUR' in line 2 of {tmp_path}/t.csv. A point "
        "was read as a decimal separator, a comma as a thousands separator. "
        'Write `decimal: ","` or `decimal: "."` in the mapping.'
    ) in told
    planned(tmp_path, priced(("1.299", "1299"), ("2.499", "2.499")), {"preis": EURO})
    assert allsaid("ingest", "records", *given, str(tmp_path / "b")) == 0
    shown = capsys.readouterr()
    assert "decimals after ','" in " ".join(shown.out.split()) and "in two ways" not in shown.err
