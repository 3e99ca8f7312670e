"""What keeping notes costs: coverage and scratchpad beside plain copying attention, in training and search, in one run.

    python benchmarks/notes_speed.py --data DIR [--output benchmarks/results/notes_speed.json]

DIR is a data set of `allsaid ingest wikisql`. Vocabulary, sizes and batches are those of the configuration
`scratchpad`; the systems differ in one setting. One core by processor time, since other processes may run: in each
round every system takes the same steps (loss, gradients, the cut of their norm, Adam) on the same batches, and writes
texts of 20 tokens, which is forced, for the same forms. Figures are medians of the rounds, shares those of a round.
"""

from __future__ import annotations

import argparse
import json
import platform
import statistics
import time
from dataclasses import replace
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import result_file
import torch

from training.config import SearchConfig, parse_config
from training.configs import SHIPPED
from training.data.dataset import DataSet, epoch_order
from training.data.vocabulary import END, PAD
from training.models.model_folder import Bundle, build_model
from training.search.write import write
from training.tasks import pair

HERE = Path(__file__).resolve().parent
SYSTEMS = ("copynet", "coverage", "scratchpad")
ROUNDS, STEPS, TEXTS, LENGTH = 7, 4, 32, 20


def bundles(data: DataSet) -> dict[str, Bundle]:
    config = parse_config(SHIPPED["scratchpad"].read_text(encoding="utf-8"), "scratchpad")
    vocabularies = pair.build_vocabularies(data, config.data)
    found = {}
    for system in SYSTEMS:
        of_system: Any = replace(config, model=replace(config.model, system=system))  # type: ignore[type-var]
        found[system] = Bundle(build_model(of_system, vocabularies), of_system, vocabularies)
    return found


def batches_of(bundle: Bundle, ids: Any) -> list[list[Any]]:
    """As many batches of an epoch as each round takes."""
    order = epoch_order(ids.lengths, bundle.config.data.batch_size, 1, 0)
    chosen = np.random.default_rng(1).choice(len(order), ROUNDS * STEPS, replace=False)
    made = [bundle.task.collate(ids, order[at], bundle.config.data.max_text) for at in chosen]
    return [made[first : first + STEPS] for first in range(0, len(made), STEPS)]


def training(bundle: Bundle, batches: list[Any]) -> float:
    """Target tokens a second, their ends among them."""
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


def generation(bundle: Bundle, rows: list[Any], search: SearchConfig) -> float:
    """Texts a second."""
    with torch.no_grad():
        bundle.model.eval().w_o[END] = 0  # no text ends
    begun = time.process_time()
    best = [found[0] for found in write(bundle, rows, search)]
    seconds = time.process_time() - begun
    if any(len(one.tokens) != LENGTH for one in best):
        raise SystemExit(f"A text has not the {LENGTH} tokens that are asked for.")
    return len(rows) / seconds


def run(where: str) -> dict[str, Any]:
    data = DataSet(where)
    systems = bundles(data)
    first = next(iter(systems.values()))
    rows = list(islice(pair.examples(data, "test"), TEXTS))
    search = replace(first.config.search, max_tokens=LENGTH, search_batch=TEXTS)
    rates: dict[str, dict[str, list[float]]] = {
        kind: {system: [] for system in SYSTEMS} for kind in ("training", "generation")
    }
    with TemporaryDirectory() as folder:
        ids = pair.encode(data, "dev", first.vocabularies, Path(folder))
        for batches in batches_of(first, ids):
            for system, bundle in systems.items():
                rates["training"][system].append(training(bundle, batches))
                rates["generation"][system].append(generation(bundle, rows, search))
    return {
        "tokens_per_second": medians(rates["training"]),
        "texts_per_second": medians(rates["generation"]),
        "time_of_copynet": {kind: shares(found) for kind, found in rates.items()},
        "sizes": {
            "hidden": first.config.model.hidden,
            "words": len(first.vocabularies.text),
            "batch": first.config.data.batch_size,
            "texts": TEXTS,
            "length": LENGTH,
            "width": search.width,
        },
        "rounds": ROUNDS,
        "fingerprint": data.manifest.fingerprint,
        "processor": platform.processor() or platform.machine(),
        "torch": torch.__version__,
    }


def medians(rates: dict[str, list[float]]) -> dict[str, float]:
    return {system: round(statistics.median(each), 2) for system, each in rates.items()}


def shares(rates: dict[str, list[float]]) -> dict[str, float]:
    """The time that a system takes, over that of plain attention in the same round."""
    rounds = {
        system: [base / one for one, base in zip(each, rates["copynet"], strict=True)] for system, each in rates.items()
    }
    return {system: round(statistics.median(each), 3) for system, each in rounds.items() if system != "copynet"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", required=True, help="a data set's folder")
    parser.add_argument("--output", type=Path, default=HERE / "results" / "notes_speed.json")
    given = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(1)
    result = run(given.data)
    result_file.write(given.output, result)
    print(json.dumps(result, indent=2))


if __name__ == "__main__":
    main()
