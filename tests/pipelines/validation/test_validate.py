"""A sound data set passes; for each rule, one broken in just that way fails with that rule's words."""

from __future__ import annotations

import dataclasses
import json
import re
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from small_published import ITEMS, TOKENS, TYPES, a_data_set, an_example, broken, outcomes_of, publish

from pipelines.validation.rules import Outcome
from pipelines.validation.suites import Suites
from pipelines.validation.validate import run
from schemas.errors import UserError
from schemas.runs.rejected import Rejected


def test_a_sound_data_set_keeps_every_rule(tmp_path: Path) -> None:
    publish(tmp_path, a_data_set())
    outcomes = outcomes_of(tmp_path)
    assert [outcome for outcome in outcomes if not outcome.passed] == []
    checked = {(outcome.border, outcome.rule): outcome.checked for outcome in outcomes}
    assert checked["examples", "every file is there and is Parquet"] == 3
    assert checked["records", "offset is at least 0"] == 11
    assert checked["examples", "no content_hash is in two splits"] == 9
    assert checked["rejected", "stage holds only read, clean, duplicate, guard"] == 2


TRAIN = "examples/split=train/part-0.parquet"
ROW = f"{TRAIN} row 3 ({3:016x})"  # what every change below of row 3 is reported as

BAD_EXAMPLES = {
    "goal_tokens is never empty": {"goal_tokens": []},
    "text is never empty": {"text": ""},
    "the length of agenda is from 2 to 40": {
        "agenda": ["beans"] * 41,
        "agenda_tokens": [["beans"]] * 41,
    },
    "the length of tokens is from 5 to 814": {
        "tokens": TOKENS[:4],
        "surface": TOKENS[:4],
        "ref_types": TYPES[:4],
        "ref_items": ITEMS[:4],
    },
    "agenda and agenda_tokens have the same length": {"agenda_tokens": [["garlic"], ["salt"]]},
    "tokens and surface have the same length": {"surface": TOKENS[:-1]},
    "ref_types holds only -1, 0, 1, 2": {"ref_types": [3, *TYPES[1:]]},
    "ref_items holds -1 or positions in agenda": {"ref_items": [*ITEMS[:-1], 3]},
    "ref_items names an item exactly where ref_types is 1 or 2": {"ref_items": [0, *ITEMS[1:]]},
}


BAD_ROWS = [  # file, row, change, the rule's words, border, rows checked, how the row is named
    ("records/part-1.parquet", 0, {"id": "abc"}, "the length of id is 16", "records", 11, "abc"),
    ("records/part-1.parquet", 1, {"offset": -1}, "offset is at least 0", "records", 11, f"{8:016x}"),
    ("records/part-1.parquet", 2, {"encoding": ""}, "encoding is never empty", "records", 11, f"{9:016x}"),
    ("rejected/part-0.parquet", 0, {"stage": "x"}, "stage holds only read, clean, duplicate, guard", "rejected", 2,
     f"{9:016x}"),
    ("rejected/part-0.parquet", 1, {"head": b"x" * 501}, "the length of head is at most 500", "rejected", 2,
     f"{10:016x}"),
    ("phrases.parquet", 1, {"score": -0.5}, "score is at least 0", "phrases", 3, "olive"),
]  # fmt: skip


@pytest.fixture(scope="module")
def faulty(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], Outcome]:
    """One run over a data set in which each of the rows above and below breaks one rule, all others none."""
    data = a_data_set()
    data[TRAIN] = [an_example(n) for n in range(20, 20 + len(BAD_EXAMPLES))]
    for row, change in enumerate(BAD_EXAMPLES.values()):
        data[TRAIN][row] = dataclasses.replace(data[TRAIN][row], **change)
    for path, row, change, *_ in BAD_ROWS:
        data[path][row] = dataclasses.replace(data[path][row], **change)
    folder = tmp_path_factory.mktemp("faulty")
    kept = len(BAD_EXAMPLES) + 4
    publish(folder, data, kept=kept, read=kept + 2, inputs=[{"file": "a.mmf", "read": kept + 2}],
            splits={"train": len(BAD_EXAMPLES), "dev": 3, "test": 1})  # fmt: skip
    return {(outcome.border, outcome.rule): outcome for outcome in broken(folder)}


@pytest.mark.parametrize("rule", BAD_EXAMPLES)
def test_one_bad_example_breaks_its_rule_and_is_named(faulty: dict[tuple[str, str], Outcome], rule: str) -> None:
    row = list(BAD_EXAMPLES).index(rule)
    place = f"{TRAIN} row {row} ({row + 20:016x})"
    assert faulty["examples", rule] == Outcome("examples", rule, len(BAD_EXAMPLES) + 4, 1, (place,))


@pytest.mark.parametrize(("path", "row", "change", "rule", "border", "checked", "name"), BAD_ROWS)
def test_one_bad_row_elsewhere(
    faulty: dict[tuple[str, str], Outcome],
    path: str, row: int, change: dict[str, Any], rule: str, border: str, checked: int, name: str,
) -> None:  # fmt: skip
    assert faulty[border, rule] == Outcome(border, rule, checked, 1, (f"{path} row {row} ({name})",))


def test_no_other_rule_is_broken_by_them(faulty: dict[tuple[str, str], Outcome]) -> None:
    assert set(faulty) == {("examples", rule) for rule in BAD_EXAMPLES} | {(row[4], row[3]) for row in BAD_ROWS}


@pytest.mark.parametrize("column", ["ref_types", "ref_items"])
def test_wrong_reference_lengths_are_reported_once(tmp_path: Path, column: str) -> None:
    data = a_data_set()
    data[TRAIN][3] = dataclasses.replace(data[TRAIN][3], **{column: getattr(data[TRAIN][3], column)[:-1]})
    publish(tmp_path, data)
    assert broken(tmp_path) == [Outcome("examples", f"tokens and {column} have the same length", 9, 1, (ROW,))]


def test_an_id_in_two_files_is_not_unique(tmp_path: Path) -> None:
    data = a_data_set()
    data["examples/split=dev/part-0.parquet"][1] = dataclasses.replace(an_example(6), id=f"{3:016x}")
    publish(tmp_path, data)
    places = (ROW, f"examples/split=dev/part-0.parquet row 1 ({3:016x})")
    assert broken(tmp_path) == [Outcome("examples", "no id occurs twice", 9, 2, places)]


def test_bad_rows_of_several_files_are_added_up(tmp_path: Path) -> None:
    data = a_data_set()
    sound, bad = data["rejected/part-0.parquet"][0], Rejected("clean", "", "", "9", "a.mmf", 0, b"MMMMM")
    for part, rows in enumerate(([sound, bad, bad], [bad, sound], [bad, bad, bad])):
        data[f"rejected/part-{part}.parquet"] = rows
    publish(tmp_path, data)
    rows = [(0, 1), (0, 2), (1, 0), (2, 0), (2, 1)]
    places = tuple(f"rejected/part-{part}.parquet row {row} (9)" for part, row in rows)
    assert Outcome("rejected", "reason is never empty", 8, 6, places) in broken(tmp_path)


def test_content_hashes_stay_within_one_split(tmp_path: Path) -> None:
    data = a_data_set()
    data[TRAIN][1] = dataclasses.replace(data[TRAIN][1], content_hash="same in train")
    data[TRAIN][2] = dataclasses.replace(data[TRAIN][2], content_hash="same in train")
    data[TRAIN][3] = dataclasses.replace(data[TRAIN][3], content_hash=an_example(8).content_hash)
    publish(tmp_path, data)
    places = (ROW, f"examples/split=test/part-0.parquet row 0 ({8:016x})")
    assert broken(tmp_path) == [Outcome("examples", "no content_hash is in two splits", 9, 2, places)]


def test_a_missing_file_and_a_file_that_is_no_parquet(tmp_path: Path) -> None:
    publish(tmp_path, a_data_set())
    (tmp_path / "runs/r1" / TRAIN).unlink()
    (tmp_path / "runs/r1/phrases.parquet").write_bytes(b"olive oil")
    found = {(outcome.border, outcome.rule): outcome for outcome in broken(tmp_path)}
    there = "every file is there and is Parquet"
    assert found["examples", there].places == (TRAIN,)
    assert found["phrases", there].places == ("phrases.parquet",)
    assert found["manifest", "kept is the number of examples"].places == ("9 is not 4",)
    assert found["manifest", "split train has as many examples as counted"].places == ("5 is not 0",)
    assert len(found) == 4


@pytest.mark.parametrize("change", ["column gone", "other type", "other version"])
def test_a_file_that_does_not_fit_the_schema(tmp_path: Path, change: str) -> None:
    publish(tmp_path, a_data_set())
    path = tmp_path / "runs/r1" / TRAIN
    table = pq.read_table(path, partitioning=None)
    if change == "column gone":
        table = table.drop_columns("surface")
    elif change == "other type":
        table = table.set_column(12, "offset", table["offset"].cast(pa.int32()))
    else:
        table = table.replace_schema_metadata({"allsaid.schema": "example/0"})
    pq.write_table(table, path)
    (only,) = broken(tmp_path)
    assert (only.border, only.rule, only.failed) == ("examples", "columns, types and schema version fit", 1)
    sought = {"column gone": "no column 'surface'", "other type": "'offset' is int32", "other version": "'example/0'"}
    assert TRAIN in only.places[0] and sought[change] in only.places[0]


def test_counts_that_do_not_agree(tmp_path: Path) -> None:
    publish(tmp_path, a_data_set(), read=12)
    assert {(outcome.rule, outcome.places) for outcome in broken(tmp_path)} == {
        ("read = kept + rejected", ("12 is not 11",)),
        ("read is the sum over the inputs", ("12 is not 11",)),
    }


def test_rows_that_the_manifest_counts_otherwise(tmp_path: Path) -> None:
    publish(tmp_path, a_data_set())
    manifest = json.loads((tmp_path / "manifest.json").read_text())
    manifest["files"]["records"][1]["rows"] = 5
    (tmp_path / "manifest.json").write_text(json.dumps(manifest))
    places = ("records/part-1.parquet: 4 rows, counted 5",)
    rule = "every file has as many rows as counted"
    assert broken(tmp_path) == [Outcome("records", rule, 2, 1, places)]


def test_validation_pages_are_self_contained(tmp_path: Path) -> None:
    data = a_data_set()
    data[TRAIN][3] = dataclasses.replace(data[TRAIN][3], goal_tokens=[])
    publish(tmp_path, data)
    run(str(tmp_path), Suites())
    pages = {page.name: page.read_text() for page in (tmp_path / "validation").iterdir()}
    assert set(pages) == {"index.html", "records.html", "examples.html", "rejected.html", "phrases.html"}
    for page in pages.values():
        assert not re.search(r"<script|<link|<img|https?://", page)
        assert all((tmp_path / "validation" / link).exists() for link in re.findall(r'href="([^"#]+)"', page))
    assert ROW in pages["index.html"] and "✗ broken" in pages["index.html"]
    assert "goal_tokens is never empty" in pages["examples.html"]
    assert "1 unexpected values found" in pages["examples.html"]


def test_without_suites_the_index_is_the_only_page(tmp_path: Path) -> None:
    publish(tmp_path, a_data_set())
    run(str(tmp_path))
    (index,) = (tmp_path / "validation").iterdir()
    assert "rules hold" in index.read_text() and "href" not in index.read_text()


def test_a_folder_that_publishes_nothing_is_a_fault_of_the_run(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=re.escape(str(tmp_path))):
        run(str(tmp_path))
