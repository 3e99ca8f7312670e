"""Models that copy words of a sequence, on a user's table, acts and recipes, by a configuration alone."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest
import small_inn
from in_process import allsaid
from small_data import FOODS, make_example, publish

from allsaid.modeling.data.dataset import DataSet
from allsaid.modeling.saved.model_folder import load
from allsaid.modeling.tasks.sequence import TASK
from batch_infer.proof import summary
from batch_infer.proof.texts import read_rows
from schemas.checks.table import from_table
from schemas.example import NO_ITEM, SPLITS
from schemas.texts.attention import Attention
from training.fitting.scores import generate
from training.options import TrainOptions
from training.runs import start

ROOT = Path(__file__).resolve().parents[2]
SMALL = ["epochs=1", "hidden=8", "width=2", "max_tokens=12", "score_texts=2"]


@pytest.fixture(scope="module")
def inn(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_inn.make(tmp_path_factory.mktemp("inn"))


POINTERS = [("latent-table", system) for system in ("latent", "pointer", "attention", "seq2seq")]
NOTES = [("scratchpad-table", system) for system in ("scratchpad", "coverage", "copynet", "seq2seq")]


@pytest.mark.parametrize(("config", "system"), [*POINTERS, *NOTES, ("transformer-table", "")])
def test_acts_are_learned_by_each_system_of_the_kind(config: str, system: str, inn: Path, tmp_path: Path) -> None:
    settings = [*SMALL, *([f"system={system}"] if system else [])]
    start.train(
        TrainOptions(
            config=config, data=str(inn), set=tuple(settings), run_dir=tmp_path / "run", name="inn", tracking="offline"
        )
    )
    bundle = load(tmp_path / "run" / "model")
    assert bundle.task == TASK.of_agendas
    rows = list(DataSet(str(inn)).examples("test"))[:3]
    for row, one in zip(rows, generate(bundle, rows, bundle.config.search), strict=True):
        assert one.finished or len(one.tokens) == 12
        slots = {word for word in bundle.words(one.tokens, row) if word.startswith("SLOT_")}
        assert slots <= {word for item in row.agenda_tokens for word in item} - {"SLOT_KIDSALLOWED_NO"}
    events = [json.loads(line) for line in (tmp_path / "run" / "spool.jsonl").read_text().splitlines()]
    params = {key: value for event in events if event["event"] == "params" for key, value in event["values"].items()}
    assert (params["table"], params["view"]) == ("False", "True")


@pytest.mark.parametrize("config", ["latent", "scratchpad", "transformer"])
def test_recipes_are_learned_and_their_items_copied(config: str, tmp_path: Path) -> None:
    parts = {split: [make_example(number) for number in range(start, start + 12)] for start, split in enumerate(SPLITS)}
    data = str(publish(tmp_path / "data", parts))
    settings = ["epochs=12", "hidden=16", "text_cutoff=100", "batch_size=4", "learning_rate=0.01", "max_tokens=30"]
    start.train(
        TrainOptions(
            config=config, data=data, set=tuple(settings), run_dir=tmp_path / "run", name="baker", tracking="offline"
        )
    )
    bundle = load(tmp_path / "run" / "model")
    assert bundle.task == TASK.of_agendas and not set(FOODS) & {*bundle.vocabularies.text.words}
    rows = list(DataSet(data).examples("test"))
    texts = [
        bundle.words(one.tokens, row)
        for row, one in zip(rows, generate(bundle, rows, bundle.config.search), strict=True)
    ]
    foods = [set(text) & set(FOODS) for text in texts]
    assert any(foods)
    for row, found in zip(rows, foods, strict=True):
        assert found <= {word for item in row.agenda_tokens for word in item} | {*row.goal_tokens}


def test_a_kind_without_a_view_says_what_it_reads(
    inn: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert allsaid("train", "table-pointer", "--data", str(inn)) == 1
    told = " ".join(capsys.readouterr().err.split())
    assert (
        "A model of kind 'table_pointer' has the task 'table_dialogue', which reads dialogues and offers, but" in told
    )
    assert "holds acts, examples. Choose another data set, or a model of another task." in told


@pytest.mark.slow
def test_a_user_s_table_is_learned_written_and_scored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("MLFLOW_TRACKING_URI", raising=False)
    monkeypatch.setenv("PATH", "")  # METEOR needs Java and has a test of its own
    table = ("--input", str(ROOT / "samples" / "products.csv"), "--mapping", str(ROOT / "samples" / "products.yaml"))
    assert allsaid("ingest", "records", *table, "--output", "products") == 0
    small = [word for setting in ("epochs=12", "hidden=48", "score_texts=10") for word in ("--set", setting)]
    assert allsaid("train", "latent-table", "--data", "products", "--name", "shop", "--run-dir", "run", *small) == 0
    assert load(tmp_path / "run" / "model").task == TASK.of_agendas.of_table
    asked = ("--input", str(ROOT / "samples" / "new_products.csv"), "--output", "texts", "--attention")
    assert allsaid("generate", "--model", "models:/shop/1", *asked, "--min-coverage", "100") == 0
    rows = list(read_rows("texts"))
    assert summary.read("texts").mean("percent_given") > 80 and not [row for row in rows if "SLOT" in row.text]
    for row, picture in zip(rows, from_table(pq.read_table("texts/attention"), Attention), strict=True):
        slots = [(token, row.agenda[item]) for token, item in zip(row.tokens, row.ref_items, strict=True) if item >= 0]
        assert all(line.startswith(token.removeprefix("SLOT_")[:4].lower()) for token, line in slots if "SLOT" in token)
        assert {one.place for one in picture.weights if one.item == NO_ITEM} <= {"", *row.goal.lower().split()}
    assert any(row.ref_items.count(NO_ITEM) < len(row.tokens) for row in rows)
    assert allsaid("report", "texts") == 0 and ">p(z = 1)</th>" in Path("texts", "report.html").read_text()
    capsys.readouterr()
    assert allsaid("evaluate", "models:/shop/1", "--data", "products", "--split", "dev") == 0
    assert "% slot errors" in capsys.readouterr().out
