"""Reading sheets: what readers see, and how their verdicts are counted."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from benchmarks.quality.tables import reading
from pipelines.ingest.request import Request
from pipelines.ingest.run import run
from pipelines.sources.records.source import Settings

ROOT = Path(__file__).resolve().parents[2]


def generated(folder: Path, rows: int, certificates: bool = True) -> Path:
    """An output whose even rows are certified; each row has a second text, which is never drawn."""
    texts = [
        {
            "id": f"{folder.name}-{row}",
            "goal": "mug",
            "agenda": [f"name=Ochre {row}"],
            "text": f"Text {number} of the Ochre {row}.",
            "text_number": number,
            "error": None,
            "missing": ["name"] if row % 2 else [],
            "extra_count": 0,
            **({"certified": row % 2 == 0} if certificates else {}),
        }
        for row in range(rows)
        for number in (0, 1)
    ]
    (folder / "texts").mkdir(parents=True)
    pq.write_table(pa.Table.from_pylist(texts), folder / "texts" / "part-00000.parquet")
    return folder


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    settings = Settings(mapping=str(ROOT / "samples" / "products.yaml"))
    run(Request("records", [str(ROOT / "samples" / "products.csv")], str(tmp_path / "shop"), settings))
    return tmp_path / "shop"


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_readers_see_numbers_rows_and_texts_alone(tmp_path: Path, shop: Path) -> None:
    one, other = generated(tmp_path / "one", 200), generated(tmp_path / "other", 40)
    asked = ([f"one={one}@90", f"other={other}"], [f"shop={shop}@20"])
    reading.make(*asked, tmp_path / "sheet", tmp_path / "key.json")
    packets = [lines(tmp_path / "sheet" / f"packet-{number}.jsonl") for number in (1, 2)]
    assert [len(packet) for packet in packets] == [100, 30]
    sheet = [text for packet in packets for text in packet]
    assert [text["number"] for text in sheet] == list(range(1, 131))
    assert all(text.keys() == {"number", "row", "text"} for text in sheet)
    assert all(text["row"][0].startswith("goal=") for text in sheet)
    key = json.loads((tmp_path / "key.json").read_text())
    origins = [(text["by"], text["origin"]) for text in key["texts"]]
    assert Counter(origins) == {("generated", "one"): 90, ("generated", "other"): 20, ("people", "shop"): 20}
    assert origins != sorted(origins)
    for text, told in zip(sheet, key["texts"], strict=True):
        if told["by"] == "generated":
            assert text["text"] == f"Text 0 of the Ochre {told['id'].split('-')[1]}."
            assert int(told["id"].split("-")[1]) % 2 == 0
    reading.make(*asked, tmp_path / "again", tmp_path / "again.json")
    assert (tmp_path / "again.json").read_text() == (tmp_path / "key.json").read_text()
    reading.make(*asked, tmp_path / "otherwise", tmp_path / "otherwise.json", seed=2)
    assert (tmp_path / "otherwise.json").read_text() != (tmp_path / "key.json").read_text()


def test_what_cannot_be_drawn_is_refused(tmp_path: Path) -> None:
    folder = generated(tmp_path / "one", 10, certificates=False)
    with pytest.raises(SystemExit, match="has no column 'certified'"):
        reading.make([f"one={folder}"], [], tmp_path / "sheet", tmp_path / "key.json")
    with pytest.raises(SystemExit, match="6 texts are asked for, but there are 5"):
        reading.make([f"one={folder}@6"], [], tmp_path / "sheet", tmp_path / "key.json", without_certificates=True)
    with pytest.raises(SystemExit, match="Give NAME=FOLDER"):
        reading.make(["one"], [], tmp_path / "sheet", tmp_path / "key.json")
    reading.make([f"one={folder}@5"], [], tmp_path / "sheet", tmp_path / "key.json", without_certificates=True)
    assert len(lines(tmp_path / "sheet" / "packet-1.jsonl")) == 5


def key_of(path: Path, by: str) -> Path:
    """A key of a text for each letter: g was generated, p written by people."""
    names = {"g": "generated", "p": "people"}
    texts = [{"number": n, "by": names[one], "origin": "shop", "id": str(n)} for n, one in enumerate(by, 1)]
    path.write_text(json.dumps({"seed": 1, "rubric_sha256": "", "texts": texts}))
    return path


def reader(path: Path, verdicts: str, **more: Any) -> Path:
    """A file of verdicts, of which the letters are the first ones."""
    names = {"t": "true", "w": "wrong", "n": "no sentence"}
    answers = [
        {"number": n, "verdict": names[one], "reason": "" if one == "t" else f"why {n}", **more}
        for n, one in enumerate(verdicts, 1)
    ]
    path.write_text("".join(json.dumps(answer) + "\n" for answer in reversed(answers)))
    return path


def test_the_majority_decides(tmp_path: Path) -> None:
    key = key_of(tmp_path / "key.json", "ggggpp")
    verdicts = ("tttwtt", "ttwntw", "twnttw")
    paths = [
        reader(tmp_path / f"{n}.jsonl", one, **({"claims": ["a claim"]} if n else {})) for n, one in enumerate(verdicts)
    ]
    result = tmp_path / "result.json"
    found = reading.count(key, paths, result)
    assert [one["majority"] for one in found["texts"]] == ["true", "true", *["no majority"] * 2, "true", "wrong"]
    of = found["origins"]["generated: shop"]
    assert (of["n"], of["true_percent"], of["wrong_percent"], of["no majority_percent"]) == (4, 50, 0, 50)
    assert (of["false_certificates"], of["false_certificates_percent"], of["claims_percent"]) == (2, 50, 100)
    assert of["false_certificates_at_most_percent"] > 50
    assert "false_certificates" not in found["origins"]["people: shop"]
    assert found["origins"]["people"]["true_percent"] == 50
    saved = json.loads(result.read_text())
    assert saved["texts"][3]["readers"][0] == {"verdict": "wrong", "reason": "why 4", "claims": []}
    assert saved["measured"]["commit"]


def test_readers_who_agree_have_an_agreement_of_1(tmp_path: Path) -> None:
    key = key_of(tmp_path / "key.json", "gggg")
    found = reading.count(key, [reader(tmp_path / f"{n}.jsonl", "ttwn") for n in range(3)], tmp_path / "result.json")
    assert found["agreement"] == {"verdicts": 1, "true or not": 1}
    found = reading.count(key, [reader(tmp_path / f"{n}.jsonl", "tttt") for n in range(3)], tmp_path / "result.json")
    assert found["agreement"] == {"verdicts": None, "true or not": None}


def test_texts_of_people_are_written_as_generated_ones() -> None:
    assert (
        reading.tidy("there are 2 hotel -s , near x . the inn 's  fine")
        == "There are 2 hotels, near x. The inn's fine."
    )
    assert reading.tidy("Ein Stuhl für 5,50 €.") == "Ein Stuhl für 5,50 €."


def test_the_upper_bound_of_a_rate() -> None:
    assert reading.upper_bound(0, 300) == pytest.approx(1 - 0.05 ** (1 / 300))
    assert reading.upper_bound(3, 300) == pytest.approx(0.0256, abs=1e-4)
    assert reading.upper_bound(5, 5) == 1


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ('{"number": 1, "verdict": "true"}', "no answer to 1 texts"),
        (
            '{"number": 1, "verdict": "true"}\n{"number": 1, "verdict": "true"}',
            "line 2: the number 1 is answered twice",
        ),
        ('{"number": 3, "verdict": "true"}', "the number 3 is not in the key"),
        ('{"number": 1, "verdict": "fine"}', "'fine' is no verdict"),
        ('{"number": 1, "verdict": "wrong"}', "needs a reason"),
        ('{"number": 1}', "line 1 is no answer"),
        ("[1]", "line 1 is no answer"),
        ("true", "line 1 is no answer"),
    ],
)
def test_a_verdict_that_is_none_is_refused(written: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text(written + "\n")
    with pytest.raises(SystemExit, match=message):
        reading.count(key_of(tmp_path / "key.json", "gg"), [tmp_path / "a.jsonl"], tmp_path / "result.json")
