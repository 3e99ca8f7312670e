"""The systems of a kind in one run, in training and in search, each in turn on the same batches and rows.

One core by processor time, since other processes may run: in each round every system takes the same steps (loss,
gradients, the cut of their norm, Adam) on the same batches, and writes texts of the same length, which is forced, for
the same rows. Vocabulary, sizes and batches are those of a shipped configuration; the systems differ in one setting.
"""

from __future__ import annotations

import argparse
import json
import platform
import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import torch

from allsaid.decoding.reread import copies, read_again
from allsaid.decoding.write import write
from allsaid.modeling.config import SearchConfig, parse_config
from allsaid.modeling.data.dataset import DataSet, epoch_order
from allsaid.modeling.data.vocabulary import END, PAD
from allsaid.modeling.saved.model_folder import Bundle, build_model
from benchmarks import result_file
from training.configs import SHIPPED

Rates = dict[str, list[float]]  # of each system, by round


@dataclass(frozen=True)
class Case:
    config: str
    task: Any
    systems: tuple[str, ...]  # that which the others are set beside first
    rounds: int
    steps: int  # of training, in a round
    texts: int  # that a round writes
    length: int  # of a text, in tokens
    width: int  # of the beam
    reads_again: bool  # whether it counts what a copying model then says of where its words come from


@dataclass(frozen=True)
class Found:
    training: Rates  # target tokens a second, their ends among them
    generation: Rates  # texts a second
    facts: dict[str, Any]  # sizes, data and machine


def run(case: Case, where: str) -> Found:
    data = DataSet(where).of_fold(0)
    systems = _bundles(case, data)
    first = systems[case.systems[0]]
    rows = list(islice(case.task.examples(data, "test"), case.texts))
    search = replace(first.config.search, width=case.width, max_tokens=case.length, search_batch=case.texts)
    training: Rates = {system: [] for system in case.systems}
    generation: Rates = {system: [] for system in case.systems}
    with TemporaryDirectory() as folder:
        ids = case.task.encode(data, "dev", first.vocabularies, Path(folder))
        for batches in _batches(case, first, ids):
            for system, bundle in systems.items():
                training[system].append(_train(bundle, batches))
                generation[system].append(_generate(bundle, rows, search, case.reads_again))
    sizes = {
        "hidden": first.config.model.hidden,
        "words": len(first.vocabularies.text),
        "batch": first.config.data.batch_size,
        "texts": case.texts,
        "length": case.length,
        "width": case.width,
    }
    facts = {
        "sizes": sizes,
        "rounds": case.rounds,
        "fingerprint": data.manifest.fingerprint,
        "processor": platform.processor() or platform.machine(),
        "torch": torch.__version__,
    }
    return Found(training, generation, facts)


def medians(rates: Rates) -> dict[str, float]:
    return {system: round(statistics.median(each), 2) for system, each in rates.items()}


def shares(rates: Rates) -> dict[str, float]:
    """The median over rounds of what each system reaches of the first one's rate in the same round."""
    (_, base), *others = rates.items()
    return {
        system: round(statistics.median(one / first for one, first in zip(each, base, strict=True)), 3)
        for system, each in others
    }


def main(text: str | None, data_sets: Sequence[str], measure: Any, output: Path) -> None:
    """The command line of a script: an option for each data set, whose folders ``measure`` turns into a result."""
    parser = argparse.ArgumentParser(description=text, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in data_sets:
        parser.add_argument(f"--{name}", required=True, help="a data set's folder")
    parser.add_argument("--output", type=Path, default=output)
    given = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(1)
    result = measure(*(getattr(given, name) for name in data_sets))
    result_file.write(given.output, result)
    print(json.dumps(result, indent=2))


def _bundles(case: Case, data: DataSet) -> dict[str, Bundle]:
    config = parse_config(SHIPPED[case.config].read_text(encoding="utf-8"), case.config)
    vocabularies = case.task.build_vocabularies(data, config.data)
    found = {}
    for system in case.systems:
        of_system: Any = replace(config, model=replace(config.model, system=system))  # type: ignore[type-var]
        found[system] = Bundle(build_model(of_system, vocabularies), of_system, vocabularies)
    return found


def _batches(case: Case, bundle: Bundle, ids: Any) -> list[list[Any]]:
    """As many batches of an epoch as each round takes."""
    order = epoch_order(ids.lengths, bundle.config.data.batch_size, 1, 0)
    chosen = np.random.default_rng(1).choice(len(order), case.rounds * case.steps, replace=False)
    made = [bundle.task.collate(ids, order[at], bundle.config.data.max_text) for at in chosen]
    return [made[first : first + case.steps] for first in range(0, len(made), case.steps)]


def _train(bundle: Bundle, batches: list[Any]) -> float:
    model = bundle.model.train()
    optimiser = torch.optim.Adam(model.parameters(), lr=1e-3, fused=True)
    tokens, begun = 0, time.process_time()
    for batch in batches:
        optimiser.zero_grad(set_to_none=True)
        model.loss(batch).total.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optimiser.step()
        tokens += int((batch.targets != PAD).sum())
    return tokens / (time.process_time() - begun)


def _generate(bundle: Bundle, rows: list[Any], search: SearchConfig, reads_again: bool) -> float:
    with torch.no_grad():
        bundle.model.eval().w_o[END] = 0  # no text ends
    begun = time.process_time()
    best = [found[0] for found in write(bundle, rows, search)]
    if reads_again and copies(bundle):
        read_again(bundle, rows, [one.tokens for one in best], search, attention=False)
    seconds = time.process_time() - begun
    if any(len(one.tokens) != search.max_tokens for one in best):
        raise SystemExit(f"A text has not the {search.max_tokens} tokens that are asked for.")
    return len(rows) / seconds
