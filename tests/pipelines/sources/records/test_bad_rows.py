"""Rows that are rejected, and files that are lost or no tables at all: each with its reason and place."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from small_table import ROWS, as_csv, ingest, kept

from pipelines.source import KeptRecord, Unreadable
from pipelines.sources.records.source import Records, Settings
from schemas.errors import UserError
from schemas.runs.rejected import Rejected

BAD: list[tuple[dict[str, str], str]] = [
    ({"nr": "7"}, "doubled_id"),
    ({"nr": " "}, "no_id"),
    ({"about": "N/A"}, "no_text"),
    ({"about": "..."}, "no_text"),
    ({"about": "word " * 20_000}, "long_text"),
    ({"kind": ""}, "no_goal"),
    ({"name": "x" * 3000}, "long_value"),
    ({"made of": "/".join("abcdefghij" * 11)}, "too_many_slots"),
]


@pytest.mark.parametrize(("cells", "reason"), BAD)
def test_a_bad_row_is_rejected_with_its_place(tmp_path: Path, cells: dict[str, str], reason: str) -> None:
    data = as_csv([ROWS[0], {**ROWS[1], **cells}, {**ROWS[1], "nr": "9"}])
    first, bad, last = ingest(tmp_path, data)
    assert isinstance(first, KeptRecord) and isinstance(last, KeptRecord) and isinstance(bad, Rejected)
    assert (bad.stage, bad.reason) == ("read", reason)
    assert bad.detail.endswith(".") and data[bad.offset :].startswith(bad.head) and bad.head


def test_rows_that_are_no_rows(tmp_path: Path) -> None:
    good = as_csv(ROWS)
    lines = b'9,Tent\r\n\r\n10,Tent,a,b,c,d,e,f,g\r\n11,Tent,"open\r\n'
    results = ingest(
        tmp_path, good + lines + b"x" * 140_000 + b"\r\n" + good.split(b"\r\n", 1)[1].replace(b"7,T", b"12,T")
    )
    reasons = Counter(one.reason for one in results if isinstance(one, Rejected))
    assert reasons == {"ragged_row": 1, "no_text": 1, "open_quote": 1, "bad_csv": 1, "doubled_id": 1}
    assert [one.rows["examples"][0].id for one in results if isinstance(one, KeptRecord)] == ["7", "8", "12"]

    text = json.dumps(ROWS[0])
    results = ingest(tmp_path, f'{text}\n{{"nr": 1\n[1]\n{"[" * 5000}\n{text.replace("7", "6", 1)}\n'.encode())
    assert [one.reason if isinstance(one, Rejected) else "" for one in results] == [
        "", "bad_json", "not_an_object", "bad_json", "",
    ]  # fmt: skip
    nested = {**ROWS[0], "name": {"first": "x"}, "about": "\ud800 tent"}
    (bad,) = ingest(tmp_path, json.dumps(nested).encode())
    assert isinstance(bad, Rejected) and bad.reason == "bad_value"
    ((example, _, _),) = kept(ingest(tmp_path, json.dumps({**nested, "name": "x"}).encode()))
    assert example.tokens == ["?", "tent"]


def test_damaged_files(tmp_path: Path) -> None:
    rows = [{**ROWS[0], "nr": str(number), "about": f"a tent {number**7}"} for number in range(3000)]
    packed = gzip.compress(as_csv(rows))
    results = ingest(tmp_path, packed[: len(packed) // 2], name="table.csv.gz")
    assert isinstance(results[-1], Unreadable) and sum(isinstance(one, KeptRecord) for one in results) > 500

    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "t.parquet", row_group_size=500, compression="none")
    data = bytearray((tmp_path / "t.parquet").read_bytes())
    middle = len(data) // 2
    data[middle : middle + 20_000] = b"\xff" * 20_000
    results = ingest(tmp_path, bytes(data))
    assert any(isinstance(one, Unreadable | Rejected) for one in results)
    assert sum(isinstance(one, KeptRecord) for one in results) >= 500


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "is empty"),
        (b"\xef\xbb\xbf \n", "is empty"),
        ("a;b\n".encode("utf-32"), "UTF-32"),
        (b"PAR1 and no more", "no Parquet file"),
        (b"[1, 2]", "no JSON lines"),
        (b"nr,nr\n1,2\n", "column 'nr' more than once"),
        (b"nr,kind,about\n", "lacks the columns 'name', 'price', 'made of', 'is_waterproof', which"),
        (b"nr,kind,about\n", "Its columns are: nr, kind, about."),
    ],
)
def test_what_is_no_table(tmp_path: Path, data: bytes, said: str) -> None:
    with pytest.raises(UserError, match=said):
        ingest(tmp_path, data)


def test_a_bad_file_among_good_ones_is_lost(tmp_path: Path) -> None:
    (tmp_path / "other.csv").write_bytes(b"a,b\n1,2\n")
    ingest(tmp_path, as_csv(ROWS))
    settings = Settings(mapping=str(tmp_path / "mapping.yaml"))
    shards = Records().plan([str(tmp_path / "other.csv"), str(tmp_path / "table.csv")], settings)
    (lost,) = Records().read(shards[0], settings)
    assert isinstance(lost, Unreadable) and "other.csv lacks the columns 'nr', 'kind', " in lost.sentence
