"""BLEU and time by the width of the beam, of models of boxes (Lebret et al. 2016, figure 3).

    python -m benchmarks.quality.papers.box_beams --data DIR --model "Template KN=FOLDER" --model "Table NLM=FOLDER"

Each model writes texts for the same boxes, at most 1,000 of the dev part, with its own search but for the width, and
with numbers as tokens, as in the paper. Milliseconds are of one core by processor time, in batches of `search_batch`
boxes, without reading the data: the median of rounds in which the widths take turns. Writes
benchmarks/results/box_beams.json and docs/box_beams.png.
"""

from __future__ import annotations

import argparse
import json
import platform
import statistics
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch
from matplotlib.figure import Figure
from matplotlib.ticker import LogFormatter

from allsaid.modeling.data.dataset import DataSet, fixed_sample
from allsaid.modeling.saved.model_folder import Bundle, load
from allsaid.proof.scores import bleu
from benchmarks.result_file import RESULTS, ROOT, write
from evaluation.tasks.boxes import as_read
from training.fitting.scores import fingerprint, generate

WIDTHS = (1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 25)  # the paper's
BOXES = 1000
ROUNDS = 3
WARM_UP = 20  # boxes that are written for before any time is taken


def measure(bundle: Bundle, examples: list[Any], width: int) -> dict[str, float]:
    search = replace(bundle.config.search, width=width, supported_numbers_only=False)
    begun = time.process_time()
    found = generate(bundle, examples, search)
    seconds = time.process_time() - begun
    texts = [as_read(bundle.words(one.tokens, example)) for one, example in zip(found, examples, strict=True)]
    return {
        "bleu": round(bleu(texts, [example.tokens for example in examples]), 3),
        "milliseconds": round(1000 * seconds / len(examples), 3),
    }


def _median(rounds: Sequence[dict[str, float]]) -> dict[str, float]:
    """What is measured of one width, its milliseconds by their median."""
    return rounds[0] | {"milliseconds": statistics.median(one["milliseconds"] for one in rounds)}


def run(where: str, models: Mapping[str, str]) -> dict[str, Any]:
    data = DataSet(where)
    bundles = {name: load(Path(folder)) for name, folder in models.items()}
    examples = fixed_sample(next(iter(bundles.values())).task.examples(data, "dev"), BOXES)
    beams: dict[str, dict[str, Any]] = {}
    for name, bundle in bundles.items():
        measure(bundle, examples[:WARM_UP], WIDTHS[0])
        found = [{width: measure(bundle, examples, width) for width in WIDTHS} for _ in range(ROUNDS)]
        beams[name] = {str(width): _median([of_width[width] for of_width in found]) for width in WIDTHS}
        print(name, beams[name], flush=True)
    return {
        "beams": beams,
        "words": {name: len(bundle.vocabularies.text) for name, bundle in bundles.items()},
        "search_batch": {name: bundle.config.search.search_batch for name, bundle in bundles.items()},
        "boxes": len(examples),
        "rounds": ROUNDS,
        "examples_fingerprint": fingerprint(examples),
        "fingerprint": data.manifest.fingerprint,
        "processor": platform.processor() or platform.machine(),
        "torch": torch.__version__,
    }


def draw(beams: Mapping[str, Mapping[str, Mapping[str, float]]], path: Path) -> None:
    """BLEU over milliseconds a text, a line for each model, its points named by their widths."""
    figure = Figure(figsize=(6, 4), layout="constrained")
    axes = figure.subplots()
    for name, of_width in beams.items():
        points = [(found["milliseconds"], found["bleu"]) for found in of_width.values()]
        axes.plot(*zip(*points, strict=True), marker="o", markersize=4, label=name)
        for width, point in zip(of_width, points, strict=True):
            axes.annotate(width, point, xytext=(0, 5), textcoords="offset points", ha="center", fontsize=7)
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter(LogFormatter())
    axes.xaxis.set_minor_formatter(LogFormatter())
    axes.set_xlabel("milliseconds a text")
    axes.set_ylabel("BLEU-4")
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False)
    figure.savefig(path, dpi=150)


def named_model(value: str) -> tuple[str, str]:
    name, equals, folder = value.partition("=")
    if not (name and equals and folder):
        raise argparse.ArgumentTypeError(f"'{value}' is not of the form NAME=FOLDER")
    return name, folder


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", required=True, help="a data set of boxes")
    parser.add_argument("--model", required=True, action="append", type=named_model, help="NAME=FOLDER, one a model")
    parser.add_argument("--output", type=Path, default=RESULTS / "box_beams.json")
    parser.add_argument("--picture", type=Path, default=ROOT / "docs" / "box_beams.png")
    given = parser.parse_args()
    torch.set_num_threads(1)
    result = run(given.data, dict(given.model))
    write(given.output, result)
    draw(result["beams"], given.picture)
    print(json.dumps(result, indent=2))


if __name__ == "__main__":
    main()
