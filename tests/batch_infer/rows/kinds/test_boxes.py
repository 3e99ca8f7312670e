"""Boxes as people write them: what becomes of their values, and which rows can't be read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from batch_tables import write_lines
from cases import cases

from allsaid.modeling.tasks import box, template
from batch_infer.rows.inputs import row_of_task
from batch_infer.rows.kinds import boxes, json_lines


def read(**given: Any) -> box.Row:
    return box.TASK.read_row(boxes.prepare({"id": "1", "fields": given}))


@cases
def test_values_are_tokenised_and_shown_detokenised(value: Any, words: str, line: str) -> None:
    row = read(name=value)
    assert " ".join(row.table.originals) == words and row.agenda == [f"name: {line}"]
    assert row.table.positions == list(range(1, len(row.table.originals) + 1)) == row.table.ends[::-1]


def test_the_first_field_names_a_row_without_a_title() -> None:
    assert read(name="Ada (née Byron)", born=1815).title == "Ada (née Byron)"
    assert box.TASK.read_row(boxes.prepare({"id": "1", "title": "A", "fields": {"name": "Ada"}})).title == "A"


def test_names_are_written_as_in_the_corpora() -> None:
    row = read(**{"Birth  date": "1815", "birth_date": "10", "größe/ø:1_2": "5", "empty": " "})
    assert [name for name, _, _ in row.table.items] == ["birth_date", "birth_date", "größe/ø:1_2"]
    assert template.templates_of(row.table)[2] == "⟨größe/ø:1_2_1⟩"


def test_a_table_has_at_most_5000_words() -> None:
    assert len(read(name="w " * 4990, born=" ".join("0123456789")).table.tokens) == 5000
    row = row_of_task(box.TASK, {"id": "1", "fields": {"name": "w " * 5001}})
    assert row.error == "The 'fields' of the row have 5,001 words; at most 5,000 can be read."


NO_WORD = 'The row has no \'fields\' with words, such as {"name": "Ada Lovelace", "born": "1815"}.'
NO_VALUE = "The value of the field 'born' is no text and no number. Write it as one, or leave it out."


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        (None, NO_WORD),
        ({}, NO_WORD),
        ({"name": " \t", "born": ""}, NO_WORD),
        ([["name", "Ada"]], NO_WORD),
        ("name: Ada", "The 'fields' of a row are an object of names and values"),
        ({" ": "Ada"}, "A field of the row has no name."),
        ({"born": None}, NO_VALUE),
        ({"born": True}, NO_VALUE),
        ({"born": ["1815"]}, NO_VALUE),
        ({"born": {"year": 1815}}, NO_VALUE),
        ({"born": float("nan")}, NO_VALUE),
        ({"born": float("inf")}, NO_VALUE),
    ],
)
def test_a_row_that_is_no_box_is_told(fields: Any, sentence: str) -> None:
    error = row_of_task(box.TASK, {"id": "1", "fields": fields}).error
    assert error and error.startswith(sentence) and error.endswith(".")


def test_a_field_that_stands_twice_is_no_silent_loss(tmp_path: Path) -> None:
    lines = ['{"id": "1", "fields": {"name": "Ada", "name": "Byron"}}', json.dumps({"id": "2"})]
    path = write_lines(tmp_path / "rows.jsonl", lines)
    first, second = json_lines.read(str(path), "rows.jsonl", 0, 1, 2)
    assert first.fault == (
        "Line 1 of rows.jsonl is no JSON (the name 'name' occurs twice in one object, where only one value counts)."
    )
    assert second.values == {"id": "2"} and second.fault is None
