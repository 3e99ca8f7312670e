"""Documents as batches, what their perplexities are, and a training of a language model without search."""

from __future__ import annotations

import json
from dataclasses import replace
from math import exp
from pathlib import Path

import numpy as np
import pytest
import torch
from small_books import make_document, publish_books

from allsaid.modeling.config import Config, DataConfig, FitConfig
from allsaid.modeling.data.dataset import DataSet
from allsaid.modeling.data.vocabulary import PAD, START, UNKNOWN
from allsaid.modeling.models.entities import Settings
from allsaid.modeling.saved.model_folder import load
from allsaid.modeling.tasks import document
from batch_infer.proof.judges import judge_of
from schemas.document import NO_ENTITY
from schemas.errors import UserError
from training.options import TrainOptions
from training.runs import start

CONFIG = Config(
    DataConfig(text_cutoff=1, batch_size=3),
    Settings(hidden=8, init=0.3, dropout=0.1),
    FitConfig(epochs=2, optimiser="adam", learning_rate=0.02, average=0.9),
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    books = [make_document(number, part) for number in range(4) for part in range(2)]
    dev = [make_document(5), make_document(5, 1, sentences=0), make_document(6)]
    return publish_books(tmp_path_factory.mktemp("books"), {"train": books, "dev": dev, "test": dev[:1]})


def train(folder: Path, run_dir: Path, *settings: str, config: Config = CONFIG) -> Path:
    written = run_dir.parent / f"{run_dir.name}.yaml"
    written.write_text(config.to_yaml())
    start.train(
        TrainOptions(config=str(written), data=str(folder), set=tuple(settings), run_dir=run_dir, tracking="offline")
    )
    return run_dir / "model"


@pytest.fixture(scope="module")
def plain(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return train(folder, tmp_path_factory.mktemp("runs") / "lm", "entity_states=false")


def test_a_batch_says_where_each_entity_was_last_mentioned(folder: Path, tmp_path: Path) -> None:
    data = DataSet(str(folder))
    vocabularies = document.TASK.build_vocabularies(data, CONFIG.data)
    batch = document.TASK.collate(document.TASK.encode(data, "dev", vocabularies, tmp_path), np.array([0, 1]), 100)
    true = make_document(5)
    assert vocabularies.text.decode(batch.targets[0].tolist()) == true.tokens
    assert batch.inputs[0].tolist() == [START, *batch.targets[0, :-1].tolist()]
    assert batch.entities[0].tolist() == true.entities
    for t in range(len(true.tokens)):
        newest = [max((m + 1 for m in range(t) if true.entities[m] == entity), default=0) for entity in (0, 1)]
        assert batch.newest[0, t].tolist() == newest
    assert (batch.entities[1] == NO_ENTITY).all() and (batch.targets[1, 3:] == PAD).all() and not batch.newest[1].any()


def test_a_long_document_is_cut(folder: Path, tmp_path: Path) -> None:
    data = DataSet(str(folder))
    vocabularies = document.TASK.build_vocabularies(data, CONFIG.data)
    batch = document.TASK.collate(document.TASK.encode(data, "dev", vocabularies, tmp_path), np.array([0, 1]), 4)
    assert (batch.targets.shape, batch.newest.shape) == ((2, 4), (2, 4, 1))


def test_perplexities_are_those_of_the_words_one_by_one(folder: Path, plain: Path, tmp_path: Path) -> None:
    bundle, data = load(plain), DataSet(str(folder))
    ids = document.TASK.encode(data, "dev", bundle.vocabularies, tmp_path)
    scores = document.TASK.measure_losses(bundle.model, ids, bundle.config.data)
    batch = document.TASK.collate(ids, np.arange(3), 100)
    with torch.no_grad():
        logs = bundle.model.annotated(batch)
    for key, chosen in {
        "perplexity": batch.targets != PAD,
        "perplexity_entity": batch.entities != NO_ENTITY,
        "perplexity_word": (batch.targets != PAD) & (batch.entities == NO_ENTITY),
    }.items():
        assert scores[key] == pytest.approx(exp(-logs[chosen].mean().item()), rel=1e-5)
    assert scores["marginal_entity"] == scores["perplexity_entity"]
    assert (scores["texts"], scores["unknown_percent"]) == (3, 100 * np.mean(ids.text == UNKNOWN))


def test_no_entities_no_mention_perplexity(plain: Path, tmp_path: Path) -> None:
    bare = [make_document(number, sentences=0) for number in range(3)]
    folder = publish_books(tmp_path / "bare", {"train": bare, "dev": bare, "test": bare})
    bundle = load(train(folder, tmp_path / "run"))
    ids = document.TASK.encode(DataSet(str(folder)), "dev", bundle.vocabularies, tmp_path)
    scores = document.TASK.measure_losses(bundle.model, ids, bundle.config.data)
    assert not {"perplexity_entity", "marginal_entity"} & scores.keys()
    assert all(map(np.isfinite, scores.values()))


EMPTY = replace(make_document(7), tokens=[], originals=[], entities=[], chains=[])
WORD = replace(EMPTY, tokens=["rains"], originals=["Rains"], entities=[NO_ENTITY])
NAME = replace(EMPTY, tokens=["ann"], originals=["Ann"], entities=[0], chains=["1"])


@pytest.mark.parametrize("setting", ["entity_states=true", "entity_states=false"])
def test_documents_of_one_word_or_none_work(tmp_path: Path, setting: str) -> None:
    train_part = [make_document(1), EMPTY, WORD, NAME]
    folder = publish_books(tmp_path / "short", {"train": train_part, "dev": [WORD, EMPTY, NAME], "test": [EMPTY]})
    alone = replace(CONFIG, data=replace(CONFIG.data, batch_size=1))  # a batch of nothing, too
    bundle = load(train(folder, tmp_path / "run", setting, config=alone))
    assert all(weight.isfinite().all() for weight in bundle.model.parameters())

    def measure(split: str) -> dict[str, float]:
        ids = document.TASK.encode(DataSet(str(folder)), split, bundle.vocabularies, tmp_path / split)
        return document.TASK.measure_losses(bundle.model, ids, bundle.config.data)

    dev = measure("dev")  # with a word of each kind
    assert dev["perplexity"] == pytest.approx((dev["perplexity_entity"] * dev["perplexity_word"]) ** 0.5)
    assert measure("test") == {"unknown_percent": 0, "texts": 1}


def test_a_dev_part_without_a_word_is_told(tmp_path: Path) -> None:
    folder = publish_books(tmp_path / "books", {"train": [make_document(1)], "dev": [EMPTY], "test": [WORD]})
    with pytest.raises(UserError, match=r"The dev part of .*books holds no text; .*: --set dev_share=0.3\."):
        train(folder, tmp_path / "run")


def test_a_training_decides_by_perplexity_and_writes_no_texts(plain: Path) -> None:
    run_dir = plain.parent
    assert not (run_dir / "samples").exists() and (run_dir / "loss.png").exists()
    spooled = [json.loads(line) for line in (run_dir / "spool.jsonl").read_text().splitlines()]
    (model,) = [event for event in spooled if event["event"] == "model"]
    assert list(model["measured"]["scores"]) == ["perplexity", "texts"]
    final = [event["values"] for event in spooled if "final_perplexity_entity" in event.get("values", {})]
    assert final and not any(name.startswith("true/") for name in final[0])
    with pytest.raises(UserError, match="the task 'document' measures texts and writes none"):
        judge_of(load(plain))


def test_a_training_starts_from_the_weights_of_another_model(folder: Path, plain: Path, tmp_path: Path) -> None:
    still = replace(CONFIG, fit=replace(CONFIG.fit, learning_rate=0.0))
    started = load(train(folder, tmp_path / "pointer", f"start_from={plain}", config=still))
    theirs = load(plain).model.state_dict()
    ours = started.model.state_dict()
    assert all(torch.allclose(ours[name], value, atol=1e-6) for name, value in theirs.items())
    assert "w_2.weight" in ours


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        (["hidden=9"], "'embedding' has another size. Give it the sizes of this configuration"),
        (["text_cutoff=9"], "has other vocabularies than this one. Train both on the same data"),
    ],
)
def test_a_model_that_can_not_be_started_from_is_told(
    folder: Path, plain: Path, tmp_path: Path, settings: list[str], reason: str
) -> None:
    with pytest.raises(UserError, match=reason):
        train(folder, tmp_path / "run", f"start_from={plain}", *settings)


def test_a_cutoff_that_leaves_no_word_is_told(folder: Path) -> None:
    with pytest.raises(UserError, match=r"is seen 1000 times, so the vocabulary is empty\. Set text_cutoff lower"):
        document.TASK.build_vocabularies(DataSet(str(folder)), DataConfig(text_cutoff=1000))
