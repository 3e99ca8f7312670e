"""New files have their names only when they are whole, whoever writes them at the same time."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from allsaid.storage import files
from allsaid.storage.files import HashedFile
from allsaid.storage.rows import RowWriter
from schemas.runs.word import WORD, Word


def test_concurrent_writes_never_show_a_partial_file(tmp_path: Path) -> None:
    path, rows = tmp_path / "out" / "a.parquet", [Word("text", f"word {n}", n, n) for n in range(3000)]
    ended = threading.Event()

    def write() -> None:
        while not ended.is_set():
            with RowWriter(str(tmp_path / "out"), "a.parquet", WORD, "work") as writer:
                for row in rows:
                    writer.write(row)

    writers = [threading.Thread(target=write) for _ in range(2)]
    for writer in writers:
        writer.start()
    while not path.exists():
        pass
    try:
        read = {pq.read_table(path).num_rows for _ in range(60)}
    finally:
        ended.set()
        for writer in writers:
            writer.join()
    assert read == {len(rows)}
    assert files.below(str(tmp_path / "out")) == ["a.parquet"]


def test_a_failed_write_leaves_the_old_file(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("old")
    with pytest.raises(ZeroDivisionError), HashedFile(str(tmp_path), "a", "work") as stream:
        stream.write(b"half of")
        raise ZeroDivisionError
    with pytest.raises(ZeroDivisionError), RowWriter(str(tmp_path), "b.parquet", WORD, "work") as writer:
        for number in range(2500):
            writer.write(Word("text", str(number), 1, 1))
        raise ZeroDivisionError
    assert files.below(str(tmp_path)) == ["a"] and (tmp_path / "a").read_text() == "old"


def test_in_a_store_too(kitchen: Any) -> None:
    with HashedFile("s3://kitchen/out", "deep/a", "work") as stream:
        stream.write(b"new")
        assert not files.exists("s3://kitchen/out/deep/a")
    assert files.read_text("s3://kitchen/out/deep/a") == "new" and stream.entry["bytes"] == 3
    with pytest.raises(pa.ArrowInvalid), RowWriter("s3://kitchen/out", "b.parquet", WORD, "work") as writer:
        writer.write(Word("text", "a", 1, 1))
        raise pa.ArrowInvalid("no row")
    with pytest.raises(ZeroDivisionError), files.whole("s3://kitchen/out/deep/a", "s3://kitchen/out/work") as half:
        half.write(b"half of")
        raise ZeroDivisionError
    assert files.below("s3://kitchen/out") == ["deep/a"] and files.read_text("s3://kitchen/out/deep/a") == "new"
