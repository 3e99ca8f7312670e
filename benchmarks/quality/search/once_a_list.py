"""What `once_a_list` changes: `python -m benchmarks.quality.search.once_a_list --data DIR --work DIR`.

DIR of `--work` is that of `python -m benchmarks.quality.papers.tables --table everything` for the same recipes. Each of
its models writes the first dev recipes as the table has it, with and without the setting. Writes
benchmarks/results/once_a_list.json: beside what recipes are measured by, how many of the words that give an item stand
in a list that has said it already (of the reference texts, too), as `allsaid/decoding/step/lists.py` has it.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path

import torch

from allsaid.decoding.step.lists import APART
from allsaid.modeling.data.dataset import DataSet
from allsaid.modeling.saved.model_folder import Bundle, load
from allsaid.proof.foods.names import stems_of
from benchmarks.result_file import RESULTS, write
from evaluation.compare import table
from evaluation.tasks import recipes
from schemas.example import Example
from training.configs import load_config
from training.fitting.scores import generate

RESULT = RESULTS / "once_a_list.json"
TABLE, TASK, RECIPES = "everything", "recipes", 150


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", required=True, type=Path, help="the recipes that the models were trained on")
    parser.add_argument("--work", required=True, type=Path, help="the folder of benchmarks/quality/papers/tables.py")
    given = parser.parse_args()
    torch.set_num_threads(1)
    data = DataSet(str(given.data))
    examples = list(islice(data.examples("dev"), RECIPES))
    result = {
        "command": "python -m benchmarks.quality.search.once_a_list --data DIR --work DIR",
        "hardware": f"{platform.processor() or platform.machine()}, {os.cpu_count()} cores",
        "python": platform.python_version(),
        "texts": len(examples),
        "split": "dev",
        "true": {"again_percent": again([example.tokens for example in examples], examples)},
        "systems": {
            entry.key: {"label": entry.label} | measure(entry, given.work, examples)
            for entry in table.read(TABLE, fits=lambda one: one.task == TASK).systems
            if "once_a_list=true" in entry.search
        },
    }
    write(RESULT, result)
    print(json.dumps(result, indent=2))


def measure(entry: table.Entry, work: Path, examples: Sequence[Example]) -> dict[str, dict[str, float]]:
    """The figures of a system's texts with and without the setting."""
    config = load_config(entry.config, [*entry.settings, *entry.search])
    (folder,) = work.glob(f"compare-{TABLE}/runs/*-{config.learned[:8]}-*/model")
    bundle, found = load(folder), {}
    for name, is_once in (("without", False), ("with", True)):
        written = generate(bundle, examples, replace(config.search, once_a_list=is_once))
        texts = [bundle.words(one.tokens, example) for one, example in zip(written, examples, strict=True)]
        found[name] = figures(texts, examples, bundle)
        print(entry.key, name, found[name], flush=True)
    return found


def figures(texts: Sequence[Sequence[str]], examples: Sequence[Example], bundle: Bundle) -> dict[str, float]:
    told = recipes.score(texts, examples, bundle.lexicon, bundle.vocabularies.text.ids, slow=False)
    return {
        "again_percent": again(texts, examples),
        "doubled_items": round(told["doubled_items"], 2),
        "bleu": round(told["bleu"], 2),
        "percent_given": round(told["percent_given"], 1),
        "extra_items": round(told["extra_items"], 2),
    }


def again(texts: Sequence[Sequence[str]], examples: Sequence[Example]) -> float:
    """The percentage of the words that give an item which a list says more often than it may."""
    every = surplus = 0
    for text, example in zip(texts, examples, strict=True):
        names = {tuple(name) for name in example.agenda_tokens}
        heads = {stems[-1] for stems in map(stems_of, names) if stems}
        said, since = Counter[str](), 0
        for word in text:
            if heads.isdisjoint(stems_of([word])):
                since += 1
            else:
                said = said if since < APART else Counter()
                every, since = every + 1, 0
                surplus += said[word] >= max(sum(word in name for name in names), 1)
                said[word] += 1
    return round(100 * surplus / max(every, 1), 2)


if __name__ == "__main__":
    main()
