"""What a run takes over from an earlier one: its files are those of a run that took over nothing."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from batch_tables import read, write_lines

from batch_infer.job import generate, previous
from batch_infer.options.generate import GenerateOptions
from batch_infer.proof.summary import Summary
from batch_infer.rows import hashes
from schemas.errors import UserError

ITEMS = ["1 ts salt", "2 tb olive oil", "3 tomatoes", "1 clove garlic", "500 g quinoa"]
OF_RUN = {"seconds": 0, "texts_per_second": 0, "search_seconds": 0, "taken_over": 0, "searched": 0}


def rows_of(count: int) -> list[dict[str, Any]]:
    chance = random.Random(5)
    return [
        {
            "id": f"r{number}",
            "goal": chance.choice(["Salsa", "Soup"]),
            "agenda": chance.sample(ITEMS, 3),
            "page": number,
        }
        for number in range(count)
    ]


def run(model: Path, rows: list[dict[str, Any]], output: Path, **options: Any) -> Summary:
    given = write_lines(output.with_suffix(".jsonl"), rows)
    return generate.run(
        GenerateOptions(str(model), str(given), str(output), width=2, max_tokens=9, keep=["page"], **options)
    )


def bytes_of(output: Path) -> dict[str, bytes]:
    return {str(path.relative_to(output)): path.read_bytes() for path in sorted(output.glob("*/*.parquet"))}


def changed(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """One row is gone, one is new, three have changed (one in what no text depends on), and all stand elsewhere."""
    rows = [{**row, "agenda": list(row["agenda"])} for row in rows[1:]]
    rows[2]["agenda"].reverse()
    rows[5]["goal"] = "Salt soup"
    rows[7]["page"] = 1000
    rows.append({"id": "new", "goal": "Salsa", "agenda": ITEMS[:2], "page": 1})
    random.Random(2).shuffle(rows)
    return rows


def test_the_files_are_those_of_a_full_run(model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = rows_of(20)
    rows[4]["agenda"] = []  # no text, then as now
    first = run(model, rows, tmp_path / "first", texts=2)
    assert (first.searched, first.taken_over) == (19, 0)
    whole = run(model, changed(rows), tmp_path / "whole", texts=2)
    monkeypatch.setattr(hashes, "ROWS", 6)  # as many rows in a file of places, and its shard
    fast = run(model, changed(rows), tmp_path / "fast", texts=2, previous=str(tmp_path / "first"))
    assert (fast.searched, fast.taken_over) == (3, 16)
    assert bytes_of(tmp_path / "fast") == bytes_of(tmp_path / "whole")
    assert len(bytes_of(tmp_path / "fast")) == 2 * 4
    assert replace(fast, input="", input_fingerprint="", **OF_RUN) == replace(
        whole, input="", input_fingerprint="", **OF_RUN
    )
    left = {path.name for path in (tmp_path / "fast").iterdir()}
    assert left == {"job.json", "locks", "rows", "summary.json", "texts"}
    # What was taken over can be taken over again.
    assert run(model, rows, tmp_path / "third", texts=2, previous=str(tmp_path / "fast")).searched == 3


def test_nothing_is_taken_over_where_settings_or_code_differ(
    model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = rows_of(3)
    run(model, rows, tmp_path / "first")
    monkeypatch.setattr(previous, "code_version", lambda bundle: "of tomorrow")
    other = run(model, rows, tmp_path / "other", supported_numbers_only=True, previous=str(tmp_path / "first"))
    assert (other.searched, other.taken_over) == (3, 0)
    told = "Nothing is reused from {}: code, supported_numbers_only differ. All rows are new."
    assert told.format(tmp_path / "first") in capsys.readouterr().err


def test_a_damaged_file_costs_its_own_rows(model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = rows_of(14)
    run(model, rows, tmp_path / "first")
    texts, written = tmp_path / "first" / "texts" / "part-00000.parquet", tmp_path / "first" / "rows"
    texts.write_bytes(texts.read_bytes().replace(b"r0", b"r9", 1))
    (written / "part-00002.parquet").write_bytes(b"PAR1")
    again = run(model, rows, tmp_path / "again", previous=str(tmp_path / "first"))
    assert (again.searched, again.taken_over) == (8, 6)
    assert capsys.readouterr().err.count("is missing or damaged; its texts are generated again.") == 2
    assert [row["id"] for row in read(tmp_path / "again")] == [row["id"] for row in rows]


def test_what_is_no_earlier_run_is_a_fault(model: Path, tmp_path: Path) -> None:
    rows = rows_of(2)
    with pytest.raises(UserError, match=r"its job\.json can't be read\. Give the folder of an earlier run"):
        run(model, rows, tmp_path / "out", previous=str(tmp_path / "none"))
    run(model, rows, tmp_path / "first")
    (tmp_path / "first" / "job.json").write_text(json.dumps([1]))
    with pytest.raises(UserError, match=r"its job\.json can't be read"):
        run(model, rows, tmp_path / "out2", previous=str(tmp_path / "first"))
    with pytest.raises(UserError, match="is the output itself"):
        run(model, rows, tmp_path / "out", previous=f"{tmp_path / 'out'}/")
