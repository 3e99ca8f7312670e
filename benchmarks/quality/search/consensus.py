"""What is gained by the choice of texts by consensus, measured on the valid parts of the acts.

    python -m benchmarks.quality.search.consensus --work DIR

DIR has a folder for each domain, with its `data` and with what `allsaid compare DOMAIN` trained there. Its models
`ours` and `pointer` are searched without consensus, with references drawn from the search's own texts alone, and with
4, 8 and 16 drawn from what people wrote as well. Writes benchmarks/results/consensus.json: means over the trainings.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from statistics import fmean

import torch

from allsaid.modeling.data.dataset import DataSet
from allsaid.modeling.saved.model_folder import load
from benchmarks.result_file import RESULTS, write
from evaluation.measures import meteor, protocols
from evaluation.measures.protocols import PAPER, RNNLG
from evaluation.tasks import dialogue
from evaluation.tasks.system import System

RESULT = RESULTS / "consensus.json"
DOMAINS = ("hotel", "restaurant")
SYSTEMS = ("ours", "pointer")
WAYS = {  # so many references, and whether what people wrote is known
    "no consensus": (0, True),
    "8, of the search's own texts": (8, False),
    "4": (4, True),
    "8": (8, True),
    "16": (16, True),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", required=True, type=Path, help="a folder with hotel/ and restaurant/")
    given = parser.parse_args()
    with ProcessPoolExecutor(len(DOMAINS)) as pool:
        found = list(pool.map(partial(measure, given.work), DOMAINS))
    result = {
        "command": "python -m benchmarks.quality.search.consensus --work DIR",
        "hardware": f"{platform.processor() or platform.machine()}, {os.cpu_count()} cores, one for each domain",
        "python": platform.python_version(),
        "split": "dev",
        "domains": dict(zip(DOMAINS, found, strict=True)),
    }
    write(RESULT, result)
    print(json.dumps(result, indent=2))


def measure(work: Path, domain: str) -> dict[str, dict[str, dict[str, float]]]:
    """BLEU by both protocols and METEOR, for each system and way."""
    torch.set_num_threads(1)
    data = DataSet(str(work / domain / "data"))
    examples, acts = dialogue.read(data, "dev")
    references = protocols.references(acts)
    found: dict[str, dict[str, dict[str, float]]] = {}
    for name in SYSTEMS:
        models = [load(path) for path in sorted((work / domain).glob(f"compare-{domain}/runs/{name}-*/model"))]
        if not models:
            raise SystemExit(
                f"{work} holds no trained {name} of {domain}. "
                f"Run allsaid compare {domain} --data data in {work / domain}."
            )
        for way, (number, is_known) in WAYS.items():
            each = []
            for model in models:
                search = replace(model.config.search, consensus=float(number))
                searched = model if is_known else replace(model, references=None)
                generated = dialogue.generate(System(name, None, searched, search), data, examples, acts)
                each.append(scores(generated, references))
            means = {figure: round(fmean(one[figure] for one in each), 4) for figure in each[0]}
            found.setdefault(name, {})[way] = means
    return found


def scores(generated: Sequence[dialogue.ActTexts], references: Sequence[Sequence[str]]) -> dict[str, float]:
    """Of what a model says of each act."""
    texts = [one.texts[0] for one in generated]
    written = [protocols.as_in_paper(text) for text in texts]
    prepared = [[protocols.as_in_paper(text) for text in theirs] for theirs in references]
    return {
        f"bleu/{PAPER}": protocols.paper_bleu(texts, references),
        f"bleu/{RNNLG}": protocols.rnnlg_bleu([one.segments for one in generated], references),
    } | meteor.figures(f"meteor/{PAPER}", written, prepared)


if __name__ == "__main__":
    main()
