"""A large table is read in shards: whatever the cut, the same rows and the same rejections come of it."""

from __future__ import annotations

import gzip
import json
import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import Any

import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import yaml
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st

from allsaid.storage.rows import read_rows
from pipelines.datasets.gates import DataGates
from pipelines.ingest import keys
from pipelines.ingest.job import Job
from pipelines.ingest.request import Request, Schedule
from pipelines.ingest.run import run
from pipelines.source import KeptRecord, Result, Shard, Unreadable
from pipelines.sources.records.source import Records, Settings
from pipelines.sources.records.tables import csv_rows, cuts
from pipelines.sources.records.tables.cuts import cut_table
from pipelines.sources.records.tables.layout import Row, Start, TableFault
from pipelines.sources.records.tables.rows import look, read_table
from schemas.runs.rejected import Rejected

MAPPING = {"id": "nr", "goal": "kind", "text": "about", "columns": {"name": "value", "price": "number"}}
REJECTED = ("offset", "reason", "detail", "id", "head")
COLUMNS = ("nr", "name", "price", "kind", "about")
# Half of the rows are the same as others; of the doubled ids some stand first in a row without a text or a goal.
ROWS = [
    (str(one), f"Mug {one % 5}", f"{one}.50", "mug" if number % 13 else "", text if number % 9 else "")
    for number in range(40)
    for one in [number % 21]
    for text in [f"Mug {one % 5}, “the\nbest” one\n\nfor {one}.50 é. ü" if one % 4 else 'A "mug"; so.']
]


def quoted(rows: Iterable[Iterable[str]], delimiter: str = ",", end: str = "\n") -> str:
    return "".join(delimiter.join(_cell(cell, end) for cell in row) + end for row in rows)


def _cell(cell: str, end: str) -> str:
    return '"' + cell.replace('"', '""').replace("\n", end) + '"' if {*cell} & {*'",;\t\n'} else cell


TABLE = quoted([COLUMNS, *ROWS])
# A quote that is open, one that closes in a later row, rows with too many cells and too few, the header once more.
BROKEN = '7,"Mug,1.50,mug,A mug.\n90,Mug,2,mug,"Half\na mug" here.\n91,5" mug,2,mug,A mug.\n92,Mug\n' + ",".join(
    COLUMNS
)
LINES = "".join(json.dumps(dict(zip(COLUMNS, row, strict=True)), ensure_ascii=False) + "\n" for row in ROWS)


def parquet(path: Path) -> None:
    rows = [dict(zip(COLUMNS, row, strict=True)) for row in ROWS]
    pq.write_table(pa.Table.from_pylist(rows), path, row_group_size=2, compression="none")


CONTENTS: dict[str, bytes | Callable[[Path], None]] = {
    "plain.csv": TABLE.encode(),
    "broken.csv": (TABLE + BROKEN + "\n" + quoted(ROWS) + BROKEN * 2).encode()
    + b"\n93,\xff,2,mug,A mug.\n"
    + TABLE[:900].encode(),
    "lines.jsonl": LINES.encode() + b'\n\n[]\n{"nr": \n{"nr": "9\xff"}\n' + LINES.encode()[:-1],
    "groups.parquet": parquet,
}


def written(folder: Path, name: str, mapping: dict[str, Any] = MAPPING) -> tuple[str, Settings]:
    path, content = folder / name, CONTENTS[name]
    path.write_bytes(content) if isinstance(content, bytes) else content(path)
    (folder / "mapping.yaml").write_text(yaml.safe_dump(mapping, sort_keys=False))
    return str(path), Settings(mapping=str(folder / "mapping.yaml"))


def grouped(pairs: Iterable[tuple[Any, Any]]) -> Iterator[tuple[Any, list[Any]]]:
    for key, found in groupby(sorted(pairs, key=lambda pair: pair[0]), lambda pair: pair[0]):
        yield key, [value for _, value in found]


def before(job: Job) -> dict[int, Counter[bytes]]:
    """What :class:`keys.KeysBefore` gives, without Beam."""
    places = grouped(pair for part in range(len(job.shards)) for pair in keys.keys_of(part, job))
    shared = grouped(pair for place, found in places for pair in keys.shared_keys(place, found))
    places = grouped(pair for part, found in shared for pair in keys.counting_keys(part, found, job))
    found: dict[int, Counter[bytes]] = {}
    for place, packed in places:
        for part, counts in keys.keys_before(place, packed):
            found.setdefault(part, Counter()).update(counts)
    return found


def results(paths: list[str], settings: Settings) -> tuple[int, list[Result]]:
    """How many shards there are, and all that is read of them."""
    shards = Records().plan(paths, settings)
    known = before(Job("records", "", tuple(shards), settings, (None,) * len(shards)))
    return len(shards), [
        result for part, shard in enumerate(shards) for result in Records().read(shard, settings, known.get(part))
    ]


@pytest.mark.parametrize("mapping", [MAPPING, {**MAPPING, "id": ""}], ids=["ids", "no ids"])
@pytest.mark.parametrize("name", CONTENTS)
def test_ten_cuts_of_a_table_give_the_same_results(name: str, mapping: dict[str, Any], tmp_path: Path) -> None:
    path, settings = written(tmp_path, name, {key: value for key, value in mapping.items() if value})
    size = Path(path).stat().st_size
    one, whole = results([path], replace(settings, shard_bytes=size))
    assert one == 1
    found = Counter(type(result) for result in whole)
    reasons = Counter(result.reason for result in whole if isinstance(result, Rejected))
    assert (
        found[KeptRecord] > 15
        and {"no_text", "no_goal"} <= {*reasons}
        and bool(mapping["id"]) == ("doubled_id" in reasons)
    )
    counts = set()
    for shard_bytes in (*(size // part for part in (2, 3, 4, 5, 6, 8, 10, 12, 15)), size - 1):
        count, cut = results([path], replace(settings, shard_bytes=shard_bytes))
        assert cut == whole, shard_bytes
        counts.add(count)
    assert len(counts) > 4 and max(counts) > 4


def rows_of(path: Path, size: int | None = None, delimiter: str = "") -> list[Row | str]:
    """The rows of a table, all at once or in shards; their numbers are told from the table's beginning alone."""
    layout = look(str(path), delimiter)
    shards = [Shard((str(path),))] if size is None else cut_table(str(path), layout, size)
    found = [row for one in shards for row in read_table(str(path), layout, None, Start(one.first), one.last)]
    return [replace(row, number=0) if isinstance(row, Row) else row for row in found]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16", "utf-16-be"])
@pytest.mark.parametrize(("delimiter", "end"), [(",", "\n"), (";", "\r\n"), ("\t", "\r")])
@pytest.mark.parametrize("head", ["", "sep={}{}"])
def test_a_table_of_any_dialect_is_cut_where_rows_begin(
    head: str, delimiter: str, end: str, encoding: str, tmp_path: Path
) -> None:
    path = tmp_path / "table.csv"
    text = head.format(delimiter, end) + quoted(
        [COLUMNS, *ROWS[:20], (*ROWS[20][:4], "Mug\n" * 300), *ROWS[21:]], delimiter, end
    )
    path.write_bytes(text.removesuffix(end).encode(encoding))
    whole = rows_of(path)
    assert len(whole) == len(ROWS) and all(isinstance(row, Row) and row.cells for row in whole)
    for size in (1, 100, 400, 1000):
        assert len(cut_table(str(path), look(str(path)), size)) > 1
        assert rows_of(path, size) == whole, size


def test_packed_tables_and_workbooks_stay_whole(tmp_path: Path) -> None:
    (tmp_path / "table.csv.gz").write_bytes(gzip.compress(TABLE.encode()))
    book = openpyxl.Workbook()
    for row in (COLUMNS, *ROWS):
        book.active.append(row)
    book.save(tmp_path / "table.xlsx")
    for name in ("table.csv.gz", "table.xlsx"):
        path = str(tmp_path / name)
        assert cut_table(path, look(path), 1) == [Shard((path,))]


def test_a_table_whose_lines_all_open_quotes_stays_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (csv_rows, cuts):
        monkeypatch.setattr(module, "MAX_ROW", 1 << 10)
    path = tmp_path / "table.csv"
    path.write_text(TABLE + 'a",",\n' * 2000 + TABLE)
    assert cut_table(str(path), look(str(path)), 1000) == [Shard((str(path),))]


@examples(max_examples=150, deadline=None)
@given(
    st.lists(
        st.sampled_from('ab,,;"""\n\n\r\0é\ufeff') | st.sampled_from(["\r\n", '"\n', ',"', '"a\nb",1\n', "1,2\n"])
    ),
    st.sampled_from(["utf-8", "utf-16-le", "cp1252"]),
    st.integers(1, 60),
)
def test_any_bytes_are_read_alike_in_shards(
    tmp_path_factory: pytest.TempPathFactory, found: list[str], encoding: str, size: int
) -> None:
    path = tmp_path_factory.getbasetemp() / "any.csv"
    path.write_bytes(("a,b\n1,2\n" + "".join(found)).encode(encoding, "replace"))
    try:
        whole = rows_of(path, delimiter=",")
    except TableFault:
        return
    assert rows_of(path, size, ",") == whole


def test_damage_costs_one_row_group_whatever_the_cut(tmp_path: Path) -> None:
    path, settings = written(tmp_path, "groups.parquet")
    content = bytearray(Path(path).read_bytes())
    with pq.ParquetFile(path) as file:
        place = file.metadata.row_group(5).column(0).data_page_offset
    content[place : place + 20] = random.Random(1).randbytes(20)
    Path(path).write_bytes(content)
    _, whole = results([path], settings)
    (lost,) = [one.sentence for one in whole if isinstance(one, Unreadable)]
    assert lost.startswith(f"{path} is damaged after row 10 (") and lost.endswith("rows up to 12 are lost.")
    rows = [one for one in whole if not isinstance(one, Unreadable)]
    assert len(rows) == len(ROWS) - 2
    count, cut = results([path], replace(settings, shard_bytes=1))
    assert count == 20 and [one for one in cut if not isinstance(one, Unreadable)] == rows
    assert [one.sentence for one in cut if isinstance(one, Unreadable)] == [lost]


def test_a_data_set_has_one_fingerprint_whatever_the_cut(tmp_path: Path) -> None:
    path, settings = written(tmp_path, "broken.csv")
    found, rejected = {}, {}
    for size in (10**6, 500):
        output = tmp_path / str(size)
        schedule = Schedule(gates=DataGates(lost=1))
        manifest = run(Request("records", [path], str(output), replace(settings, shard_bytes=size), schedule=schedule))
        found[size] = manifest
        rejected[size] = sorted(
            tuple(row[name] for name in REJECTED)
            for entry in manifest.files["rejected"]
            for row in read_rows(str(output / "runs" / manifest.run / entry["path"]), REJECTED)
        )
    whole, cut = found.values()
    assert len(whole.shards) == 1 and len(cut.shards) > 5
    for name in ("fingerprint", "read", "rejected", "splits"):
        assert getattr(cut, name) == getattr(whole, name)
    assert rejected[500] == rejected[10**6]
