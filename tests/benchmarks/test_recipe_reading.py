"""The sheets of a blind reading of recipes show each parser's reading unmarked, and the verdicts are counted by it."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from dumps import cookbook, dump

from benchmarks.corpora import recipe_reading as reading


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data" / "mealmaster" / "raw"
    folder.mkdir(parents=True)
    (folder / "mm-1.mmf.gz").write_bytes(gzip.compress(dump(cookbook(range(30)))))
    (folder.parent / "nyc-00.mmf.gz").write_bytes(gzip.compress(dump(cookbook(range(30, 60)))))
    return tmp_path / "data"


def parsers(data: Path, tmp_path: Path) -> list[str]:
    """Return two parsers, of which the second loses the last line of every other record."""
    reading.parse(data, tmp_path / "new.jsonl", "")
    entries = [json.loads(line) for line in (tmp_path / "new.jsonl").read_text().splitlines()]
    assert len(entries) == 60
    for entry in entries[::2]:
        del entry["lines"][-1]
    (tmp_path / "old.jsonl").write_text("".join(json.dumps(entry) + "\n" for entry in entries))
    return [f"old={tmp_path / 'old.jsonl'}", f"new={tmp_path / 'new.jsonl'}"]


def answers(path: Path, key: dict[str, Any], verdict: dict[str, str], field: str) -> Path:
    """Write what a reader says who can tell the parsers apart."""
    lines = []
    for record in key["records"]:
        for letter, names in record["readings"].items():
            if field == "verdict":
                said = {"number": record["number"], "reading": letter, "verdict": verdict[names[0]], "reason": "so"}
            else:
                said = {"number": record["number"], "better": letter, "reason": "so"}
            if field == "verdict" or names == [verdict["better"]]:
                lines.append(json.dumps(said))
    path.write_text("\n".join(lines))
    return path


def test_a_sample_is_drawn_blind_and_counted(data: Path, tmp_path: Path) -> None:
    numbers = {reading.RAW: 25, reading.LIBRARY: 10}
    reading.make(data, parsers(data, tmp_path), tmp_path / "sheets", tmp_path / "key.json", 3, numbers, 0)
    sheets = "".join(path.read_text() for path in sorted((tmp_path / "sheets").iterdir()))
    key = json.loads((tmp_path / "key.json").read_text())
    assert len(list((tmp_path / "sheets").iterdir())) == 2 and ".jsonl" not in sheets and "old:" not in sheets
    assert sum(record["origin"] == reading.RAW for record in key["records"]) == 25
    letters = [len(record["readings"]) for record in key["records"]]
    assert set(letters) == {1, 2} and sheets.count("-" * 20) == sum(letters)
    firsts = {record["readings"]["A"][0] for record in key["records"] if len(record["readings"]) == 2}
    assert firsts == {"old", "new"}, "which one is shown first is drawn"
    said = [
        answers(tmp_path / f"{number}.jsonl", key, {"old": old, "new": new}, "verdict")
        for number, (old, new) in enumerate([("wrong", "strict"), ("wrong", "usable"), ("usable", "usable")])
    ]
    found = reading.count(tmp_path / "key.json", said, tmp_path / "result.json")
    differing = [record for record in key["records"] if len(record["readings"]) == 2]
    records = json.loads((tmp_path / "result.json").read_text())["records"]
    verdicts = [record["verdicts"] for record in records if len(record["readings"]) == 2]
    assert verdicts == [{"old": "wrong", "new": "usable"}] * len(differing)
    assert [found["figures"][f"{reading.LIBRARY}: {name}"]["n"] for name in ("old", "new")] == [10, 10]


def test_pairs_are_records_that_differ(data: Path, tmp_path: Path) -> None:
    reading.make(data, parsers(data, tmp_path), tmp_path / "sheets", tmp_path / "key.json", 1, {}, 20)
    key = json.loads((tmp_path / "key.json").read_text())
    assert all(len(record["readings"]) == 2 for record in key["records"]) and len(key["records"]) == 20
    said = [answers(tmp_path / "0.jsonl", key, {"better": "new"}, "better")]
    found = reading.count(tmp_path / "key.json", said, tmp_path / "result.json")
    assert found["better"] == {"new": 20}
    (tmp_path / "0.jsonl").write_text("\n".join((tmp_path / "0.jsonl").read_text().splitlines()[1:]))
    with pytest.raises(SystemExit, match="lacks a verdict of record 1"):
        reading.count(tmp_path / "key.json", said, tmp_path / "result.json")
