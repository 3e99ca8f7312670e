"""The one table of figures: what is measured or shown stands in it, and no label is typed a second time."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from small_data import make_example

from allsaid import PACKAGES
from allsaid.modeling.tasks.agenda import TASK
from allsaid.proof.coverage import Lexicon
from allsaid.proof.figures import FIGURES, RECORD_FIGURES
from batch_infer.job.record import COUNTS
from batch_infer.proof.summary import MEANS
from batch_infer.proof.tally import SHARES
from evaluation.compare.compare import MINUTES
from evaluation.tasks import dialogue, evaluate, recipes

ROOT = Path(__file__).resolve().parents[3]


def test_what_is_measured_stands_in_the_table() -> None:
    example = make_example(1)
    scores = {*TASK.score([example.tokens], [example], Lexicon({})), "certified_percent", "false_certificates"}
    measured = {*dialogue.measured(TASK), *recipes.measured(TASK), evaluate.PACE, MINUTES, "sentences_survived"}
    assert (
        {*scores, *MEANS, *COUNTS, *SHARES.values(), *measured, *TASK.deciding, *TASK.of_table.deciding}
        == FIGURES.keys()
        == RECORD_FIGURES.keys()
    )


def test_of_a_table_no_figure_speaks_of_head_words() -> None:
    assert RECORD_FIGURES["percent_given"].name == "% given values"
    assert not [key for key in MEANS if "head" in RECORD_FIGURES[key].name or "item" in RECORD_FIGURES[key].name]


def test_a_figure_is_shown_with_its_unit_and_digits() -> None:
    given, extra = FIGURES["percent_given"], FIGURES["extra_items"]
    assert (given.name, given.short, given.show(79.719)) == ("% given items (head word)", "% given", "79.7")
    assert (extra.name, extra.short, extra.show(0.5863)) == ("extra items a text", "extra items", "0.59")
    assert (FIGURES["texts"].show(12.0), given.show(None)) == ("12", "")


@pytest.mark.parametrize("room", PACKAGES)
def test_no_label_is_typed_a_second_time(room: str) -> None:
    labels = {one.name for one in FIGURES.values()} - {"texts"}  # a word of the language
    for path in (ROOT / room).rglob("*.py"):
        if path.name != "figures.py":
            nodes = ast.walk(ast.parse(path.read_text()))
            assert not labels & {node.value for node in nodes if isinstance(node, ast.Constant)}, path
