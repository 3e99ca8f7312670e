"""Chains of relations become pairs with their questions; there is nothing that a question has to name."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from read_results import rejected
from small_pairs import QUESTIONS, as_lines, kept, results

from pipelines.source import KeptRecord
from pipelines.sources.webqsp.source import Settings, WebQSP
from schemas.runs.rejected import Rejected


def test_relations_are_split_and_entities_removed(tmp_path: Path) -> None:
    (_, one), (_, other) = kept(results("webqsp", tmp_path, {"pruning_test.txt": as_lines()}))
    assert (one.source, one.text) == ("location location containedby", "what country is the long pier in")
    assert other.source == "film actor film | film performance character s"
    assert other.source_tokens == other.source.split()
    assert (other.text, other.items) == ("who played finch in harbour lights", [])


def test_a_part_of_train_is_dev_by_the_question_alone(tmp_path: Path) -> None:
    questions = [(f"Where is pier {number} [m.0{number}]", QUESTIONS[0][1]) for number in range(200)]
    found = kept(results("webqsp", tmp_path, {"train.txt": as_lines(questions)}, dev_share=0.3))
    assert 30 < Counter(split for split, _ in found)["dev"] < 90
    again = kept(results("webqsp", tmp_path, {"train.txt": as_lines(questions[::-1])}, dev_share=0.3))
    assert {(split, row.text) for split, row in found} == {(split, row.text) for split, row in again}
    named = kept(results("webqsp", tmp_path, {"pruning_test.txt": as_lines(questions)}))
    assert {split for split, _ in named} >= {"test"}
    assert {split for split, row in named if row.file.endswith("pruning_test.txt")} == {"test"}


@pytest.mark.parametrize(
    ("bad", "reason", "detail"),
    [
        (b"who is it [m.01]\n", "no_relations", "Line 2 of a.txt is not a question, a tab and relations."),
        (b"who is it [m.01]\tpeople\n", "no_relations", "Line 2 of a.txt is not a question"),
        (b"who\tis it [m.01]\ta.b.c\n", "no_relations", "Line 2 of a.txt is not a question"),
        (b"[m.01]\tpeople.person.children\n", "no_text", "The text is empty."),
        (b"who is \xe9\tpeople.person.children\n", "not_utf8", "Line 2 of a.txt is not UTF-8"),
    ],
)
def test_a_bad_line_is_rejected_with_its_place(tmp_path: Path, bad: bytes, reason: str, detail: str) -> None:
    first, second = as_lines().splitlines(keepends=True)
    content = first + bad + b"\n" + second
    found = results("webqsp", tmp_path, {"a.txt": content})
    assert len(kept(found)) == 2
    assert [reason for reason, _ in rejected(found)] == [reason]
    (one,) = [result for result in found if isinstance(result, Rejected)]
    assert one.detail.startswith(detail) and one.head == bad == content[one.offset :][: len(bad)]


def test_the_real_files(data_root: Path) -> None:
    paths = [data_root / "webqsp" / f"pruning_{name}.txt" for name in ("test", "train")]
    found = [
        result for shard in WebQSP().plan([*map(str, paths)], Settings()) for result in WebQSP().read(shard, Settings())
    ]
    assert len(found) == 3036 + 1613 and all(isinstance(result, KeptRecord) for result in found)
    splits = Counter(result.split for result in found if isinstance(result, KeptRecord))
    assert splits == {"train": 2757, "dev": 279, "test": 1613}
