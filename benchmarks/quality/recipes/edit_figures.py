"""Figures of `edit` next to NN, NN-Swap and the Checklist systems, on the same recipes.

    python -m benchmarks.quality.recipes.edit_figures --corpus NAME --data DIR --edit MODEL [--checklist MODEL]
        [--rows 200]
        [--texts DIR]

Each system writes the test recipes with the smallest ids, which are random (the first ones are of one file); the
Checklist, Checklist+ and `edit` with the promise of 100% coverage. The Checklist is to be trained on the data set of
``--data``. Without it, only `edit` and NN are measured, since NN-Swap asks it which names fit. ``--texts`` writes each
system's texts as an output that `cookable.py` reads.

Figures: % given, extra and doubled items, BLEU, METEOR, share of the texts with a finding of the checker of recipes
(without those about times and temperatures that nobody gave), and texts a second of processor time, the texts' check
included for `edit`. Adds the corpus to ``benchmarks/results/edit_figures.json``.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from heapq import nsmallest
from pathlib import Path
from typing import Any

from allsaid.decoding.measured import Measured
from allsaid.decoding.write import write as write_texts
from allsaid.modeling.data.dataset import DataSet
from allsaid.modeling.saved.model_folder import Bundle, load
from allsaid.proof.recipes.checker.check import check
from batch_infer.proof.judge import Judge
from batch_infer.proof.judges import judge_of
from benchmarks.quality.certified_texts import write_texts as write_output
from benchmarks.result_file import RESULTS, write
from evaluation.tasks import recipes
from schemas.example import Example
from training.baselines.retrieval import Nearest
from training.baselines.swap import swap

RESULT = RESULTS / "edit_figures.json"
REWRITES = 40  # of Checklist+, as in evaluation/tables/recipes-cpu.yaml
Texts = list[list[str]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", required=True, help="its name in the result")
    parser.add_argument("--data", required=True)
    parser.add_argument("--edit", type=Path, required=True, help="a model folder of `edit`")
    parser.add_argument("--checklist", type=Path, help="a model folder of the Checklist")
    parser.add_argument("--rows", type=int, default=200)
    parser.add_argument("--texts", type=Path, help="a folder for the texts")
    given = parser.parse_args()
    data = DataSet(given.data)
    examples = nsmallest(given.rows, data.examples("test"), key=lambda row: row.id)
    edit = load(given.edit)
    systems: dict[str, Callable[[], Texts]] = {
        "edit": lambda: edited(edit, examples),
        "NN": lambda: [one.tokens for one in nearest(data, examples)],
    }
    if given.checklist:
        bundle = load(given.checklist)
        systems |= {
            "NN-Swap": lambda: swap(bundle, nearest(data, examples), examples),
            "Checklist": lambda: generated(bundle, examples, 0),
            "Checklist+": lambda: generated(bundle, examples, REWRITES),
        }
    found = {}
    for name, system in systems.items():
        seconds = time.process_time()
        texts = system()
        seconds = time.process_time() - seconds
        found[name] = figures(texts, examples, edit) | {"texts_per_second": round(len(texts) / seconds, 2)}
        print(name, found[name], flush=True)
        if given.texts:
            write_output(given.texts / name, examples, texts, judge_of(edit))
    found["people"] = figures([one.tokens for one in examples], examples, edit)
    results = json.loads(RESULT.read_text(encoding="utf-8")) if RESULT.is_file() else {}
    write(RESULT, {**results, given.corpus: {"rows": len(examples), "systems": found}})


def edited(bundle: Bundle, examples: Sequence[Example]) -> Texts:
    judge = judge_of(bundle)
    return [_edited(bundle, judge, row) for row in examples]


def _edited(bundle: Bundle, judge: Judge, row: Example) -> list[str]:
    measure = Measured(judge.measure)
    (hypotheses,) = write_texts(bundle, [row], bundle.config.search, measure=measure)
    ranked = judge.in_order(row, hypotheses, lambda one: measure(bundle.words(one.tokens, row), row))
    return bundle.words(next(iter(ranked)).tokens, row)


def nearest(data: DataSet, examples: Sequence[Example]) -> list[Example]:
    return Nearest.build(data.tables("train")).find(examples)


def generated(bundle: Bundle, examples: Sequence[Example], rewrites: int) -> Texts:
    search = replace(bundle.config.search, min_coverage=100.0, rewrites=rewrites)
    found = write_texts(bundle, examples, search)
    return [bundle.words(one[0].tokens, row) if one else [] for one, row in zip(found, examples, strict=True)]


def figures(texts: Texts, examples: Sequence[Example], bundle: Bundle) -> dict[str, Any]:
    scores = recipes.score(texts, examples, bundle.lexicon, bundle.vocabularies.text.ids, slow=True)
    faulty = sum(
        bool(check(text, row.goal_tokens, row.agenda, row.agenda_tokens, bundle.lexicon))
        for text, row in zip(texts, examples, strict=True)
    )
    names = ("percent_given", "extra_items", "doubled_items", "bleu", "meteor")
    found = {name: round(scores[name], 2) for name in names if name in scores}
    found["with_findings_percent"] = round(100 * faulty / len(texts), 1)
    return found


if __name__ == "__main__":
    main()
