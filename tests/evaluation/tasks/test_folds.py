"""Cross-validation: a model that was trained without a fold of dialogues is scored on that fold."""

from __future__ import annotations

from pathlib import Path

from small_data import publish
from small_dialogues import DIALOGUES, OFFERS

from allsaid.modeling.data.dataset import DataSet
from allsaid.modeling.saved.model_folder import Bundle, build_model, save
from allsaid.modeling.tasks import table_dialogue
from evaluation.compare.comparison import Line, Run
from evaluation.compare.table import Entry
from evaluation.tasks import evaluate, rows
from evaluation.tasks.system import Subject, find
from training.configs import load_config


def test_a_model_is_scored_on_its_own_fold(tmp_path: Path) -> None:
    data = DataSet(str(publish(tmp_path / "data", {}, dialogues={"train": DIALOGUES}, offers=OFFERS)))
    config = load_config("table-pointer", ["hidden=6", "text_cutoff=1", "max_tokens=5", "fold=2"])
    vocabularies = table_dialogue.TASK.build_vocabularies(data.of_fold(2), config.data)
    save(tmp_path / "model", Bundle(build_model(config, vocabularies), config, vocabularies))
    system = find(str(tmp_path / "model"))
    subject = Subject(system, system.split(data), "test")
    evaluate.check(subject)
    scored = rows.chosen(system.task, subject.data, "test", None)
    assert {one.id.rpartition("-")[0] for one in scored} == {one.id for one in DIALOGUES if one.fold == 2}
    found = evaluate.measure(subject)
    assert found.figures["texts"] == len(scored)
    assert found.figures["perplexity_table"] > 1 and found.figures["true/bleu"] > 99


def test_folds_show_mean_deviation_and_median() -> None:
    figure = table_dialogue.TASK.figures["perplexity_table_oov"]
    runs = [Run("", "", "models:/a/1", {figure.key: value}) for value in (1.0, 2.0, 6.0)]
    line = Line(Entry("a", "A"), [*runs, Run("", "", "models:/a/2", {})])
    assert line.cell(figure, of_folds=True) == "3.00 ± 2.65 (2.00)"
    assert line.cell(figure) == "3.00 ± 2.65"
