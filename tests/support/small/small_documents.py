"""A package outside the tree: a language model of documents, whose rows have no goal, no agenda and no items."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from packages import install
from small_data import publish

from allsaid.modeling import systems
from allsaid.modeling.config import parse_config
from allsaid.modeling.data.dataset import DataSet
from allsaid.modeling.saved import model_folder
from allsaid.modeling.saved.model_folder import Bundle
from schemas.runs.manifest import MANIFEST_NAME, Manifest

MODEL = """
from dataclasses import dataclass
from typing import Literal
from torch import nn
from diary.pages import TASK
from allsaid.modeling.models.base.contract import PerText, State
from allsaid.modeling.layers.losses import Losses
from allsaid.modeling.layers.projection import scores_of
from allsaid.modeling.data.vocabulary import PAD


@dataclass(frozen=True)
class Settings:
    kind: Literal["diary"] = "diary"


@dataclass(frozen=True)
class FirstWord(State):
    first: PerText


class Model(nn.Module):
    def __init__(self, words):
        super().__init__()
        self.after = nn.Embedding(words, words)

    def loss(self, batch):
        real = batch.targets != PAD
        nll = nn.functional.cross_entropy(self.after(batch.inputs)[real], batch.targets[real], reduction="sum")
        return Losses({"nll": nll}, len(real), real.sum())

    def start(self, prompts):
        return FirstWord(prompts.first)

    def step(self, state, tokens):
        return scores_of(self.after(tokens)), state


def build(settings, vocabularies, dtype):
    return Model(len(vocabularies.text))
"""

TASK = """
import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
import numpy as np
from torch import Tensor
from schemas.errors import UserError
from allsaid.proof.figures import FIGURES, Figure, by_key
from allsaid.modeling.tasks.contract import ReadsRows
from allsaid.modeling.data.tensors import Tensors, fill
from allsaid.modeling.data.vocabulary import END, PAD, START, VocabularySet, choose_words


@dataclass(frozen=True)
class Prompts(Tensors):
    first: Tensor  # (B, 1)


@dataclass(frozen=True)
class Batch(Tensors):
    inputs: Tensor
    targets: Tensor


class Ids(list):
    lengths = property(lambda self: np.array([len(text) for text in self]))


class Pages(ReadsRows):
    borders = ()
    figures = by_key(FIGURES["perplexity"], Figure("long", "long words", "a text", 1, "up"), FIGURES["texts"])
    deciding = ("perplexity",)
    vocabularies = VocabularySet

    def examples(self, data, split):
        with (Path(data.address) / f"{split}.jsonl").open() as file:
            yield from map(self.read_row, map(json.loads, file))

    def read_row(self, values):
        if not values.get("day", "").strip():
            raise UserError("The row has no day.")
        text = values.get("text", "")
        return SimpleNamespace(id=values["id"], day=values["day"], text=text, tokens=text.lower().split())

    def build_vocabularies(self, data, config):
        counts = Counter(word for one in self.examples(data, "train") for word in one.tokens)
        return VocabularySet(choose_words(counts, config.text_cutoff))

    def encode(self, data, split, vocabularies, folder):
        return Ids(vocabularies.text.encode(one.tokens) for one in self.examples(data, split))

    def collate(self, ids, rows, max_text):
        targets = [[*ids[row], END][:max_text] for row in rows]
        return Batch(fill([[START, *target[:-1]] for target in targets], PAD), fill(targets, PAD))

    def prompts(self, rows, vocabularies):
        return Prompts(fill([[START] for _ in rows], PAD))

    def words(self, tokens, row, vocabularies):
        return vocabularies.text.decode(tokens)

    def score(self, texts, examples, lexicon):
        return {"long": float(np.mean([sum(len(word) > 5 for word in text) for text in texts])), "texts": len(texts)}

    def checks(self, new, old):
        ours, theirs = new["perplexity"], old["perplexity"]
        return [(ours < theirs, f"its perplexity is {ours:.1f}, {theirs:.1f} before")]

    def brief(self, scores):
        return f"perplexity {scores['perplexity']:.1f}"

    def show(self, row):
        return row.day, []

    def protocol(self, data):
        return "diaries"


TASK = Pages()
"""

JUDGE = """
from batch_infer.proof import judge


class Judge(judge.Judge):
    MEANS = ("tokens", "long")

    def figures(self, tokens, row, coverage):
        return {"tokens": len(tokens), "long": sum(len(word) > 5 for word in tokens)}
"""

TEXTS = ("rain all morning", "sun in the afternoon", "rain in the afternoon", "sun all morning , then thunder")


def install_diary(folder: Path) -> None:
    """Write the package into a folder of the path."""
    points = {
        "allsaid.models": {"diary": "diary.model"},
        "allsaid.judges": {"diary.pages": "diary.judge:Judge"},
    }
    install(folder, "diary", {"model": MODEL, "pages": TASK, "judge": JUDGE}, points)
    systems._find.cache_clear()


def lay_out_diary(folder: Path) -> Path:
    """A data set whose rows only the package's task can read."""
    manifest = Manifest.from_json((publish(folder, {}) / MANIFEST_NAME).read_text(), "data")
    (folder / MANIFEST_NAME).write_text(replace(manifest, files={}, splits={}).to_json())
    for split in ("train", "dev", "test"):
        rows = [{"id": f"{split}-{place}", "day": f"Day {place}", "text": TEXTS[place % 4]} for place in range(8)]
        (folder / f"{split}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return folder


def untrained_diary(folder: Path, data: Path) -> Path:
    """A model folder of the package's model with its first weights."""
    config = parse_config("{model: {kind: diary}, search: {width: 2, max_tokens: 9}}", "diary.yaml")
    found, task = DataSet(str(data)), systems.find("diary").TASK
    vocabularies = task.build_vocabularies(found, config.data)
    bundle = Bundle(model_folder.build_model(config, vocabularies), config, vocabularies, **task.background(found))
    model_folder.save(folder, bundle)
    return folder
