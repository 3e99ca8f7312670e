"""Reading sheets of recipes: what readers see, and how their answers are counted."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from allsaid.decoding.editing.provenance import EVEN, SLOPE
from benchmarks.quality import blind
from benchmarks.quality.recipes import confidence, cookable
from benchmarks.result_file import RESULTS

NAMES = {"y": "yes", "r": "repairs", "n": "no"}


def generated(folder: Path, rows: int) -> Path:
    texts = [
        {
            "id": f"r{row}",
            "goal": f"dish {row}",
            "agenda": ["2 Eggs"],
            "text": f"{folder.name} {row}.",
            "text_number": 0,
            "error": None,
        }
        for row in range(rows)
    ]
    (folder / "texts").mkdir(parents=True)
    pq.write_table(pa.Table.from_pylist(texts), folder / "texts" / "part-00000.parquet")
    return folder


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def reader(path: Path, verdicts: str, **more: Any) -> Path:
    flags = {"contradicts": False, "fluent": True, "foreign": []} | more
    answers = [
        {"number": n, "verdict": NAMES[one], "reason": "" if one == "y" else f"why {n}", **flags}
        for n, one in enumerate(verdicts, 1)
    ]
    path.write_text("".join(json.dumps(answer) + "\n" for answer in answers))
    return path


def key_of(path: Path, origins: str) -> Path:
    texts = [{"number": n, "by": "generated", "origin": one, "id": str(n)} for n, one in enumerate(origins, 1)]
    path.write_text(json.dumps({"seed": 1, "rubric_sha256": "", "texts": texts}))
    return path


def test_no_row_is_read_twice(tmp_path: Path) -> None:
    one, other = generated(tmp_path / "one", 100), generated(tmp_path / "other", 100)
    cookable.make([f"one={one}@40", f"other={other}@30"], [], tmp_path / "sheet", tmp_path / "key.json")
    sheet = [*lines(tmp_path / "sheet" / "packet-1.jsonl"), *lines(tmp_path / "sheet" / "packet-2.jsonl")]
    assert [text["number"] for text in sheet] == list(range(1, 71))
    assert all(text.keys() == {"number", "title", "ingredients", "steps"} for text in sheet)
    key = json.loads((tmp_path / "key.json").read_text())["texts"]
    assert (
        Counter(text["origin"] for text in key) == {"one": 40, "other": 30} and len({text["id"] for text in key}) == 70
    )
    assert all(text["steps"].startswith(told["origin"]) for text, told in zip(sheet, key, strict=True))
    cookable.make([f"one={one}@30"], [], tmp_path / "next", tmp_path / "next.json", unlike=[tmp_path / "key.json"])
    again = json.loads((tmp_path / "next.json").read_text())["texts"]
    assert not {text["id"] for text in again} & {text["id"] for text in key}
    assert len(lines(tmp_path / "sheet" / "packet-1.jsonl")) == 60
    with pytest.raises(SystemExit, match="31 texts are asked for, but there are 30"):
        cookable.make([f"one={one}@31"], [], tmp_path / "no", tmp_path / "no.json", unlike=[tmp_path / "key.json"])


def test_most_readers_decide(tmp_path: Path) -> None:
    key = key_of(tmp_path / "key.json", "aaab")
    files = [reader(tmp_path / f"{n}.jsonl", verdicts) for n, verdicts in enumerate(("yryn", "yrrn", "ynny"))]
    found = cookable.count(key, files, tmp_path / "result.json")
    assert [text["majority"] for text in found["texts"]] == ["yes", "repairs", "no majority", "no"]
    of_a = found["origins"]["generated: a"]
    assert (of_a["n"], of_a["yes_percent"], of_a["usable_percent"]) == (3, 33.33, 100.0)
    assert (of_a["fluent_percent"], of_a["contradicts_percent"], of_a["foreign_percent"]) == (100.0, 0.0, 0.0)
    assert json.loads((tmp_path / "result.json").read_text())["readers"] == 3


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"verdict": "maybe"}, "give a verdict of yes, repairs, no"),
        ({"fluent": "yes"}, "true or false"),
        ({"number": 9}, "not in the key"),
        ({"reason": ""}, "needs a reason"),
    ],
)
def test_answers_that_the_rubric_forbids(tmp_path: Path, change: dict[str, Any], sentence: str) -> None:
    path = reader(tmp_path / "a.jsonl", "n")
    path.write_text(json.dumps(lines(path)[0] | change) + "\n")
    with pytest.raises(SystemExit, match=sentence):
        blind.answers(path, [1], cookable.check)


def test_surer_texts_are_counted_apart(tmp_path: Path) -> None:
    key = key_of(tmp_path / "key.json", "aaaaa")
    told = json.loads(key.read_text())
    for text, chance in zip(told["texts"], (0.1, 0.9, 0.2, 0.8, 0.7), strict=True):
        text["confidence"] = chance
    key.write_text(json.dumps(told))
    found = cookable.count(key, [reader(tmp_path / "1.jsonl", "nynyr")], tmp_path / "result.json")
    shares = found["origins"]["generated: a"]["usable_percent_of_answered"]
    assert shares == {"100": 60.0, "80": 75.0, "60": 100.0, "40": 100.0}


def test_the_confidence_is_the_fitted_one() -> None:
    slope, even = confidence.fitted([0.0, 1.0, 2.0, 3.0, 0.0, 3.0], [False, True, False, True, False, True])
    assert slope > 0 and even == pytest.approx(1.5)
    found = json.loads((RESULTS / "confidence.json").read_text())
    assert (found["slope"], found["even"]) == (SLOPE, EVEN)
