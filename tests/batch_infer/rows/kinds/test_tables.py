"""Another domain by data alone: a table is read, learned and written by its mapping, which travels with the model."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import openpyxl
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import yaml
from in_process import allsaid
from small_shelves import COLOURS, HEADER, MAPPING, NAMES, NEW, SPOILT
from tiny_model import save_tiny_model

from allsaid.modeling.saved.model_folder import load
from allsaid.modeling.tasks.agenda import TASK
from batch_infer import pyfunc
from batch_infer.job.generate import run as generate
from batch_infer.options.generate import GenerateOptions
from batch_infer.options.job import TextGates
from batch_infer.report.report import write as report
from batch_infer.rows import inputs, sources
from batch_infer.rows.kinds import tables
from pipelines.sources.records.tables.layout import BEGIN
from schemas.errors import UserError
from schemas.runs.manifest import MAPPING_NAME
from training.tracking import connection
from training.tracking import tracker as tracking
from training.tracking.promotion import FLOORS


def test_the_mapping_and_the_values_travel_with_the_model(shop: Path) -> None:
    bundle = load(shop / "run" / "model")
    assert yaml.safe_load(bundle.mapping) == MAPPING
    assert (shop / "data" / "current" / MAPPING_NAME).read_text() == bundle.mapping
    assert dict(bundle.values) == {"name": sorted(NAMES), "colour": sorted(COLOURS), "foldable": ["no", "yes"]}


def test_what_training_says_of_a_table_is_of_its_values(shop: Path) -> None:
    spool = [json.loads(line) for line in (shop / "run" / "spool.jsonl").read_text().splitlines()]
    (measured,) = (event["measured"]["scores"] for event in spool if event["event"] == "model")
    assert tuple(measured) == (*TASK.of_table.deciding, *FLOORS)
    figures = {key: value for event in spool if event["event"] == "metrics" for key, value in event["values"].items()}
    assert figures["true/percent_given"] == 100
    assert measured["perplexity"] == figures["final_perplexity"]
    assert any(measured["perplexity"] == pytest.approx(one) for one in _dev_perplexities(spool))
    (sample,) = (shop / "run" / "samples").iterdir()
    assert "SLOT" not in sample.read_text() and "mm wide" in sample.read_text()
    task = load(shop / "run" / "model").task
    assert (task, task.figures["percent_given"].name) == (TASK.of_table, "% given values")


def _dev_perplexities(spool: list[dict[str, Any]]) -> list[float]:
    values = [event["values"] for event in spool if event["event"] == "metrics"]
    return [one["dev_perplexity"] for one in values if "dev_perplexity" in one]


def test_a_table_is_read_in_python_as_generate_reads_it(shop: Path, tmp_path: Path) -> None:
    lines = [HEADER, 'a1,shelf,Yew,rose pink,"1,250",yes', "a2,shelf,Elm,grey,,no", "a3,,Elm,,,"]
    (tmp_path / "new.csv").write_text("\n".join(lines) + "\n")
    generate(GenerateOptions(str(shop / "run" / "model"), str(tmp_path / "new.csv"), str(tmp_path / "texts")))
    found = pq.read_table(tmp_path / "texts" / "texts").to_pandas()
    writer = pyfunc.ServedModel(str(shop / "run" / "model"))
    rows = pd.read_csv(tmp_path / "new.csv", dtype=str)
    told = writer.predict(rows)
    for name in ("text", "error", "percent_given"):
        assert told[name].tolist() == found[name].astype(object).where(found[name].notna(), None).tolist()
    agenda = pd.DataFrame([{"goal": "shelf", "agenda": ["name=Yew", "colour=grey"]}])
    assert writer.predict(agenda)["error"].tolist() == [None]
    with pytest.raises(UserError, match="The table lacks the column 'colour', which the model's"):
        writer.predict(rows.drop(columns="colour"))


def test_the_example_of_a_tables_card_runs(
    shop: Path, tmp_path: Path, empty_database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mlflow.db").write_bytes(empty_database.read_bytes())
    monkeypatch.setenv("MLFLOW_TRACKING_URI", f"sqlite:///{tmp_path / 'mlflow.db'}")
    tracking.sync(shop / "run")
    card = connection.connect(connection.tracking_uri()).get_model_version("shelves", "1").description
    assert "% slot errors, `slot_error_percent`" in card and "head word" not in card
    (tmp_path / "table.csv").write_text(f"{HEADER}\na1,shelf,Yew,rose pink,90,yes\n")
    (example,) = re.findall(r"```python\n(.*?)```", card, re.DOTALL)
    names: dict[str, Any] = {}
    exec(example, names)
    assert "yew" in names["texts"]["text"][0].lower()


def test_new_rows_need_nothing_but_the_model(shop: Path, tmp_path: Path) -> None:
    (tmp_path / "new.csv").write_text(NEW)
    where = (str(shop / "run" / "model"), str(tmp_path / "new.csv"), str(tmp_path / "texts"))
    summary = generate(GenerateOptions(*where, keep=["colour"], gate=TextGates(errors=1)))
    assert (summary.input_rows, summary.texts, summary.errors) == (8, 2, 6)
    assert (summary.reasons[0].reason, summary.reasons[0].rows) == (
        "The id … is in several rows; each row needs its own id.", 2,
    )  # fmt: skip
    found = pq.read_table(tmp_path / "texts" / "texts").to_pylist()
    assert [row["id"] for row in found] == ["a1", "a2", "a2", "a4", "new.csv:6", "new.csv:7", "a7", "a8"]
    first, *others = found
    flagged = others.pop(2)
    assert flagged["agenda"][2] == "width=wide" and flagged["text"]
    for value in ("Yew Deluxe", "rose pink", "1,250 mm", "folds"):
        assert value.lower() in first["text"].lower()
    assert first["agenda"] == ["name=Yew Deluxe", "colour=rose pink", "width=1,250 mm", "foldable=yes"]
    assert first["used"] == [*first["agenda"], "goal=shelf"]
    assert (first["missing"], first["extra"], first["colour"]) == ([], [], "rose pink")
    assert first["unfamiliar"] == ["name=Yew Deluxe", "colour=rose pink"]
    assert flagged["unfamiliar"] == ["name=Oak", "width=wide"]
    assert (summary.unfamiliar_rows, summary.unfamiliar_goals) == (2, 0)  # of error rows nothing is asked
    assert [row["text"] for row in others] == [""] * 6
    for row, reason in zip(
        others, ["several rows", "several rows", "8 cells", "no id", "goal", "no value"], strict=True
    ):
        assert reason in row["error"], row
    page = Path(report(str(tmp_path / "texts"))).read_text()
    assert "% given values" in page and "given values" in summary.rows()[2][0] and "head word" not in page
    for value in ("Yew Deluxe", "rose pink", "1,250 mm"):
        assert f"{value.lower()}<sup>" in page.lower()


def test_findings_in_new_cells_are_counted_by_column(shop: Path, tmp_path: Path) -> None:
    (tmp_path / "new.csv").write_text(SPOILT)
    where = (str(shop / "run" / "model"), str(tmp_path / "new.csv"), str(tmp_path / "texts"))
    found = {"name": {"cut_number": 2}, "colour": {"markup": 2, "month": 1}, "width": {"error": 1}}
    assert generate(GenerateOptions(*where)).findings == found  # in rows that become no text, too
    assert generate(GenerateOptions(*where)).findings == found  # by the summary of the run that has finished
    assert generate(GenerateOptions(*where[:2], str(tmp_path / "two"), limit=2)).findings == {
        "name": {"cut_number": 1}, "colour": {"markup": 1},
    }  # fmt: skip
    (tmp_path / "new.csv").write_text(NEW)
    assert generate(GenerateOptions(*where[:2], str(tmp_path / "clean"), gate=TextGates(errors=1))).findings == {}


def test_unchanged_rows_keep_texts_and_figures(shop: Path, tmp_path: Path) -> None:
    model = str(shop / "run" / "model")
    (tmp_path / "old.csv").write_text(SPOILT)
    lines = SPOILT.replace("s5,shelf,Yew", "s5,shelf,Elm").splitlines()
    (tmp_path / "new.csv").write_text("".join(f"{line},stock\n" for line in lines))
    generate(GenerateOptions(model, str(tmp_path / "old.csv"), str(tmp_path / "old")))
    whole = generate(GenerateOptions(model, str(tmp_path / "new.csv"), str(tmp_path / "whole")))
    given = GenerateOptions(model, str(tmp_path / "new.csv"), str(tmp_path / "fast"), previous=str(tmp_path / "old"))
    fast = generate(given)
    assert (fast.searched, fast.taken_over, fast.input_rows) == (1, 3, 5)  # one row never becomes a text
    of_run = {"seconds": 0, "texts_per_second": 0, "search_seconds": 0, "taken_over": 0, "searched": 0}
    assert replace(fast, **of_run) == replace(whole, **of_run)
    for folder in ("texts", "rows"):
        made, wanted = (tmp_path / name / folder / "part-00000.parquet" for name in ("fast", "whole"))
        assert made.read_bytes() == wanted.read_bytes()


def test_a_row_without_an_id_is_named_after_its_line(tmp_path: Path) -> None:
    table = (
        'nr,sort,name,colour,width\n,shelf,"Oak\nold",blue,9\n\n,shelf,"Elm,x\n,shelf,Fir,red,8\n,shelf,Yew,blue,7\n'
    )
    row = {"nr": "", "sort": "shelf", "name": "Oak", "colour": "blue", "width": "9"}
    line = json.dumps(row)
    (tmp_path / "t.csv").write_text(table)
    (tmp_path / "wide.csv").write_text(table, "utf-16")
    (tmp_path / "mac.csv").write_bytes(table.replace("\n", "\r").encode())
    (tmp_path / "t.jsonl").write_text(f"{line}\n\n{line}\n[]\n")
    pq.write_table(pa.Table.from_pylist([row, row]), tmp_path / "t.parquet")
    book = openpyxl.Workbook()
    for cells in ([*row], [*row.values()], [], [*row.values()]):
        book.active.append(cells)
    book.save(tmp_path / "t.xlsx")
    mapping = yaml.safe_dump({**MAPPING, "columns": dict.fromkeys(("name", "colour", "width"), "value")})
    for name, numbers in {
        "t.csv": [2, 5, 6, 7], "wide.csv": [2, 5, 6, 7], "mac.csv": [2, 5, 6, 7], "t.jsonl": [1, 3, 4],
        "t.parquet": [1, 2], "t.xlsx": [2, 4],
    }.items():  # fmt: skip
        source, (file,) = sources.find(str(tmp_path / name), "test", [], mapping)
        parts = sources.cut([file], 1, None)
        names = [one for part in parts for one in inputs.read(part, source, [], ()).carried["id"].to_pylist()]
        assert names == [f"{name}:{number}" for number in numbers]


def test_json_lines_and_parquet_are_read_the_same(shop: Path, tmp_path: Path) -> None:
    mapping = load(shop / "run" / "model").mapping
    row = {"nr": 7, "sort": "shelf", "name": "Elm", "colour": "grey", "width": 90, "foldable": False}
    (tmp_path / "new.jsonl").write_text(json.dumps(row) + "\n")
    pq.write_table(sources.pa.Table.from_pylist([row]), tmp_path / "new.parquet")
    for name in ("new.jsonl", "new.parquet"):
        _, (file,) = sources.find(str(tmp_path / name), "test", [], mapping)
        (row,) = tables.read(file.path, file.layout, BEGIN, 0, file.rows)
        found = tables.record(row, mapping)
        assert found.id == "7"
        assert found.agenda == ("name=Elm", "colour=grey", "width=90 mm", "foldable=no")
        assert found.placeholders == ("SLOT_NAME", "SLOT_COLOUR", "SLOT_WIDTH", "SLOT_FOLDABLE_NO")


def test_what_is_no_such_table_is_told(shop: Path, tmp_path: Path) -> None:
    mapping = load(shop / "run" / "model").mapping
    (tmp_path / "new.csv").write_text("nr,sort,name\n1,shelf,Elm\n")
    with pytest.raises(
        UserError, match=r"lacks the columns 'colour', 'width', 'foldable', which the model's mapping.yaml"
    ):
        sources.find(str(tmp_path / "new.csv"), "test", [], mapping)
    (tmp_path / "new.csv").write_text(f"{HEADER}\n")
    with pytest.raises(UserError, match="has no row"):
        sources.find(str(tmp_path / "new.csv"), "test", [], mapping)
    (tmp_path / "new.csv").write_text(NEW)
    with pytest.raises(UserError, match=r"--keep price: .* has no such column"):
        sources.find(str(tmp_path / "new.csv"), "test", ["price"], mapping)


def test_a_model_without_a_mapping_reads_no_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "new.csv").write_text(NEW)
    model = save_tiny_model(tmp_path)
    assert allsaid("generate", "--model", str(model), "--input", str(tmp_path / "new.csv"), "--output", "out") == 1
    assert "this model has none" in " ".join(capsys.readouterr().err.split())
