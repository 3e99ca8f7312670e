"""What pointing costs: models that copy beside the attention model, in training and in search, in one run.

    python benchmarks/pointer_speed.py --recipes DIR --dialogues DIR [--output benchmarks/results/pointer_speed.json]

The data sets are those of `allsaid ingest allrecipes` and `dstc2`. Vocabulary, sizes and batches are those of the
configurations `latent` and `table-pointer`; the systems of a data set differ in one setting. One core by processor
time, since other processes may run: in each round every system takes the same steps (loss, gradients, the cut of their
norm, Adam) on the same batches, and writes texts of the same length, which is forced, for the same rows. What a copying
model then says of where its words come from is counted with the search. Figures are medians of the rounds, shares those
of a round.
"""

from __future__ import annotations

import argparse
import json
import platform
import statistics
import time
from dataclasses import dataclass, replace
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
from training.data.vocabulary import END
from training.models.model_folder import Bundle, build_model
from training.search.forced import copies, read_again
from training.search.write import write
from training.tasks import sequence, table_dialogue

HERE = Path(__file__).resolve().parent
SYSTEMS = ("attention", "pointer", "latent")
ROUNDS, STEPS, TEXTS = 5, 6, 16


@dataclass(frozen=True)
class Case:
    config: str
    task: Any
    length: int  # of a text, in tokens
    width: int  # of the beam


CASES = {
    "recipes": Case("latent", sequence, 120, 10),
    "dialogues": Case("table-pointer", table_dialogue, 20, 5),
}


def bundles(case: Case, data: DataSet) -> dict[str, Bundle]:
    config = parse_config(SHIPPED[case.config].read_text(encoding="utf-8"), case.config)
    vocabularies = case.task.build_vocabularies(data, config.data)
    found = {}
    for system in SYSTEMS:
        of_system: Any = replace(config, model=replace(config.model, system=system))  # type: ignore[type-var]
        found[system] = Bundle(build_model(of_system, vocabularies), of_system, vocabularies)
    return found


def batches_of(bundle: Bundle, data: DataSet, ids: Any) -> list[list[Any]]:
    """As many batches of an epoch as each round takes; their targets are counted with their ends."""
    order = epoch_order(ids.lengths, bundle.config.data.batch_size, 1, 0)
    chosen = np.random.default_rng(1).choice(len(order), ROUNDS * STEPS, replace=False)
    made = [bundle.task.collate(ids, order[at], bundle.config.data.max_text) for at in chosen]
    return [made[first : first + STEPS] for first in range(0, len(made), STEPS)]


def training(bundle: Bundle, batches: list[Any]) -> float:
    """Target tokens a second."""
    model = bundle.model.train()
    optimiser = torch.optim.Adam(model.parameters(), lr=1e-3, fused=True)
    tokens, begun = 0, time.process_time()
    for batch in batches:
        optimiser.zero_grad(set_to_none=True)
        model.loss(batch).total.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optimiser.step()
        tokens += int((batch.targets != 0).sum())
    return tokens / (time.process_time() - begun)


def generation(bundle: Bundle, rows: list[Any], search: SearchConfig) -> float:
    """Texts a second, each of as many tokens as may be."""
    with torch.no_grad():
        bundle.model.eval().w_o[END] = 0  # no text ends
    begun = time.process_time()
    best = [found[0] for found in write(bundle, rows, search)]
    if copies(bundle):
        read_again(bundle, rows, [one.tokens for one in best], search, attention=False)
    seconds = time.process_time() - begun
    if any(len(one.tokens) != search.max_tokens for one in best):
        raise SystemExit(f"A text has not the {search.max_tokens} tokens that are asked for.")
    return len(rows) / seconds


def run(case: Case, where: str) -> dict[str, Any]:
    data = DataSet(where).of_fold(0)
    systems = bundles(case, data)
    first = next(iter(systems.values()))
    rows = list(islice(case.task.examples(data, "test"), TEXTS))
    search = replace(first.config.search, width=case.width, max_tokens=case.length, search_batch=TEXTS)
    rates: dict[str, dict[str, list[float]]] = {
        kind: {system: [] for system in SYSTEMS} for kind in ("training", "generation")
    }
    with TemporaryDirectory() as folder:
        ids = case.task.encode(data, "dev", first.vocabularies, Path(folder))
        for batches in batches_of(first, data, ids):
            for system, bundle in systems.items():
                rates["training"][system].append(training(bundle, batches))
                rates["generation"][system].append(generation(bundle, rows, search))
    return {
        "tokens_per_second": medians(rates["training"]),
        "texts_per_second": medians(rates["generation"]),
        "of_attention": {kind: shares(found) for kind, found in rates.items()},
        "sizes": {
            "hidden": first.config.model.hidden,
            "words": len(first.vocabularies.text),
            "batch": first.config.data.batch_size,
            "texts": TEXTS,
            "length": case.length,
            "width": case.width,
        },
        "rounds": ROUNDS,
        "fingerprint": data.manifest.fingerprint,
        "processor": platform.processor() or platform.machine(),
        "torch": torch.__version__,
    }


def medians(rates: dict[str, list[float]]) -> dict[str, float]:
    return {system: round(statistics.median(each), 2) for system, each in rates.items()}


def shares(rates: dict[str, list[float]]) -> dict[str, float]:
    """Of what attention reaches in the same round."""
    rounds = {
        system: [one / base for one, base in zip(each, rates["attention"], strict=True)]
        for system, each in rates.items()
    }
    return {system: round(statistics.median(each), 3) for system, each in rounds.items() if system != "attention"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in CASES:
        parser.add_argument(f"--{name}", required=True, help="a data set's folder")
    parser.add_argument("--output", type=Path, default=HERE / "results" / "pointer_speed.json")
    given = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(1)
    result = {name: run(case, getattr(given, name)) for name, case in CASES.items()}
    result_file.write(given.output, result)
    print(json.dumps(result, indent=2))


if __name__ == "__main__":
    main()
