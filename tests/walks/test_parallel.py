"""Lines of two files are learned: a language that we made up is translated, and reports get their headlines."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from in_process import allsaid
from small_parallel import report, sentence, write_lines

from allsaid.modeling.data.dataset import DataSet
from allsaid.modeling.saved.model_folder import load
from allsaid.modeling.tasks import pair
from batch_infer.proof.texts import read_rows
from evaluation.tasks.pairs import score

SMALL = ("epochs=12", "batch_size=10", "learning_rate=0.01", "schedule=linear", "dropout=0", "init=0.3", "average=0")
UNTRAINED = ("epochs=1", "learning_rate=1e-9")


def ingest(name: str, pairs: list[tuple[str, str]], source: str, text: str) -> None:
    write_lines(Path(name), {"train": pairs[:300], "valid": pairs[300:340]}, source, text)
    sides = ("--set", f"source={source}", "--set", f"text={text}")
    assert allsaid("ingest", "parallel", "--input", f"{name}/*", *sides, "--output", "data") == 0


def train(config: str, run: str, *settings: str) -> Path:
    chosen = [part for one in (*SMALL, "sample_texts=0", "score_texts=1", *settings) for part in ("--set", one)]
    given = ("--data", "data", "--name", run, "--run-dir", run, "--tracking", "offline", *chosen)
    assert allsaid("train", config, *given) == 0
    return Path(run, "model")


def bleu_of(model: Path) -> float:
    """Of the texts that `allsaid generate` writes for the 40 pairs of dev, on words."""
    output = f"{model.parent}-texts"
    given = ("--model", str(model), "--input", "data", "--split", "dev", "--output", output)
    assert allsaid("generate", *given, "--direct_running_mode=in_memory") == 0
    texts = {row.id: row.tokens for row in read_rows(output)}
    true = [*pair.TASK.examples(DataSet("data"), "dev")]
    return score([texts[one.id] for one in true], true, slow=False)["bleu"]


@pytest.mark.slow
def test_a_language_of_three_hundred_sentences_is_translated(here: Path) -> None:
    """Half a minute on an idle core."""
    ingest("lines", [sentence(number) for number in range(340)], "lu", "en")
    small = ("hidden=48", "merges=100")
    model = train("translation", "learned", *small)
    config = load(model).config.model
    assert (config.cell, config.layers, config.score, config.input_feeding) == ("lstm", 3, "general", True)
    merges = json.loads((model / "vocabulary.json").read_text())["text_merges"]
    assert len(merges) == 100
    assert bleu_of(model) > 30  # 54 where it was tried
    untrained = train("translation", "untrained", *small, *UNTRAINED)
    assert json.loads((untrained / "vocabulary.json").read_text())["text_merges"] == merges
    assert bleu_of(untrained) < 3


def test_pointer_generators_write_headlines(here: Path) -> None:
    """Every report names somebody whom no other does, so that the name has to be copied."""
    ingest("reports", [report(number) for number in range(340)], "report", "headline")
    small = ("hidden=32", "text_cutoff=5", "epochs=3")
    for system in ("scratchpad", "copynet"):
        model = train("summary", system, *small, f"system={system}")
        assert load(model).config.model.cell == "lstm" and bleu_of(model) > 60
    untrained = train("summary", "untrained", *small, *UNTRAINED)
    assert bleu_of(untrained) < 10
