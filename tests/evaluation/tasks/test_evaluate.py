"""`allsaid evaluate`: acts of an inn, learned for a moment by each kind of model, and scored by both protocols."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from in_process import allsaid
from small_data import make_example, publish
from small_inn import NAMES, make
from tiny_model import save_tiny_model

from allsaid.modeling.data.dataset import DataSet
from allsaid.modeling.text.restore import Casing, restore
from batch_infer.job.generate import run as generate
from batch_infer.options.generate import GenerateOptions
from evaluation.measures.slots import polarity
from evaluation.options import EvaluateOptions
from evaluation.tasks import dialogue, evaluate
from evaluation.tasks.rows import VOCABULARY
from evaluation.tasks.system import Subject, find, write
from schemas.act import Slot
from schemas.errors import UserError
from training.options import TrainOptions
from training.runs import start
from training.tracking import connection
from training.tracking.results import Server


@pytest.fixture(autouse=True)
def no_java(monkeypatch: pytest.MonkeyPatch) -> None:
    """METEOR takes longer than all the rest; it has a test of its own."""
    monkeypatch.setenv("PATH", "")


@pytest.fixture(scope="module")
def inn(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make(tmp_path_factory.mktemp("inn")).parent


@pytest.mark.parametrize("config", ["dialogue", "dialogue-paper", "sclstm", "encdec"])
def test_a_model_of_each_kind_is_trained_and_scored(inn: Path, tmp_path: Path, config: str) -> None:
    settings = ["epochs=15", "hidden=24", "batch_size=3", "learning_rate=0.02", "optimiser=adam", "max_tokens=12"]
    start.train(
        TrainOptions(
            config=config,
            data=str(inn / "data"),
            set=tuple(settings),
            run_dir=tmp_path / "run",
            name="inn",
            tracking="offline",
        )
    )
    system = find(str(tmp_path / "run" / "model"))
    figures = evaluate.measure(Subject(system, DataSet(str(inn / "data")), "test")).figures
    assert figures["texts"] == 12
    assert figures["bleu/paper"] > 50
    assert figures["slot_error_percent"] < 50
    assert 0 <= figures["bleu/rnnlg"] <= 1
    assert "meteor/paper" not in figures
    generate(
        GenerateOptions(str(tmp_path / "run" / "model"), str(inn / "data"), str(tmp_path / "texts"), max_tokens=12)
    )
    texts = pq.read_table(tmp_path / "texts" / "texts").to_pylist()
    assert any(name in text["text"].lower() for name in NAMES for text in texts)
    if config == "dialogue":  # its texts are chosen by what the judge measures
        data = DataSet(str(inn / "data"))
        written = {text["id"]: text["tokens"] for text in texts}
        examples = list(system.task.examples(data, "test"))
        assert write(system, data, examples) == [written[example.id] for example in examples]


def test_a_slot_with_both_values_is_a_question() -> None:
    both = [Slot("kidsallowed", "yes"), Slot("kidsallowed", "no")]
    assert polarity(["do", "kids", "come"], both).stated == []


@pytest.mark.usefixtures("own_folder")
def test_the_handcrafted_texts_are_a_system(inn: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert allsaid("evaluate", "handcrafted", "--data", str(inn / "data"), "--split", "test") == 0
    printed = capsys.readouterr()
    assert "BLEU-4, the paper's protocol" in printed.out and "% slot errors" in printed.out
    assert "METEOR needs Java, which is not installed" in printed.err
    assert "MLflow has these figures and 12 dev texts as run " in printed.err


def test_act_values_are_found_in_published_texts(inn: Path) -> None:
    data = DataSet(str(inn / "data"))
    act = next(act for act in data.acts("test") if act.normalised.startswith("red door serves soup"))
    given, extra = "percent_given", "extra_items"
    texts = ["red door serves soup", "red door serves pie", "SLOT_AREA serves soup", "nothing"]
    found = [dialogue.coverage([text], [act], dialogue.values_of(data)) for text in texts]
    assert [(one[given], one[extra]) for one in found] == [(100, 0), (50, 1), (50, 1), (0, 0)]
    assert (found[1][f"low/{given}"], found[1][f"high/{extra}"]) == (50, 1)


def test_the_nearest_text_of_an_act_has_the_acts_values(inn: Path) -> None:
    found = evaluate.measure(Subject(find("nn"), DataSet(str(inn / "data")), "test"), slow=False)
    assert found.figures["percent_given"] == found.figures["true/percent_given"] == 100
    assert found.figures["extra_items"] == found.figures["slot_error_percent"] == 0
    assert all(any(name in row.text for name in NAMES) and "slot" not in row.text for row in found.rows)


@pytest.mark.usefixtures("own_folder")
def test_what_cannot_be_scored_is_told(inn: Path, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="Leave it out"):
        evaluate.run(EvaluateOptions("handcrafted", str(inn / "data"), limit=3))
    with pytest.raises(UserError, match="--split x: a data set has the splits train, dev, test"):
        evaluate.run(EvaluateOptions("handcrafted", str(inn / "data"), "x"))
    with pytest.raises(UserError, match="There is no model folder"):
        evaluate.run(EvaluateOptions(str(tmp_path / "none"), str(inn / "data")))
    with pytest.raises(UserError, match=r"asks for the baseline 'handcraft'; .* Did you mean 'handcrafted'"):
        evaluate.run(EvaluateOptions("handcraft", str(inn / "data")))
    model = str(save_tiny_model(tmp_path / "tiny"))
    with pytest.raises(UserError, match=r"--swap writes names into a recipe's text, but .* holds dialogue acts"):
        evaluate.run(EvaluateOptions(model, str(inn / "data"), swap=True))
    with pytest.raises(UserError, match="'handcrafted' has no search"):
        evaluate.run(EvaluateOptions("handcrafted", str(inn / "data"), set=("width=3",)))


def test_an_unreachable_server_costs_no_figures(
    inn: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("MLFLOW_TRACKING_URI", "http://127.0.0.1:9")
    with pytest.raises(UserError, match=r"MLflow at http://127.0.0.1:9 failed"):
        evaluate.run(EvaluateOptions("handcrafted", str(inn / "data")))
    server = Server.__new__(Server)  # as one that answered once
    server.uri, server.client = "http://127.0.0.1:9", connection.connect("http://127.0.0.1:9")
    monkeypatch.setattr(evaluate, "Server", lambda: server)
    assert evaluate.run(EvaluateOptions("handcrafted", str(inn / "data")))["texts"] == 12
    assert "The figures above are not logged. MLflow at http://127.0.0.1:9 failed" in capsys.readouterr().err


def test_nearest_training_texts_are_scored(tmp_path: Path) -> None:
    known = make_example(1)
    lost = replace(make_example(2), goal_tokens=["soup"], agenda=["1 cup of unicorn"], agenda_tokens=[["unicorn"]])
    splits = {"train": [make_example(number) for number in (1, 3)], "dev": [known], "test": [known, lost]}
    data = DataSet(str(publish(tmp_path / "data", splits)))
    found = evaluate.measure(Subject(find("nn"), data, "test", 2), slow=False)
    (row,) = found.rows
    assert (row.text, row.missing, row.extra) == (restore(known.tokens, Casing({}, frozenset())), [], [])
    figures = found.figures
    assert (figures["percent_given"], figures["true/percent_given"], figures["texts"]) == (50, 50, 2)
    assert (figures["low/percent_given"], figures["high/percent_given"]) == (0, 100)
    assert figures["doubled_items"] == figures["catch_all_percent"] == 0
    counts = found.documents[VOCABULARY]
    assert counts["true"] == [6, 6] and figures["distinct_tokens"] == 2  # the training part has these five times
    assert Subject(find("nn"), data, "test").key != Subject(find("nn"), data, "dev").key
    assert evaluate.PACE in evaluate.measured(find("nn").task, data)
    assert evaluate.PACE not in figures
    assert evaluate.measure(Subject(find("nn"), data, "test", 2), slow=False, timed=True).figures[evaluate.PACE] > 0


def test_extra_items_of_recipes_by_both_rules(tmp_path: Path) -> None:
    text = ["brown", "the", "beef", "."]
    near = replace(make_example(1), tokens=text, surface=text, ref_types=[0] * 4, ref_items=[-1] * 4)
    near = replace(near, agenda=["beef"], agenda_tokens=[["beef"]])
    squash = replace(make_example(2), goal_tokens=near.goal_tokens, agenda=["squash"], agenda_tokens=[["squash"]])
    data = DataSet(str(publish(tmp_path / "data", {"train": [near], "dev": [squash], "test": [squash]})))
    figures = evaluate.measure(Subject(find("nn"), data, "test"), slow=False).figures
    assert (figures["extra_items"], figures["extra_items/training"]) == (1, 0)
    assert figures["true/extra_items/training"] == 0


def test_swapping_is_another_system_than_its_model(tmp_path: Path) -> None:
    example = make_example(1)
    data = DataSet(str(publish(tmp_path / "data", {"train": [example], "dev": [example], "test": [example]})))
    model = str(save_tiny_model(tmp_path))
    swapped, plain = find(model, swap=True), find(model, ["max_tokens=3"])
    (row,) = evaluate.measure(Subject(swapped, data, "test", 1), slow=False).rows
    assert row.tokens == example.tokens  # the neighbour is the recipe itself, so nothing is extraneous
    assert len(evaluate.measure(Subject(plain, data, "test", 1), slow=False).rows[0].tokens) <= 3
    assert len({Subject(system, data, "test").key for system in (swapped, plain, find(model))}) == 3
    with pytest.raises(UserError, match="'nn' has no model that could swap"):
        find("nn", swap=True)


@pytest.mark.parametrize(
    ("text", "value", "wrong"),
    [
        ("red door allows kid -s .", "yes", False),
        ("red door allows kid -s .", "no", True),
        ("red door does not allow kid -s .", "no", False),
        ("red door does not allow kid -s .", "yes", True),
        ("it does not have internet , but kid -s are welcome .", "yes", False),
        ("kid -s are welcome and no dog -s are", "yes", False),
        ("red door is nice .", "no", False),  # not told: no error of polarity
    ],
)
def test_polarity_is_judged_in_the_keywords_clause(text: str, value: str, wrong: bool) -> None:
    found = polarity(text.split(), [Slot("kidsallowed", value), Slot("area", "dont_care")])
    assert found.wrong == (["kidsallowed"] if wrong else [])
    assert found.stated == ([] if "nice" in text else ["kidsallowed"])
