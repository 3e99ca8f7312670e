"""Faults of a user's tables that once lost or doubled rows, or ended the run."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import yaml

from allsaid.storage.run_store import run_folder
from pipelines.datasets import history
from pipelines.datasets.gates import DataGates
from pipelines.ingest.request import Request, Schedule
from pipelines.ingest.run import run as ingest_run
from pipelines.source import KeptRecord, Result, Unreadable
from pipelines.sources.records.findings.guess import guess, save_guess
from pipelines.sources.records.source import Records, Settings
from pipelines.sources.records.tables import csv_rows as records_csv
from pipelines.sources.records.tables.layout import Row, TableFault
from pipelines.sources.records.tables.rows import LOOK, look, read_table
from schemas.errors import UserError
from schemas.runs.rejected import Rejected

MAPPING = {"id": "nr", "goal": "kind", "text": "about", "columns": {"name": "value", "price": "number"}}
HEADER = "nr,name,price,kind,about\n"


def lines(first: int, count: int, text: str = "Mug {} is good.") -> list[str]:
    return [f"{i},mug {i},{i}.50,mug,{text.format(i)}\n" for i in range(first, first + count)]


def ingest(folder: Path, tables: dict[str, str], mapping: dict[str, object] = MAPPING) -> dict[str, list[Result]]:
    """The results of each table, by name."""
    for name, table in tables.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(table)
    (folder / "mapping.yaml").write_text(yaml.safe_dump(mapping, sort_keys=False))
    settings = Settings(mapping=str(folder / "mapping.yaml"))
    shards = Records().plan([str(folder / name) for name in sorted(tables)], settings)
    return {shard.file.removeprefix(f"{folder}/"): list(Records().read(shard, settings)) for shard in shards}


def ids(results: list[Result]) -> list[str]:
    return [one.rows["examples"][0].id for one in results if isinstance(one, KeptRecord)]


def faults(results: list[Result]) -> list[tuple[str, int]]:
    return [(one.reason, one.offset) for one in results if isinstance(one, Rejected)]


@pytest.mark.parametrize("text", ["Mug {} is good.", '"Mug {},\n""good"", is good."', 'Mug {} is "good".'])
@pytest.mark.parametrize("column", range(5))
def test_a_stray_quote_costs_its_own_row_only(column: int, text: str, tmp_path: Path) -> None:
    rows = lines(1, 40, text)
    cells = ["5", "mug 5", "5.50", "mug", "Mug 5 is good."]
    cells[column] = f'"{cells[column]}'
    rows[4] = ",".join(cells) + "\n"
    results = ingest(tmp_path, {"table.csv": HEADER + "".join(rows)})["table.csv"]
    assert ids(results) == [str(number) for number in range(1, 41) if number != 5]
    assert faults(results) == [("open_quote", len(HEADER + "".join(rows[:4])))]


def test_a_quote_that_is_open_at_the_end(tmp_path: Path) -> None:
    results = ingest(tmp_path, {"table.csv": HEADER + "".join(lines(1, 2)) + '3,mug,3,mug,"open'})["table.csv"]
    assert ids(results) == ["1", "2"]
    assert [reason for reason, _ in faults(results)] == ["open_quote"]


def test_a_cell_of_many_lines_is_kept(tmp_path: Path) -> None:
    text = "Mug.\n" * 5000
    results = ingest(tmp_path, {"table.csv": HEADER + f'1,a,2,mug,"{text}"\n' + "".join(lines(2, 2))})["table.csv"]
    assert (ids(results), faults(results)) == (["1", "2", "3"], [])


@pytest.mark.parametrize("line", ['a",",\n', '"a\n', '1,"\n', '","\n'])
def test_open_quotes_do_not_cause_repeated_reading(line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    count, path, given = 400_000 // len(line), tmp_path / "table.csv", []
    path.write_text(HEADER + line * count + "".join(lines(1, 3)))
    monkeypatch.setattr(records_csv, "MAX_ROW", 1 << 14)
    monkeypatch.setattr(records_csv, "text_of", lambda line, _: given.append(len(line)) or (line.decode(), ""))
    layout = look(str(path), ",")
    given.clear()
    rows = [row for row in read_table(str(path), layout) if isinstance(row, Row)]
    assert len(rows) == count + 3
    assert [row.cells["nr"] for row in rows if row.cells and not row.lacks] == ["1", "2", "3"]
    assert sum(given) < 8 * path.stat().st_size


def test_a_table_without_a_column_is_lost_alone(tmp_path: Path) -> None:
    other = HEADER.replace("price", "cost")
    results = ingest(tmp_path, {"a.csv": other + "".join(lines(1, 2)), "b.csv": HEADER + "".join(lines(3, 2))})
    assert ids(results["b.csv"]) == ["3", "4"]
    (lost,) = results["a.csv"]
    assert isinstance(lost, Unreadable)
    assert lost.sentence == (
        f"{tmp_path}/a.csv lacks the column 'price', which {tmp_path}/mapping.yaml names. "
        "Its columns are: nr, name, cost, kind, about. Optional columns get `optional: true` in the mapping; "
        "renamed ones `was: [NAME]`."
    )
    (tmp_path / "b.csv").unlink()
    with pytest.raises(UserError, match=r"/a\.csv lacks the column 'price', which"):
        ingest(tmp_path, {"a.csv": other, "b.csv": other})


def test_old_names_of_columns_are_known(tmp_path: Path) -> None:
    columns = {"name": {"kind": "value", "was": ["title", "label"]}, "price": {"kind": "number", "was": "cost"}}
    mapping = {
        "id": {"name": "nr", "was": "sku"},
        "goal": {"name": "kind", "was": ["sort"]},
        "text": {"name": "about", "was": ["said"]},
        "columns": columns,
    }
    old = HEADER
    for name, was in (("nr", "sku"), ("kind", "sort"), ("about", "said"), ("name", "label"), ("price", "cost")):
        old = old.replace(name, was)
    tables = {"a.csv": HEADER + "".join(lines(1, 2)), "b.csv": old + "".join(lines(2, 2))}
    results = ingest(tmp_path, tables, mapping)
    assert [ids(results[name]) for name in tables] == [["1", "2"], ["3"]]  # an id of the old column is taken, too
    agendas = [
        one.rows["examples"][0].agenda for name in tables for one in results[name] if isinstance(one, KeptRecord)
    ]
    assert [len(agenda) for agenda in agendas] == [2, 2, 2]
    both = json.dumps({"nr": "9", "kind": "mug", "about": "A new mug.", "title": "old", "name": "new"}) + "\n"
    (one,) = ingest(tmp_path, {"t.jsonl": both}, mapping)["t.jsonl"]
    assert isinstance(one, KeptRecord) and one.rows["examples"][0].agenda == ["name=new"]


def test_an_optional_column_may_be_lacking(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mapping = {**MAPPING, "columns": {"name": "value", "price": {"kind": "number", "optional": True}}}
    other = HEADER.replace("price", "Prise")
    results = ingest(tmp_path, {"a.csv": HEADER + "".join(lines(1, 2)), "b.csv": other + "".join(lines(3, 2))}, mapping)
    assert [ids(results[name]) for name in results] == [["1", "2"], ["3", "4"]]
    said = " ".join(capsys.readouterr().err.split())
    assert (
        f"{tmp_path}/mapping.yaml does not name these columns of {tmp_path}/b.csv, so they are not read: 'Prise'."
        in said
    )
    with pytest.raises(UserError, match=r"If 'Prise' is 'price', write `was: \[Prise\]` next to 'price'"):
        ingest(tmp_path, {"a.csv": other}, MAPPING)


def test_a_key_of_json_lines_may_come_late(tmp_path: Path) -> None:
    rows = [{"nr": str(i), "kind": "mug", "about": f"Mug {i}. " * 20, "name": f"mug {i}"} for i in range(900)]
    table = "".join(json.dumps(row) + "\n" for row in [*rows, {**rows[0], "nr": "900", "price": 5}])
    assert table.index('"price"') > LOOK
    results = ingest(tmp_path, {"table.jsonl": table})["table.jsonl"]
    assert ids(results) == [str(number) for number in range(901)]
    assert [one.figures["given price"] for one in results[-2:] if isinstance(one, KeptRecord)] == [0, 1]
    assert "price" in guess([str(tmp_path / "table.jsonl")])["columns"]
    with pytest.raises(UserError, match="lacks the column 'kind', which"):
        ingest(tmp_path, {"table.jsonl": table.replace('"kind"', '"sort"')})


def test_a_bad_value_is_told_with_its_column(tmp_path: Path) -> None:
    good = {"nr": "1", "kind": "mug", "about": "A mug.", "name": ["a"]}
    bad = [{**good, **change} for change in ({"name": [["a", "b"]]}, {"kind": {"a": 1}}, {"about": [{}]}, {"nr": []})]
    mapping = {**MAPPING, "columns": {"name": "list"}}
    results = ingest(tmp_path, {"t.jsonl": "".join(json.dumps(row) + "\n" for row in [good, *bad])}, mapping)["t.jsonl"]
    assert ids(results) == ["1"]
    assert [(one.reason, one.detail) for one in results if isinstance(one, Rejected)] == [
        ("bad_value", "The cell of 'name' holds ['a', 'b'], which is no single value."),
        ("bad_value", "The cell of 'kind' holds {'a': '1'}, which is no single value."),
        ("bad_value", "The cell of 'about' holds [{}], which is no single value."),
        ("bad_value", "The cell of 'nr' holds [], which is no single value."),
    ]


def test_unreadable_parquet_cells_name_their_column(tmp_path: Path) -> None:
    days = pa.array([1, 2**31 - 1], pa.int32()).view(pa.date32())
    pq.write_table(pa.table({"nr": ["1", "2"], "day": days}), tmp_path / "t.parquet")
    rows = list(read_table(str(tmp_path / "t.parquet"), look(str(tmp_path / "t.parquet"))))
    assert [(row.reason, row.detail[:31]) for row in rows if isinstance(row, Row)] == [
        ("", ""), ("bad_value", "The cell of 'day' can't be read"),
    ]  # fmt: skip


def test_an_id_of_an_earlier_table_is_rejected(tmp_path: Path) -> None:
    tables = {"a.csv": lines(1, 3), "b.csv": lines(4, 2), "c.csv": [*lines(5, 2), *lines(1, 1), *lines(7, 1)]}
    results = ingest(tmp_path, {name: HEADER + "".join(rows) for name, rows in tables.items()})
    assert [ids(results[name]) for name in tables] == [["1", "2", "3"], ["4", "5"], ["6", "7"]]
    assert [one.detail for one in results["c.csv"] if isinstance(one, Rejected) and one.reason == "doubled_id"] == [
        f"An earlier row of {tmp_path}/{file} has the id '{nr}'. Give each row its own, or name another column as "
        "`id:`."
        for file, nr in (("b.csv", "5"), ("a.csv", "1"))
    ]


def test_a_table_belongs_to_those_before_that_have_its_ids(tmp_path: Path) -> None:
    first, fine, third = (HEADER + "".join(rows) for rows in (lines(1, 3), lines(4, 2), lines(2, 9)))
    ingest(tmp_path, {"a.csv": first, "b.csv": fine, "c.csv": third, "empty.csv": ""})
    mapping = str(tmp_path / "mapping.yaml")
    a, b, c, empty = (str(tmp_path / name) for name in ("a.csv", "b.csv", "c.csv", "empty.csv"))
    shards = Records().plan([a, b, c, empty], Settings(mapping=mapping))
    assert [shard.files for shard in shards] == [(a, mapping), (b, mapping), (c, mapping, a, b)]


def test_a_new_table_leaves_the_others_as_they_were_read(tmp_path: Path) -> None:
    def run(tables: dict[str, list[str]]) -> tuple[int, Counter[str]]:
        for name, rows in tables.items():
            (tmp_path / name).write_text(HEADER + "".join(rows))
        settings = Settings(mapping=str(tmp_path / "mapping.yaml"))
        inputs, gates = [str(tmp_path / "*.csv")], Schedule(gates=DataGates(lost=0.2))  # an id of another table
        manifest = ingest_run(Request("records", inputs, str(tmp_path / "out"), settings, schedule=gates))
        rows = pq.read_table(run_folder(str(tmp_path / "out"), manifest.run) + "/examples").column("id").to_pylist()
        return history.read(str(tmp_path / "out"))[-1].reused, Counter(rows)

    (tmp_path / "mapping.yaml").write_text(yaml.safe_dump(MAPPING))
    assert run({"b.csv": lines(4, 3)}) == (0, Counter("456"))
    assert run({"c.csv": lines(6, 3)}) == (1, Counter("45678"))
    assert run({"a.csv": lines(1, 3)}) == (2, Counter("12345678"))
    assert run({"a.csv": [*lines(1, 3), *lines(8, 1)]}) == (1, Counter("12345678"))


def test_tables_of_one_name_without_ids(tmp_path: Path) -> None:
    mapping = {key: value for key, value in MAPPING.items() if key != "id"}
    tables = dict.fromkeys(("x/t.csv", "y/t.csv", "z/t.csv", "z/u.csv"), HEADER + "".join(lines(1, 3) * 2))
    found = ingest(tmp_path, tables, mapping)
    assert len({one for results in found.values() for one in ids(results)}) == 4 * 6
    alone = ingest(tmp_path, {"z/u.csv": tables["z/u.csv"]}, mapping)
    assert ids(alone["z/u.csv"]) == ids(found["z/u.csv"])


def test_a_guess_overwrites_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("t.csv").write_text(HEADER + "".join(lines(1, 30)))
    save_guess(["t.csv"], "m.yaml")
    save_guess(["t.csv"], "new/m.yaml")
    assert yaml.safe_load(Path("m.yaml").read_text())["id"] == "nr"
    assert Path("m.yaml").read_text() == Path("new/m.yaml").read_text()
    Path("m.yaml").write_text("mended")
    for target, said in (
        ("m.yaml", "m.yaml exists"), ("t.csv/m.yaml", "can't be written"), ("what://m", "can't be written"),
    ):  # fmt: skip
        with pytest.raises(UserError, match=said):
            save_guess(["t.csv"], target)
    assert Path("m.yaml").read_text() == "mended"


def test_a_table_that_cant_be_opened(tmp_path: Path) -> None:
    with pytest.raises(TableFault, match=r"no\.csv can't be read"):
        look(str(tmp_path / "no.csv"))
