"""Kneser-Ney as a model: what it counts, trains without learning, keeps and says."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from kenlm import need_lmplz
from plain_kneser_ney import PlainKneserNey
from recorded import Recorded
from safetensors import safe_open
from safetensors.torch import load_file, save_file
from small_data import as_box, make_example, publish

from allsaid.modeling.config import Config, DataConfig, FitConfig, SearchConfig
from allsaid.modeling.counting import lmplz
from allsaid.modeling.data.dataset import DataSet
from allsaid.modeling.models.kneser_ney import KneserNey, Settings
from allsaid.modeling.saved.model_folder import HASHES, WEIGHTS, load
from allsaid.modeling.tasks import box
from schemas.box import NUMBER, YEAR
from schemas.errors import UserError
from training.configs import load_config
from training.fitting import loop as fit
from training.fitting.finish import Result
from training.runs import run_folder

CONFIG = Config(
    DataConfig(text_cutoff=2, field_cutoff=1, batch_size=4),
    Settings(order=3),
    FitConfig(optimiser="adam", average=0.9, sample_texts=2, score_texts=3, checkpoint_steps=2),
    SearchConfig(width=3, max_tokens=40),
)
Run = tuple[Result, Recorded, Path]


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> DataSet:
    boxes = [as_box(make_example(number)) for number in range(30)]
    return DataSet(str(publish(tmp_path_factory.mktemp("data"), {}, boxes={"train": boxes[:22], "dev": boxes[22:]})))


def run(data: DataSet, run_dir: Path, resume: bool = False) -> Run:
    recorded = Recorded()
    run_folder.claim(CONFIG, data, run_dir, resume)
    return fit.train(CONFIG, data, run_dir, recorded, resume), recorded, run_dir  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def finished(data: DataSet, tmp_path_factory: pytest.TempPathFactory) -> Run:
    need_lmplz()
    return run(data, tmp_path_factory.mktemp("run"))


def test_a_model_without_parameters_has_one_epoch_that_measures(finished: Run) -> None:
    result, recorded, run_dir = finished
    assert result.steps == 6  # 22 texts, 4 a batch
    dev = [values for values, _ in recorded.told["metrics"] if "dev_perplexity" in values]
    assert len(dev) == 1 and {"dev_nll", "dev_bleu", "dev_perplexity_table", "dev_perplexity_other"} <= dev[0].keys()
    assert dev[0]["dev_nll"] < math.log(len(load(result.model_folder).vocabularies.text))
    assert dev[0]["dev_perplexity"] == pytest.approx(result.measured.scores["perplexity"])
    assert {path.name for (path,) in recorded.told["artifact"]} == {"samples", "loss.png", "vocabulary.json"}
    assert len([*(run_dir / "samples").iterdir()]) == 2
    assert {path.name for path in run_dir.iterdir() if path.is_dir()} == {"ids", "samples", "model"}


def test_the_model_folder_holds_the_counted_model(finished: Run, data: DataSet, tmp_path: Path) -> None:
    """Its perplexity on dev is that of a second implementation, which counts what the table's numbers are read as."""
    result, _, _ = finished
    known = load(result.model_folder).vocabularies.text
    texts = {split: [known.encode(one.tokens) for one in box.TASK.examples(data, split)] for split in ("train", "dev")}
    plain = PlainKneserNey([list(map(str, text)) for text in texts["train"]], 3, len(known) - 1)
    assert {*known.encode([NUMBER, YEAR])} <= {int(word) for word in plain.vocabulary if word.isdigit()}
    logs = []
    for text in texts["dev"]:
        words = ["<s>", *map(str, text), "</s>"]
        for place in range(1, len(words)):
            p = plain.probability(words[place], tuple(words[:place]))
            p += plain.probability("<unk>", tuple(words[:place])) if words[place] == "1" else 0
            logs.append(math.log(p))
    assert math.exp(-np.mean(logs)) == pytest.approx(result.measured.scores["perplexity"], rel=1e-4)
    assert result.rescore(result.model_folder) == result.measured.scores


def test_a_run_that_goes_on_counts_nothing_again(
    finished: Run, data: DataSet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def die(*_: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(fit._Run, "_end_epoch", die)
        with pytest.raises(KeyboardInterrupt):
            run(data, tmp_path)
    monkeypatch.setattr(KneserNey, "count", die)
    result, _, _ = run(data, tmp_path, resume=True)
    assert result.steps == finished[0].steps and result.measured.scores == finished[0].measured.scores
    ours, theirs = (load_file(one.model_folder / WEIGHTS) for one in (result, finished[0]))
    assert ours.keys() == theirs.keys() and all(torch.equal(ours[name], theirs[name]) for name in ours)


def test_weights_of_sizes_that_do_not_fit_are_told(finished: Run, tmp_path: Path) -> None:
    def cut(name: str, size: int) -> Callable[[dict[str, Any]], dict[str, Any]]:
        return lambda weights: weights | {name: weights[name][:size].clone()}

    folder = finished[0].model_folder
    for change, named in (
        (cut("ngrams.longer.0.log_probs", 3), "'ngrams.longer.0.log_probs' is 3"),
        (cut("ngrams.log_probs", 5), "'ngrams.log_probs' is 5"),
        (lambda weights: {k: v for k, v in weights.items() if k != "ngrams.longer.1.keys"}, "is nothing"),
    ):
        copied = tmp_path / str(len([*tmp_path.iterdir()]))
        copied.mkdir()
        for path in folder.iterdir():
            if path.name not in (WEIGHTS, HASHES):
                (copied / path.name).write_bytes(path.read_bytes())
        save_file(change(load_file(folder / WEIGHTS)), copied / WEIGHTS, header(folder / WEIGHTS))
        with pytest.raises(UserError, match=r"doesn't fit config\.yaml and vocabulary.json beside it") as fault:
            load(copied)
        assert named in str(fault.value)


def header(path: Path) -> dict[str, str]:
    with safe_open(path, framework="pt") as file:
        return dict(file.metadata())


def test_texts_are_counted_as_they_are_read_in_pieces_too(
    data: DataSet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("allsaid.modeling.counting.ngram_model.PIECE", 7)
    monkeypatch.setattr(lmplz, "estimate", lambda *_: [1, 3])
    monkeypatch.setattr("allsaid.modeling.counting.ngrams.Ngrams.read", lambda *_: None)
    known = box.TASK.build_vocabularies(data, CONFIG.data)
    ids = box.TASK.encode(data, "train", known, tmp_path / "ids")
    assert ids.text.max() >= len(known.text)
    KneserNey(3, len(known.text)).count(ids, tmp_path)
    expected = [" ".join(map(str, known.text.encode(one.tokens))) for one in box.TASK.examples(data, "train")]
    assert (tmp_path / "text").read_text().splitlines() == expected


def test_discounts_that_were_not_estimated_are_told(
    data: DataSet, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    need_lmplz()
    known = box.TASK.build_vocabularies(data, replace(CONFIG.data, text_cutoff=1))
    ids = box.TASK.encode(data, "dev", known, tmp_path / "ids")
    KneserNey(5, len(known.text)).count(ids, tmp_path)
    told = " ".join(capsys.readouterr().err.split())
    assert (
        "too few 1-grams to estimate the discounts of modified Kneser-Ney from; they are 0.5, 1 and 1.5 there" in told
    )


def test_the_shipped_configuration_is_of_the_paper() -> None:
    assert load_config("kn").model == Settings(order=5)
