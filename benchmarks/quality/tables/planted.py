"""Planted nonsense: how much of it a judge of texts refuses, and how many reference texts it lets pass.

    python -m benchmarks.quality.tables.planted --data DIR [--judge MODULE:FUNCTION] [--models FILE]

DIR is the data set of samples/products.csv. FUNCTION learns from training examples and returns a function that says of
a delexicalised text and its row whether the text is attested; by default that is `known_forms`, the certificate but for
the question whether all values are there, since reference texts leave some out. `known_sentences` is a trivial judge.

The 200 texts are test texts damaged in ten ways (allsaid/proof/planted/), 18 of each, and 20 wrong texts of neural
models; all wrong ones are measured too, and as a control those models' good texts. A damaged test text may be refused
for its other sentences; "in training" damages the judge's own training texts, in which nothing else is new. Training
sizes under all are means of five samples. Writes benchmarks/results/planted.json.
"""

from __future__ import annotations

import argparse
import importlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from random import Random
from statistics import fmean
from types import SimpleNamespace
from typing import Any

import yaml

from allsaid.modeling.data.dataset import DataSet
from allsaid.proof.forms.certificate.certify import Certifier
from allsaid.proof.forms.learn import learn
from allsaid.proof.habits import build_habits, sentences
from allsaid.proof.planted.known import body, is_slot, study
from allsaid.proof.planted.plant import UNCERTAIN, Certifies, Planted, count_certified, plant, row_of
from allsaid.proof.values.records import build_spoken
from benchmarks.result_file import RESULTS, ROOT, write
from pipelines.linking.delex import item_tokens
from schemas.act import parse_agenda_line
from schemas.example import Example

Learns = Callable[[Sequence[Example]], Certifies]

JUDGE = "benchmarks.quality.tables.planted:known_forms"
RESULT = RESULTS / "planted.json"
MODELS = ROOT / "tests" / "allsaid" / "proof" / "planted" / "model_texts.yaml"
SIZES = (50, 100, 150, 200)  # and all
SAMPLES, EACH, OF_MODELS, SEED = 5, 18, 20, 1


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", required=True)
    parser.add_argument("--judge", default=JUDGE, help="MODULE:FUNCTION that learns a judge")
    parser.add_argument("--models", type=Path, default=MODELS, help="judged texts of models")
    given = parser.parse_args()
    module, _, function = given.judge.partition(":")
    learn: Learns = getattr(importlib.import_module(module), function)
    data = DataSet(given.data)
    train, dev, test = (list(data.examples(split)) for split in ("train", "dev", "test"))
    known = study([*train, *dev, *test])
    wrong, control = read_models(given.models)
    hundreds = [*plant(test, known, EACH, SEED), *Random(SEED).sample(wrong, min(OF_MODELS, len(wrong)))]
    harder = plant(test, known, EACH, SEED, UNCERTAIN)
    apart = {"all models": wrong, "control": control, "harder": harder}
    result = {
        "command": "python -m benchmarks.quality.tables.planted --data DIR",
        "judge": given.judge,
        "texts": {"planted": len(hundreds), "harder": len(harder), "models": len(wrong), "control": len(control)},
        "training_texts": {
            str(size): mean(
                measure(learn(sample), test, hundreds, {**apart, "in training": plant(sample, known, EACH, SEED)})
                for sample in samples(train, size)
            )
            for size in (*(size for size in SIZES if size < len(train)), len(train))
        },
    }
    write(RESULT, result)
    print(json.dumps(result, indent=2))


def samples(train: Sequence[Example], size: int) -> Iterable[Sequence[Example]]:
    if size == len(train):
        return [train]
    return [Random(seed).sample(train, size) for seed in range(SAMPLES)]


def measure(
    certifies: Certifies, test: Sequence[Example], planted: Sequence[Planted], apart: Mapping[str, Sequence[Planted]]
) -> dict[str, float]:
    """Return percentages: of reference texts that pass; of refused planted texts, in all, by kind and by group."""
    counts = count_certified(planted, certifies)
    refused = {kind: 100 * (1 - count.certified / count.planted) for kind, count in counts.items()}
    return {
        "references_passed": 100 * fmean(certifies(example.tokens, row_of(example)) for example in test),
        "refused": 100 * fmean(not certifies(text.tokens, text.row) for text in planted),
        **{f"refused, {kind}": share for kind, share in refused.items()},
        **{
            f"{'passed' if name == 'control' else 'refused'}, {name}": 100
            * fmean(certifies(text.tokens, text.row) == (name == "control") for text in texts)
            for name, texts in apart.items()
            if texts
        },
    }


def mean(found: Iterable[dict[str, float]]) -> dict[str, float]:
    every = list(found)
    return {name: round(fmean(figures[name] for figures in every), 1) for name in every[0]}


def read_models(path: Path) -> tuple[list[Planted], list[Planted]]:
    """The wrong texts of models, and the good ones."""
    texts = [(bool(entry["wrong"]), model_text(entry)) for entry in yaml.safe_load(path.read_text())]
    return [text for is_wrong, text in texts if is_wrong], [text for is_wrong, text in texts if not is_wrong]


def model_text(entry: Mapping[str, Any]) -> Planted:
    slots = [parse_agenda_line(line) for line in entry["row"]]
    row = Example(
        id=entry["id"],
        content_hash="0" * 16,
        goal=entry["goal"],
        goal_tokens=entry["goal"].split(),
        agenda=entry["row"],
        agenda_tokens=[[token] for token in item_tokens(slots)],
        text="",
        tokens=[],
        surface=[],
        ref_types=[],
        ref_items=[],
        file="",
        offset=0,
    )
    return Planted("models", entry["wrong"], entry["tokens"].split(), 0, 0, row)


def known_forms(examples: Sequence[Example]) -> Certifies:
    """The certificate's judge: every clause is attested, and no value is said twice."""
    slots = [[parse_agenda_line(line) for line in one.agenda] for one in examples]
    acts = [SimpleNamespace(slots=one) for one in slots]
    habits = build_habits(examples)
    spoken, subject = build_spoken(examples, acts), habits.subject if habits else ""
    certifier = Certifier(learn(lambda: examples, spoken, subject), asks_goal=False)

    def attests(tokens: Sequence[str], row: Example) -> bool:
        return certifier.certify(tokens, row).is_attested

    return attests


def known_sentences(examples: Sequence[Example]) -> Certifies:
    """The trivial judge: a text is certified if each of its sentences is said of the goal, of a row with its slots."""
    known = {
        (example.goal, body(example.tokens[places.start : places.stop]))
        for example in examples
        for places in sentences(example.tokens)
    }

    def certifies(tokens: Sequence[str], row: Example) -> bool:
        named = {token for item in row.agenda_tokens for token in item}
        parts = (body(tokens[places.start : places.stop]) for places in sentences(tokens))
        return {*filter(is_slot, tokens)} <= named and all((row.goal, part) in known for part in parts)

    return certifies


if __name__ == "__main__":
    main()
