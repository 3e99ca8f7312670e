"""Which models are held back for a person, and how that is told."""

from __future__ import annotations

from typing import Any

import pytest

from allsaid.modeling.tasks.agenda import TASK
from training.tracking import promotion
from training.tracking.promotion import Decision, compare_rows, deciding_scores, hold_back, missed_floors

SCORES: dict[str, Any] = {"slot_error_percent": 0.0, "bleu": 30.0, "perplexity": 2.0, "texts": 30}


def scores(**changed: Any) -> dict[str, Any]:
    return SCORES | changed


def test_a_model_with_few_dev_texts_is_held_back() -> None:
    assert hold_back(scores(texts=29), "mugs", "2") == Decision(
        False,
        "It stays challenger: it was measured on 29 dev texts, and promotion needs 30; `allsaid promote mugs 2` makes "
        "it champion by hand.",
    )
    assert hold_back(scores(texts=30), "mugs", "2") is None
    assert missed_floors({"bleu": 30.0}) == [
        "it isn't recorded on how many dev texts it was measured, and promotion needs 30"
    ]


@pytest.mark.parametrize(
    ("certified", "missed"),
    [
        (None, []),  # no certificate is offered
        (50.0, []),
        (49.94, ["49.9% of its dev texts are certified, and promotion needs 50%"]),
        (float("nan"), ["nan% of its dev texts are certified, and promotion needs 50%"]),
    ],
)
def test_a_model_that_certifies_few_texts_is_held_back(certified: float | None, missed: list[str]) -> None:
    assert missed_floors(scores(certified_percent=certified)) == missed


def test_a_false_certificate_holds_a_model_back() -> None:
    assert missed_floors(scores(false_certificates=0)) == missed_floors(scores(false_certificates=None)) == []
    held = hold_back(scores(texts=12, certified_percent=90.0, false_certificates=2), "mugs", "3")
    assert held is not None and held.reason == (
        "It stays challenger: it was measured on 12 dev texts, and promotion needs 30; the dev check found 2 of its "
        "certificates false, and promotion allows none; `allsaid promote mugs 3` makes it champion by hand."
    )


def test_figures_with_a_floor_are_recorded() -> None:
    rule = {"slot_error_percent": 0.5, "bleu": 30.0, "perplexity": 2.5}
    floors = {"texts": 29.0, "certified_percent": 41.4, "false_certificates": 0.0}
    assert deciding_scores({"percent_given": 99.0, **rule, "tokens": 14.0, **floors}, TASK.of_table) == rule | floors
    recipes = {"percent_given": 70.0, "extra_items": 1.0, "bleu": 4.0, "texts": 200}
    assert deciding_scores(recipes, TASK) == recipes
    assert set(promotion.FLOORS) < set(TASK.of_table.figures)


ROWS = {"texts": 40.0, "percent_given": 98.0, "extra_items": 0.1, "errors": 1.0, "certified_percent": 90.0}


def test_texts_of_the_same_rows_may_be_no_worse() -> None:
    assert compare_rows(ROWS, ROWS).promote
    better = compare_rows(ROWS | {"percent_given": 99.0, "errors": 0.0}, ROWS)
    assert better.promote and "rows without a text 0, the champion's 1" in better.reason


@pytest.mark.parametrize(
    ("worse", "reason"),
    [
        ({"percent_given": 97.9}, "% given items (head word) 97.9, the champion's 98.0"),
        ({"extra_items": 0.2}, "extra items a text 0.20, the champion's 0.10"),
        ({"errors": 2.0}, "rows without a text 2, the champion's 1"),
        ({"certified_percent": 80.0}, "% certified texts 80.0, the champion's 90.0"),
        ({"texts": 29.0}, "it was measured on 29 texts, and promotion needs 30"),
    ],
)
def test_one_worse_figure_of_the_rows_keeps_the_champion(worse: dict[str, float], reason: str) -> None:
    assert compare_rows(ROWS | worse, ROWS) == Decision(
        False, f"It stays challenger: on the rows of the nightly run, {reason}."
    )
