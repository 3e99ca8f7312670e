"""Fit the confidence of edited recipes to the verdicts of readers.

    python -m benchmarks.quality.recipes.confidence cookable_3=1.1:2.1 [NAME=SLOPE:EVEN ...]

A result of `cookable.py` has the confidence of each edited text, rounded. ``SLOPE:EVEN`` are the two numbers of
`allsaid/decoding/editing/provenance.py` in the code that wrote the texts; with them, the text's score is computed back.
A logistic regression of "usable" by most readers on the score gives the new two numbers.

Writes ``benchmarks/results/confidence.json``: these numbers, and by corpus the mean confidence that the texts had next
to the share of them that readers called usable.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence

import numpy as np

from benchmarks.quality.recipes.cookable import is_usable_text
from benchmarks.result_file import RESULTS, write

ROUNDED = 0.0005  # half of the last digit of a confidence
STEPS = 30  # of Newton's method


def main(arguments: Sequence[str]) -> None:
    scores: list[float] = []
    usable: list[bool] = []
    by_corpus: dict[str, list[tuple[float, bool]]] = {}
    for argument in arguments:
        name, _, numbers = argument.partition("=")
        slope, even = map(float, numbers.split(":"))
        texts = json.loads((RESULTS / f"{name}.json").read_text(encoding="utf-8"))["texts"]
        for text in texts:
            if "confidence" in text:
                confidence = float(np.clip(text["confidence"], ROUNDED, 1 - ROUNDED))
                scores.append(even + float(np.log(confidence / (1 - confidence))) / slope)
                usable.append(is_usable_text(text))
                by_corpus.setdefault(f"{name}: {text['origin']}", []).append((confidence, usable[-1]))
    slope, even = fitted(scores, usable)
    means = {name: np.round(100 * np.mean(pairs, axis=0), 1).tolist() for name, pairs in by_corpus.items()}
    corpora = {
        name: {"mean_confidence_percent": mean, "usable_percent": share} for name, (mean, share) in means.items()
    }
    found = {"texts": len(scores), "slope": round(slope, 1), "even": round(even, 1), "origins": corpora}
    write(RESULTS / "confidence.json", found)
    print(json.dumps(found, indent=2))


def fitted(scores: Sequence[float], usable: Sequence[bool]) -> tuple[float, float]:
    """Return the slope of a logistic regression, and the score at which a text is usable with a chance of one half."""
    inputs, given = np.column_stack([scores, np.ones(len(scores))]), np.array(usable, float)
    weights = np.zeros(2)
    for _ in range(STEPS):
        chances = 1 / (1 + np.exp(-inputs @ weights))
        curvature = inputs.T @ (inputs * (chances * (1 - chances))[:, None])
        weights += np.linalg.solve(curvature, inputs.T @ (given - chances))
    return float(weights[0]), float(-weights[1] / weights[0])


if __name__ == "__main__":
    main(sys.argv[1:])
