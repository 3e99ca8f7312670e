"""Goals and values that training has never seen, and goals as values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from small_shelves import STRANGE

from allsaid.decoding.write import write as search_texts
from allsaid.gates import GateBroken
from allsaid.modeling.data.agenda_arrays import Prompt
from allsaid.modeling.data.dataset import DataSet
from allsaid.modeling.saved.model_folder import load
from allsaid.proof.coverage import Coverage
from allsaid.proof.slots import SlotErrors
from batch_infer.job import validate
from batch_infer.job.generate import run as generate
from batch_infer.options.generate import GenerateOptions
from batch_infer.proof.agenda import Judge
from batch_infer.report.report import write as report
from batch_infer.rows.inputs import Row
from evaluation.tasks import dialogue
from schemas.act import Act, Slot
from schemas.errors import UserError


def test_what_training_never_saw_is_named_and_counted(shop: Path, tmp_path: Path) -> None:
    (tmp_path / "new.csv").write_text(STRANGE)
    where = (str(shop / "run" / "model"), str(tmp_path / "new.csv"))
    summary = generate(GenerateOptions(*where, str(tmp_path / "texts"), min_coverage=100.0))
    found = pq.read_table(tmp_path / "texts" / "texts").to_pylist()
    assert [row["unfamiliar"] for row in found] == [[], ["goal=hammock", "colour=teal"], ["goal=step stools"]]
    assert all(row["error"] is None for row in found)
    assert (summary.unfamiliar_rows, summary.unfamiliar_goals) == (2, 2)
    stool, hammock, _ = found
    assert "goal=  STEP  Stool" not in stool["missing"] and stool["percent_given"] == 100
    assert (hammock["missing"], hammock["unfitted"], hammock["unfitted_why"]) == (*[["goal=hammock"]] * 2, ["unknown"])
    assert (hammock["percent_given"], hammock["below_min_coverage"]) == (80, True)
    page = Path(report(str(tmp_path / "texts"))).read_text()
    assert "goal=hammock (unknown)" in page
    assert ("of them with a goal never seen", "2", "") in summary.rows()
    assert "colour=teal" in page
    assert all(outcome.passed for outcome in validate.run(str(tmp_path / "texts")))


@pytest.mark.parametrize(
    ("goal", "said", "is_given", "extra"),
    [
        ("hammock", "shelf", False, ["goal=shelf"]),
        ("shelf", "shelf", True, []),
        ("Shelf", "shelves", True, []),
        ("step stool", "step stool", True, []),
        ("step stool", "stool", False, []),
        ("shelf", "step stool", False, ["goal=step stool"]),
    ],
)
def test_a_goal_counts_as_a_value(shop: Path, goal: str, said: str, is_given: bool, extra: list[str]) -> None:
    words = f"the SLOT_COLOUR {said} SLOT_NAME is SLOT_WIDTH".split()
    row = Row(goal, ["name=Elm", "colour=grey", "width=400 mm"], [], [["SLOT_NAME"], ["SLOT_COLOUR"], ["SLOT_WIDTH"]])
    found = Judge(load(shop / "run" / "model")).measure(words, row)
    assert (found.given, found.extra) == ([True, True, True, is_given], extra)
    act = Act("1", goal, [Slot("name", "elm"), Slot("colour", "grey")], "", "", [], [], "", "", 0)
    values = dialogue.values_of(DataSet(str(shop / "data")))
    assert values.goal_errors(f"the grey {said} elm", act) == SlotErrors(int(not is_given), len(extra), 1)


def test_wrong_texts_are_split_into_more_sentences(shop: Path) -> None:
    bundle = load(shop / "run" / "model")
    row = next(iter(DataSet(str(shop / "data")).examples("train")))

    def measure(words: Sequence[str], prompt: Prompt) -> Coverage:
        every, is_parted = [True] * len(prompt.agenda), "." in words[:-1]
        return Coverage(every, every, every, [] if is_parted else ["one sentence"], [], [])

    search = replace(bundle.config.search, min_coverage=100.0)
    (parted,) = search_texts(bundle, [row], search, measure=measure)
    (whole,) = search_texts(bundle, [row], search, measure=lambda *both: replace(measure(*both), extra=[]))
    (stays,) = search_texts(bundle, [row], search, measure=lambda *both: replace(measure(*both), extra=["x"]))
    assert "." in bundle.words(parted[0].tokens, row)[:-1]
    assert whole == stays and "." not in bundle.words(whole[0].tokens, row)[:-1]


def test_rarely_stated_goals_are_never_missing(shop: Path) -> None:
    bundle = load(shop / "run" / "model")
    assert bundle.seen is not None and bundle.says_goals
    judge = Judge(replace(bundle, seen=replace(bundle.seen, asks_goal=False)))
    words = ["the", "SLOT_COLOUR", "shelf", "SLOT_NAME", "is", "SLOT_WIDTH"]
    for goal, extra in (("shelf", []), ("hammock", ["goal=shelf"])):
        slots = ["SLOT_NAME"], ["SLOT_COLOUR"], ["SLOT_WIDTH"]
        row = Row(goal, ["name=Elm", "colour=grey", "width=400 mm"], [], [*slots])
        found = judge.measure(words, row)
        assert judge.required_lines(row) == row.agenda and (found.given, found.extra) == ([True, True, True], extra)


def test_rows_with_an_unfamiliar_goal_are_refused(shop: Path, tmp_path: Path) -> None:
    (tmp_path / "new.csv").write_text(STRANGE)
    where = (str(shop / "run" / "model"), str(tmp_path / "new.csv"), str(tmp_path / "texts"))
    with pytest.raises(GateBroken, match=r"66\.7% of 3 rows") as fault:
        generate(GenerateOptions(*where, refuse_unfamiliar=True))
    stool, hammock, stools = pq.read_table(tmp_path / "texts" / "texts").to_pylist()
    assert stool["error"] is None and stool["text"]
    told = "The goal '{}' was never seen in training ({}). Train with texts for it, or leave --refuse-unfamiliar out."
    assert hammock["error"] == told.format("hammock", "most frequent: 'shelf', 'step stool'")
    assert stools["error"] == told.format("step stools", "similar: 'step stool'")
    assert fault.value.reached.unfamiliar_goals == 2
    with pytest.raises(UserError, match="holds texts of a run that differs in refuse_unfamiliar"):
        generate(GenerateOptions(*where))
