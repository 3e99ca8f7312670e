"""Texts for boxes: what they score by hand, and a model of boxes scored by `allsaid evaluate`."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from small_data import as_box, make_example
from untrained_subject import untrained

from allsaid.modeling.tables.box_table import Table
from allsaid.modeling.tasks import box
from allsaid.modeling.tasks.box import Example
from evaluation.measures.bootstrap import HIGH, LOW
from evaluation.tasks import boxes, evaluate
from evaluation.tasks.rows import TRUE
from schemas.box import NUMBER, YEAR
from training.configs import load_config

TABLE = Table(
    fields=["name", "name", "born", "born", "club"],
    positions=[1, 2, 1, 2, 1],
    ends=[2, 1, 2, 1, 1],
    tokens=["jane", "doe", "may", YEAR, "ajax"],
    originals=["Jane", "Doe", "May", "1954", "Ajax"],
)
TOKENS = ["jane", "doe", "-lrb-", "born", "may", YEAR, "-rrb-", "is", "a", "painter", "."]
EXAMPLE = Example("1", "jane doe", TABLE, "", TOKENS, TOKENS)


def test_a_copied_number_counts_as_the_reference_has_it() -> None:
    assert boxes.as_read(["Jane", "1954", "10,5", YEAR, "u21"]) == ["jane", YEAR, NUMBER, YEAR, "u21"]


def test_references_score_fully_except_missing_fields() -> None:
    figures = boxes.score([TOKENS], [EXAMPLE])
    assert figures["bleu"] == pytest.approx(100)
    assert figures["rouge_4"] == figures["parent_precision"] == pytest.approx(100)
    assert figures["nist"] == pytest.approx(
        math.log2(len(TOKENS))
    )  # no word stands twice, so longer n-grams tell nothing
    recall = 100 * (2 / 3) ** (1 / 3)  # two of three fields; the reference gives as many
    assert figures["parent_recall"] == figures[f"{TRUE}parent_recall"] == pytest.approx(recall)
    assert figures["parent"] == figures[f"{TRUE}parent"] == pytest.approx(200 * recall / (100 + recall))
    assert figures["texts"] == 1


def test_only_one_figure_tells_a_wrong_number_from_a_right_one() -> None:
    originals = ["1954" if token == YEAR else token for token in TOKENS]
    example = Example("1", "jane doe", TABLE, "", TOKENS, originals)
    for year, is_right in (("1954", True), ("1955", False), (YEAR, False)):
        figures = boxes.score([[year if token == YEAR else token for token in TOKENS]], [example])
        assert figures["parent_precision"] == pytest.approx(100)
        assert (figures[boxes.WRITTEN] == pytest.approx(100)) == is_right


def test_corpus_figures_and_means_have_intervals() -> None:
    wrong = ["she", "was", "here", "."]
    figures = boxes.score([TOKENS, wrong, TOKENS], [EXAMPLE] * 3)
    assert figures["rouge_4"] == pytest.approx(200 / 3)
    assert (figures[f"{LOW}rouge_4"], figures[f"{HIGH}rouge_4"]) == (0, 100)
    for name in ("bleu", "nist", "parent_precision", "parent_recall", "parent"):
        assert figures[LOW + name] < figures[name] < figures[HIGH + name], name


def test_a_model_of_boxes_is_scored(tmp_path: Path) -> None:
    written = list(map(as_box, map(make_example, range(6))))
    config = load_config("table-nlm", ["hidden=6", "text_cutoff=1", "field_cutoff=1", "max_tokens=9"])
    subject = untrained(tmp_path, "boxes", written, config, box.TASK)
    found = evaluate.measure(subject)
    assert evaluate.protocol_of(box.TASK, subject.data) == ("boxes", boxes)
    assert set(boxes.measured(box.TASK)) <= found.figures.keys()
    assert found.figures["texts"] == 4 and found.figures["perplexity"] > 1
    assert [row.id for row in found.rows] == sorted(one.id for one in written[:2])
    assert found.rows[0].missing is None and found.rows[0].agenda[0].startswith("dish: ")
