"""Runs of `generate` that end early: bad requests, folders of something else, full disks, kills."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import torch
from batch_tables import write_lines
from small_agendas import AGENDAS, bytes_of, example, run
from small_disk import mounted

from schemas.checks.table import to_table
from schemas.errors import UserError
from schemas.example import EXAMPLE


def test_started_again_after_a_kill_it_writes_the_same_bytes(model: Path, tmp_path: Path) -> None:
    given = write_lines(
        tmp_path / "a.jsonl", [{"goal": "Soup", "agenda": ["salt", f"{n} tomatoes"]} for n in range(17)]
    )
    whole, died = tmp_path / "whole", tmp_path / "died"
    summary, _ = run(model, given, whole)
    run(model, given, died)
    assert list(bytes_of(whole)) == ["part-00000.parquet", "part-00001.parquet", "part-00002.parquet"]  # 6, 6, 5 rows
    # What a kill leaves: one part done, one cut off, one never begun.
    (died / "summary.json").unlink()
    (died / "done").mkdir()
    tally = {
        "input_rows": 6,
        "search_seconds": 1.0,
        "texts": 6,
        "sums": {},
        "true_texts": 0,
        "true_sums": {},
        "reasons": {},
    }
    (died / "done" / "part-00000.json").write_text(json.dumps(tally))
    (died / "done" / "part-00001.json").write_text('{"rows": 6')
    (died / "texts" / "part-00001.parquet").write_bytes(b"PAR1")
    (died / "texts" / "part-00002.parquet").unlink()
    again, rows = run(model, given, died)
    assert bytes_of(died) == bytes_of(whole)
    assert (again.texts, len(rows)) == (summary.texts, 17)
    assert sorted(path.name for path in died.iterdir()) == ["job.json", "locks", "rows", "summary.json", "texts"]


def test_faults_of_the_run(model: Path, tmp_path: Path) -> None:
    given = write_lines(tmp_path / "a.jsonl", AGENDAS)
    pq.write_table(pa.table({"goal": ["x"]}), tmp_path / "no-agenda.parquet")
    (tmp_path / "empty.jsonl").write_text("\n")
    (tmp_path / "broken.parquet").write_text("no parquet")
    old = EXAMPLE.with_metadata({b"allsaid.schema": b"example/0"})
    pq.write_table(to_table([example(1)], EXAMPLE).replace_schema_metadata(old.metadata), tmp_path / "old.parquet")
    (tmp_path / "folder").mkdir()
    cases: list[tuple[str, dict[str, Any], str]] = [
        ("none-*.jsonl", {}, "matches no file"),
        ("empty.jsonl", {}, "is empty"),
        ("broken.parquet", {}, "can't be read as Parquet"),
        ("no-agenda.parquet", {}, "has no column 'agenda'"),
        ("old.parquet", {}, "says it is 'example/0'"),
        ("*a*", {}, "all end in .parquet, or all in .jsonl"),
        ("folder", {}, "without a published data set"),
        ("a.jsonl", {"keep": ["pge"]}, "--keep pge: no line of .* has it. They have agenda, goal, id, page"),
        ("a.jsonl", {"keep": ["text"]}, "the output has a column of that name"),
        ("a.jsonl", {"beam_args": ["--no_such_option=1"]}, "no_such_option"),
    ]
    if not torch.cuda.is_available():
        cases.append(("a.jsonl", {"device": "cuda"}, "no GPU"))
    for name, options, sentence in cases:
        with pytest.raises(UserError, match=sentence):
            run(model, tmp_path / name, tmp_path / "out", **options)
    with pytest.raises(UserError, match="no model folder"):
        run(tmp_path / "nowhere", given, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_an_output_folder_of_something_else_is_refused(model: Path, tmp_path: Path) -> None:
    given = write_lines(tmp_path / "a.jsonl", AGENDAS)
    out = tmp_path / "out"
    out.mkdir()
    (out / "diary.txt").write_text("Dear diary")
    with pytest.raises(UserError, match=r"holds diary\.txt, which `allsaid generate` did not write"):
        run(model, given, out)
    (out / "diary.txt").unlink()
    run(model, given, out)
    before = bytes_of(out)
    with pytest.raises(UserError, match="texts of a run that differs in limit"):
        run(model, given, out, limit=2)
    write_lines(given, AGENDAS[:1])
    with pytest.raises(UserError, match="texts of a run that differs in input_fingerprint"):
        run(model, given, out)
    assert bytes_of(out) == before
    with pytest.raises(UserError, match="is a file"):
        run(model, given, given)


def test_full_and_read_only_folders_can_be_resumed(model: Path, tmp_path: Path) -> None:
    given = write_lines(tmp_path / "a.jsonl", [{"goal": "Soup", "agenda": [f"salt {n}"]} for n in range(30)])
    run(model, given, tmp_path / "whole")
    with mounted(tmp_path / "small", "size=40k"):
        with pytest.raises(UserError, match=r"--output .*out is full\. Make room"):
            run(model, given, tmp_path / "small" / "out")
        remount = ["mount", "-o", "remount,size=400k", str(tmp_path / "small")]
        subprocess.run(remount, check=True)
        run(model, given, tmp_path / "small" / "out")
        assert bytes_of(tmp_path / "small" / "out") == bytes_of(tmp_path / "whole")
    with (
        mounted(tmp_path / "small", "ro"),
        pytest.raises(UserError, match=r"--output .*out can't be written \(Read-only"),
    ):
        run(model, given, tmp_path / "small" / "out")
