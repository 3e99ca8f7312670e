"""Texts that copy: an unknown word of a row is written as it is, in text, tokens and every row of output."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import torch
from in_process import allsaid
from small_data import as_copy, make_example, publish

from batch_infer.proof import summary as summary_file
from batch_infer.proof.texts import read_rows
from training.config import parse_config
from training.models import model_folder
from training.models.model_folder import Bundle
from training.tasks import sequence
from training.tasks.dataset import DataSet

CONFIG = """{model: {kind: pointer, hidden: 8}, data: {text_cutoff: 1, batch_size: 4}, fit: {epochs: 1, optimiser: adam,
  score_texts: 2, sample_texts: 2}, search: {width: 2, max_tokens: 6, finished: 2}}"""


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    splits = {
        split: [as_copy(make_example(first + number)) for number in range(6)]
        for split, first in (("train", 0), ("dev", 10), ("test", 20))
    }
    return publish(tmp_path_factory.mktemp("data"), {}, copies=splits)


@pytest.fixture(scope="module")
def copier(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An untrained model that copies each word."""
    config, found = parse_config(CONFIG, "copier.yaml"), DataSet(str(data))
    vocabularies = sequence.build_vocabularies(found, config.data)
    torch.manual_seed(1)
    model = model_folder.build_model(config, vocabularies)
    model.switch.bias.data.fill_(30)
    folder = tmp_path_factory.mktemp("model") / "copier"
    model_folder.save(folder, Bundle(model, config, vocabularies, **sequence.background(found)))
    return folder


def generate(copier: Path, given: Path, output: Path) -> int:
    asked = ("--model", str(copier), "--input", str(given), "--output", str(output))
    return allsaid("generate", *asked, "--direct_running_mode=in_memory")


def test_a_word_that_training_never_saw_is_copied(copier: Path, tmp_path: Path) -> None:
    rows = [{"id": "a", "title": "Soup", "ingredient_tokens": [["zaatar"], ["ajvar", "zaatar"]]}, {"id": "b"}]
    (tmp_path / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert generate(copier, tmp_path / "rows.jsonl", tmp_path / "texts") == 0
    (found,) = read_rows(str(tmp_path / "texts"))
    assert (found.id, found.goal, found.agenda) == ("a", "Soup", ["zaatar", "ajvar zaatar"])
    assert found.tokens and {*found.tokens} <= {"zaatar", "ajvar"}
    assert found.text.lower().split() == found.tokens
    reasons = summary_file.read(str(tmp_path / "texts")).reasons
    assert [one.first_rows for one in reasons] == [["b"]] and "ingredient_tokens" in reasons[0].example


def test_a_data_set_of_recipes_that_copy_is_read_and_its_report_written(
    copier: Path, data: Path, tmp_path: Path
) -> None:
    assert generate(copier, data, tmp_path / "texts") == 0
    found = {row.id: row for row in read_rows(str(tmp_path / "texts"))}
    for one in sequence.examples(DataSet(str(data)), "test"):
        assert found[one.id].agenda == one.items
        assert {*found[one.id].tokens} <= {word for item in one.item_tokens for word in item}
    assert allsaid("report", str(tmp_path / "texts")) == 0


def test_a_model_is_trained_evaluated_and_compared(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "small.yaml").write_text(CONFIG)
    (tmp_path / "table.yaml").write_text(
        "{title: Ours, task: sequences, split: test, figures: [perplexity, perplexity_source, perplexity_other, bleu],"
        " systems: {latent: {label: latent, config: small.yaml, paper: {perplexity: 4.97}}}}"
    )
    assert allsaid("train", "small.yaml", "--data", str(data), "--run-dir", "run", "--name", "kitchen") == 0
    assert allsaid("evaluate", "models:/kitchen@champion", "--data", str(data)) == 0
    told = capsys.readouterr().out
    assert "perplexity of words that stand in the source" in told
    assert allsaid("compare", "table.yaml", "--data", str(data), "--output", "compared") == 0
    assert "4.97" in (tmp_path / "compared" / "compare.md").read_text()
