"""What the choice by consensus gains on the valid parts: `python benchmarks/consensus.py --work DIR`.

DIR is that of benchmarks/dialogue.py, whose three models of each domain are searched without consensus and with that of
4, 8 and 16 imagined references. Writes benchmarks/results/consensus.json: the paper's protocol, means over the seeds.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from statistics import fmean

import torch
from result_file import write

from evaluation.measures import meteor, protocols
from evaluation.measures.protocols import PAPER
from evaluation.tasks import dialogue
from evaluation.tasks.system import System
from training.config import load_config
from training.data.dataset import DataSet
from training.saved.model_folder import load

RESULT = Path(__file__).parent / "results" / "consensus.json"
DOMAINS = ("hotel", "restaurant")
REFERENCES = (0, 4, 8, 16)  # 0: none, so the likeliest for its length


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", required=True, type=Path, help="the folder of benchmarks/dialogue.py")
    given = parser.parse_args()
    with ProcessPoolExecutor(len(DOMAINS)) as pool:
        found = list(pool.map(partial(measure, given.work), DOMAINS))
    result = {
        "command": "python benchmarks/consensus.py --work DIR",
        "hardware": f"{platform.processor() or platform.machine()}, {os.cpu_count()} cores, one for each domain",
        "python": platform.python_version(),
        "split": "dev",
        "domains": dict(zip(DOMAINS, found, strict=True)),
    }
    write(RESULT, result)
    print(json.dumps(result, indent=2))


def measure(work: Path, domain: str) -> dict[str, dict[str, float]]:
    """BLEU and METEOR for each number of references."""
    torch.set_num_threads(1)
    data = DataSet(str(work / domain / "data"))
    examples, acts = dialogue.read(data, "dev")
    references = protocols.references(acts)
    prepared = [[protocols.as_in_paper(text) for text in theirs] for theirs in references]
    models = [load(path) for path in sorted((work / domain).glob(f"compare-{domain}/runs/ours-*/model"))]
    if not models:
        raise SystemExit(f"{work} holds no trained models of {domain}. Run benchmarks/dialogue.py with --work {work}.")
    search = load_config("dialogue", []).search
    found = {}
    for number in REFERENCES:
        figures: dict[str, list[float]] = {}
        for model in models:
            system = System("ours", None, model, replace(search, consensus=float(number)))
            texts = [one.texts[0] for one in dialogue.tell(system, data, examples, acts)]
            written = [protocols.as_in_paper(text) for text in texts]
            scores = {f"bleu/{PAPER}": protocols.paper_bleu(texts, references)}
            scores |= meteor.figures(f"meteor/{PAPER}", written, prepared)
            for name, value in scores.items():
                figures.setdefault(name, []).append(value)
        found[str(number)] = {name: round(fmean(values), 2) for name, values in figures.items()}
    return found


if __name__ == "__main__":
    main()
