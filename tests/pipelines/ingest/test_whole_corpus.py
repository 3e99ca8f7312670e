"""Duplicates and guard can be asked of every source whose records may wait: what is dropped, why, and what is not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow.dataset
import pytest
import yaml
from small_allrecipes import as_lines
from small_table import MAPPING

from pipelines.datasets import snapshot
from pipelines.ingest import run
from pipelines.ingest.request import Request
from pipelines.ingest.run import Outcome
from pipelines.sources.allrecipes import source as allrecipes
from pipelines.sources.records import source as records
from pipelines.sources.records.cell_findings import findings
from pipelines.validation.fingerprint import fingerprint

HALF = {"dev_share": 0.3, "test_share": 0.2}
NOUNS = ["leek", "bean", "rice", "pea", "corn", "oat", "plum", "fig", "date", "kale"]


def soup(number: int, title: str = "") -> dict[str, Any]:
    noun = NOUNS[number % 10]
    return {
        "title": title or f"{noun} soup number{number}",
        "ingredients": [f"{number + 1} cups {noun}", "salt"],
        "directions": [f"Cook the {noun} for {number + 1} minutes, stir it well, add salt and serve it hot."],
    }


def ingest(folder: Path, files: Sequence[Sequence[dict[str, Any]]], out: str = "out", **settings: Any) -> Outcome:
    (folder / "in").mkdir(parents=True, exist_ok=True)
    for number, found in enumerate(files):
        (folder / "in" / f"{number:02}.jsonl").write_bytes(as_lines(tuple(found)))
    given = allrecipes.Settings(**HALF | settings)
    return run.ingest(Request("allrecipes", [str(folder / "in" / "*")], str(folder / out), given))


def rows(outcome: Outcome, border: str) -> list[dict[str, Any]]:
    data = pyarrow.dataset.dataset(Path(outcome.folder) / border, format="parquet", partitioning="hive")
    found: list[dict[str, Any]] = data.to_table().to_pylist()
    return found


def sums_up(outcome: Outcome) -> bool:
    manifest = outcome.manifest
    assert manifest.read == manifest.kept + manifest.rejected_total
    assert fingerprint(outcome.folder, manifest) == manifest.fingerprint
    return True


def test_without_duplicates_deduplication_changes_nothing(tmp_path: Path) -> None:
    files = [[soup(number) for number in range(start, start + 10)] for start in (0, 10)]
    plain, asked = ingest(tmp_path, files), ingest(tmp_path, files, "asked", duplicates=True)
    assert asked.manifest.fingerprint == plain.manifest.fingerprint
    assert asked.manifest.statistics == plain.manifest.statistics
    assert sorted(map(repr, rows(asked, "copies"))) == sorted(map(repr, rows(plain, "copies")))
    assert sums_up(asked) and asked.manifest.kept == 20


def test_of_recipes_with_the_same_directions_one_is_kept(tmp_path: Path) -> None:
    doubles = [soup(number, f"another name of {number}") for number in range(4)]
    files = [[soup(number) for number in range(8)], doubles[:3], [doubles[3], soup(0), soup(9)]]
    plain, asked = ingest(tmp_path, files), ingest(tmp_path, files, "asked", duplicates=True)
    assert (plain.manifest.kept, asked.manifest.kept) == (14, 9) and sums_up(asked)
    assert asked.manifest.rejected == {"duplicate": {"same_directions": 5}}
    smallest: dict[str, str] = {}
    for row in rows(plain, "copies"):
        smallest[row["content_hash"]] = min(row["id"], smallest.get(row["content_hash"], row["id"]))
    assert {row["id"] for row in rows(asked, "copies")} == set(smallest.values())
    kept = {row["content_hash"]: (row["file"], row["offset"]) for row in rows(asked, "copies")}
    hashes = {(row["file"], row["offset"]): row["content_hash"] for row in rows(plain, "copies")}
    for row in rows(asked, "rejected"):
        file, offset = kept[hashes[row["file"], row["offset"]]]
        assert row["detail"] == f"{file} has the same directions at {offset}; that one is kept."
        assert row["head"].startswith(b'{"title"')
    assert len(rows(asked, "records")) == 9


def test_training_recipes_near_to_dev_or_test_go(tmp_path: Path) -> None:
    """Held to a slow version that compares the words of all titles."""
    titles = [f"{NOUNS[number % 10]} {NOUNS[number % 7]} {NOUNS[number % 3]} pie" for number in range(60)]
    files = [[soup(number, title) for number, title in enumerate(titles)]]
    plain, asked = ingest(tmp_path, files), ingest(tmp_path, files, "asked", guard=True)
    bags = {row["id"]: (row["split"], row["title"].split()) for row in rows(plain, "copies")}
    held_out = [words for split, words in bags.values() if split != "train"]
    expected = {}
    for found, (split, words) in bags.items():
        if split == "train" and any(sorted(words) == sorted(other) for other in held_out):
            expected[found] = "same_title"
        elif split == "train" and any(len({*words} & {*other}) >= 3 for other in held_out):
            expected[found] = "three_title_words"
    assert {row["id"]: row["reason"] for row in rows(asked, "rejected")} == expected
    assert set(Counter(expected.values())) == {"same_title", "three_title_words"}
    assert len(expected) < len(bags) - len(held_out) and sums_up(asked)


def test_unchanged_shards_are_not_read_again(tmp_path: Path) -> None:
    files = [[soup(number) for number in range(5)], [soup(number) for number in range(5, 9)]]
    ingest(tmp_path, files, duplicates=True)
    more = [*files, [soup(0, "again"), soup(1, "once more"), soup(20)]]
    second = ingest(tmp_path, more, duplicates=True)
    assert second.reused == 2 and sums_up(second)
    assert second.manifest.fingerprint == ingest(tmp_path, more, "fresh", duplicates=True).manifest.fingerprint
    guarded = ingest(tmp_path, more, duplicates=True, guard=True, dev_share=0.2)
    assert guarded.reused == 3
    assert ingest(tmp_path, more).reused == 0


def test_duplicates_are_found_in_shards_of_many_files(tmp_path: Path) -> None:
    files = [[soup(number), soup(number % 7, "twice")] for number in range(allrecipes.FILES_ALONE + 6)]
    outcome = ingest(tmp_path, files, duplicates=True)
    assert len(outcome.manifest.shards) < len(files)
    assert outcome.manifest.kept == len(files) == len({row["content_hash"] for row in rows(outcome, "copies")})
    assert sums_up(outcome)


def product(number: str, name: str, about: str) -> dict[str, str]:
    return {"nr": number, "kind": "Tent", "name": name, "price": "3", "is_waterproof": "yes", "about": about}


def table(folder: Path, products: Sequence[dict[str, str]], out: str, **settings: Any) -> Outcome:
    (folder / "mapping.yaml").write_text(
        yaml.safe_dump({**MAPPING, "columns": {**MAPPING["columns"], "made of": "ignored"}})
    )
    header = list(products[0])
    lines = [",".join(header), *(",".join(row[name] for name in header) for row in products)]
    (folder / "tents.csv").write_text("\n".join(lines) + "\n")
    given = records.Settings(mapping=str(folder / "mapping.yaml"), **HALF | settings)
    return run.ingest(Request("records", [str(folder / "tents.csv")], str(folder / out), given))


@pytest.fixture
def products() -> list[dict[str, str]]:
    """Forty tents; the last ones are like others in the text, in goal and values, and in both."""
    tents = [product(f"t{number:02}", f"Tent{number}", f"Here is Tent{number} and it is good.") for number in range(40)]
    same_text = [product("u1", "Heron", "Here is Tent1 and it is good.")]
    same_values = [product(f"v{number}", f"Tent{number}", f"Tent{number} costs little today.") for number in range(40)]
    both = [
        product("w1", "Tent1", "Here is Tent1 and it is good."),
        product("a0", "Tent2", "here is tent2 and it is good"),
    ]
    return [*tents, *same_text, *same_values, *both]


def test_equal_goal_values_and_text_make_a_duplicate(tmp_path: Path, products: list[dict[str, str]]) -> None:
    outcome = table(tmp_path, products, "out", duplicates=True)
    assert outcome.manifest.rejected == {"duplicate": {"same_goal_values_and_text": 2}} and sums_up(outcome)
    assert {row["id"] for row in rows(outcome, "rejected")} == {"w1", "t02"}
    assert len(rows(outcome, "boxes")) == len(rows(outcome, "acts")) == outcome.manifest.kept == 81


def test_training_rows_with_the_values_of_dev_or_test_go(tmp_path: Path, products: list[dict[str, str]]) -> None:
    plain, asked = table(tmp_path, products, "out"), table(tmp_path, products, "asked", guard=True)
    held_out = {(row["goal"], *row["agenda"]) for row in rows(plain, "examples") if row["split"] != "train"}
    near = {
        row["id"]
        for row in rows(plain, "examples")
        if row["split"] == "train" and (row["goal"], *row["agenda"]) in held_out
    }
    assert near and {row["id"] for row in rows(asked, "rejected")} == near
    assert asked.manifest.rejected == {"guard": {"same_goal_and_values": len(near)}} and sums_up(asked)
    assert snapshot.published(str(tmp_path / "asked")).settings["guard"] is True


def test_findings_of_removed_rows_count(tmp_path: Path, products: list[dict[str, str]]) -> None:
    spoilt = [{**row, "about": f"<p>{row['about']}</p>"} for row in products]
    plain = table(tmp_path, spoilt, "out")
    asked = table(tmp_path, spoilt, "asked", duplicates=True, guard=True)
    assert set(asked.manifest.rejected) == {"duplicate", "guard"} and sums_up(asked)
    assert findings(asked.manifest.statistics) == findings(plain.manifest.statistics) == {"about": {"markup": 83}}
