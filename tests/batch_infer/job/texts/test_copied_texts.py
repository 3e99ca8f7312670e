"""Texts that copy: an unknown word of a row is written as it is, in text, tokens and every row of output."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from in_process import allsaid, generate
from small_data import as_copy, make_example, publish
from tiny_model import save_untrained

from allsaid.modeling.config import parse_config
from allsaid.modeling.data.dataset import DataSet
from allsaid.modeling.tasks import sequence
from batch_infer.proof import summary as summary_file
from batch_infer.proof.texts import read_rows
from evaluation.tasks import evaluate
from evaluation.tasks.system import Subject, find
from schemas.checks.table import from_table
from schemas.texts.attention import Attention

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
    folder = tmp_path_factory.mktemp("model") / "copier"
    return save_untrained(folder, data, parse_config(CONFIG, "copier.yaml"), sequence.TASK, copies=True)


def test_a_word_that_training_never_saw_is_copied(copier: Path, tmp_path: Path) -> None:
    rows = [{"id": "a", "title": "Soup", "ingredient_tokens": [["zaatar"], ["ajvar", "zaatar"]]}, {"id": "b"}]
    (tmp_path / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert generate(copier, tmp_path / "rows.jsonl", tmp_path / "texts") == 0
    (found,) = read_rows(str(tmp_path / "texts"))
    assert (found.id, found.goal, found.agenda) == ("a", "Soup", ["zaatar", "ajvar zaatar"])
    assert found.tokens and {*found.tokens} <= {"zaatar", "ajvar"}

    place = ("--input", str(tmp_path / "rows.jsonl"), "--output", str(tmp_path / "proof"), "--gate", "errors=1")
    texts = str(tmp_path / "texts" / "texts" / "*.parquet")
    assert allsaid("prove", texts, "--model", str(copier), *place, "--direct_running_mode=in_memory") == 0
    (proven,) = read_rows(str(tmp_path / "proof"))
    of_search = {"ref_items": found.ref_items, "log_probability": found.log_probability, "origin": found.origin}
    assert replace(proven, **of_search) == found
    assert found.text.lower().split() == found.tokens
    assert all(token in found.agenda[item] for token, item in zip(found.tokens, found.ref_items, strict=True))
    reasons = summary_file.read(str(tmp_path / "texts")).reasons
    assert [one.first_rows for one in reasons] == [["b"]] and "no 'ingredients'" in reasons[0].example


def test_free_lines_are_tokenised_like_the_data_set(copier: Path, tmp_path: Path) -> None:
    lines = ["For the soup:", "1 \u2009½ cups  Maille® mustard", "3 leeks, sliced"]
    given = [
        {"id": "a", "ingredients": lines},
        {"id": "b", "ingredients": [3]},
        {"id": "c", "ingredients": ["x" * 200]},
    ]
    (tmp_path / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in given))
    assert generate(copier, tmp_path / "rows.jsonl", tmp_path / "texts") == 2  # over half are error rows
    (found,) = read_rows(str(tmp_path / "texts"))
    assert found.agenda == ["1 \u2009½ cups  Maille® mustard", "3 leeks, sliced"]
    assert {*found.tokens} <= {"1", "1/2", "cups", "maille", "mustard", "3", "leeks", ",", "sliced"}
    assert {one.first_rows[0]: one.example for one in summary_file.read(str(tmp_path / "texts")).reasons} == {
        "b": "Field 'ingredients' is neither a list of strings nor a string.",
        "c": "A word is longer than 100 characters.",
    }


def test_what_is_pointed_at_is_kept_and_drawn(copier: Path, tmp_path: Path) -> None:
    """Of a copier p(z = 1) is all, and the place that each word was copied from is among those that are shown."""
    (tmp_path / "rows.jsonl").write_text(json.dumps({"id": "a", "ingredients": ["2 cups zaatar", "zaatar, salt"]}))
    assert generate(copier, tmp_path / "rows.jsonl", tmp_path / "texts", "--attention") == 0
    (found,) = read_rows(str(tmp_path / "texts"))
    (picture,) = from_table(pq.read_table(tmp_path / "texts" / "attention"), Attention)
    switch, *places = picture.weights
    assert (switch.map, switch.place, switch.shares) == ("p(z = 1)", "", b"\xff" * (len(found.tokens) + 1))
    assert {(one.map, one.item) for one in places} <= {("pointer", 0), ("pointer", 1)}
    for step, (token, item) in enumerate(zip(found.tokens, found.ref_items, strict=True)):
        held = {one.item: one.shares[step] for one in places if one.place == token}
        assert held[item] == max(held.values())
    assert allsaid("report", str(tmp_path / "texts")) == 0
    assert ">p(z = 1)</th>" in (tmp_path / "texts" / "report.html").read_text()


def test_ingredients_are_found_by_their_names(copier: Path, tmp_path: Path) -> None:
    (tmp_path / "rows.jsonl").write_text(json.dumps({"id": "a", "ingredients": ["2 cups water, warm", "salt"]}))
    assert generate(copier, tmp_path / "rows.jsonl", tmp_path / "texts") == 0
    (found,) = read_rows(str(tmp_path / "texts"))
    said = ["2 cups water, warm"] * ("water" in found.tokens) + ["salt"] * ("salt" in found.tokens)
    assert found.used == said and len(found.used) + len(found.missing) == 2
    assert found.percent_given == 50 * len(said) and found.extra_count is None
    summary = summary_file.read(str(tmp_path / "texts"))
    assert summary.measured == ["percent_given", "percent_given_full_name", "percent_given_any_word", "tokens"]


def test_copying_recipes_are_generated_and_reported(copier: Path, data: Path, tmp_path: Path) -> None:
    assert generate(copier, data, tmp_path / "texts") == 0
    found = {row.id: row for row in read_rows(str(tmp_path / "texts"))}
    for one in sequence.TASK.examples(DataSet(str(data)), "test"):
        assert found[one.id].agenda == one.items
        assert {*found[one.id].tokens} <= {word for item in one.item_tokens for word in item}
    assert allsaid("report", str(tmp_path / "texts")) == 0


def test_a_model_is_trained_evaluated_and_compared(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", "")  # METEOR needs Java and has a test of its own
    (tmp_path / "small.yaml").write_text(CONFIG)
    (tmp_path / "table.yaml").write_text(
        "{title: Ours, task: sequences, split: test, figures: [perplexity, perplexity_source, perplexity_other,"
        " bleu, percent_given, extra_items],"
        " systems: {latent: {label: latent, config: small.yaml, paper: {perplexity: 4.97}}}}"
    )
    assert allsaid("train", "small.yaml", "--data", str(data), "--run-dir", "run", "--name", "kitchen") == 0
    assert allsaid("evaluate", "models:/kitchen/1", "--data", str(data)) == 0
    told = capsys.readouterr().out
    for figure in ("perplexity of words that are in the source", "% given items (head word)", "extra items a text"):
        assert figure in told
    assert Path("run", "attention.png").read_bytes()[:4] == b"\x89PNG"
    figures = evaluate.measure(Subject(find("run/model"), DataSet(str(data)), "test"), slow=False).figures
    assert generate(Path("run/model"), data, Path("texts")) == 0
    assert summary_file.read("texts").percent_given == pytest.approx(figures["percent_given"], abs=1e-4)
    assert allsaid("compare", "table.yaml", "--data", str(data), "--output", "compared") == 0
    assert "4.97" in (tmp_path / "compared" / "compare.md").read_text()
