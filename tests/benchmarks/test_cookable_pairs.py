"""Reading sheets of pairs of recipes: what readers see, and how their answers are counted."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from benchmarks.quality.recipes import cookable_pairs


def output(folder: Path, word: str) -> Path:
    rows = [
        {"id": f"r{row}", "goal": "soup", "agenda": ["2 Eggs"], "text_number": 0, "error": None}
        | {"text": "Boil." if row == 0 else f"{word} {row}."}
        for row in range(40)
    ]
    (folder / "texts").mkdir(parents=True)
    pq.write_table(pa.Table.from_pylist(rows), folder / "texts" / "part-00000.parquet")
    return folder


def test_answers_are_counted_by_what_a_and_b_are(tmp_path: Path) -> None:
    old, new = output(tmp_path / "old", "fry"), output(tmp_path / "new", "bake")
    key, sheet = tmp_path / "key.json", tmp_path / "sheet"
    cookable_pairs.make([f"raw={old}:{new}@40"], sheet, key)
    shown = [
        json.loads(line) for path in sorted(sheet.iterdir()) for line in path.read_text(encoding="utf-8").splitlines()
    ]
    assert len(shown) == 40 and {*shown[0]} == {"number", "title", "ingredients", "a", "b"}
    assert 5 < sum(one["a"].startswith("fry") for one in shown) < 35

    answers = []
    for one in shown:
        new_place, old_place = ("a", "b") if one["a"].startswith("bake") else ("b", "a")
        better = "same" if one["b"] == cookable_pairs.EQUAL else new_place
        answers.append({"number": one["number"], "better": better, new_place: "yes", old_place: "no", "reason": "x"})
    reader = tmp_path / "reader.jsonl"
    reader.write_text("".join(json.dumps(one) + "\n" for one in answers))
    result = tmp_path / "result.json"
    cookable_pairs.count(key, [reader, reader], result)
    raw = json.loads(result.read_text())["origins"]["raw"]
    assert (raw["pairs"], raw["equal_texts"], raw["after_better_percent"], raw["same_percent"]) == (40, 1, 97.5, 2.5)
    assert raw["after_yes_percent"] >= 97.5 and raw["before_usable_percent"] <= 2.5


def test_a_preference_needs_a_reason() -> None:
    answer = {"better": "a", "a": "yes", "b": "no"}
    assert "needs a reason" in cookable_pairs.check(answer)
    with pytest.raises(KeyError):
        cookable_pairs.check({"better": "a"})
