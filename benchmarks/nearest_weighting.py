"""How the nearest recipe's vectors may be weighted, by the texts that they find for the dev recipes.

    python benchmarks/nearest_weighting.py --data DIR

Words of ingredients or whole names; zeros and ones, or those times log(N / recipes that have it). What
`training/baselines/retrieval.py` uses scored best. Writes ``benchmarks/results/nearest_weighting.json``.
"""

from __future__ import annotations

import argparse
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from result_file import write
from scipy import sparse

from allsaid.modeling.data.dataset import DataSet
from allsaid.proof.coverage import build_lexicon
from allsaid.proof.scores import score
from schemas.example import PHRASE_JOINER, Example

RESULTS = Path(__file__).parent / "results" / "nearest_weighting.json"
SLICE = 50  # queries at once


def places_of(example: Example, whole_names: bool) -> set[tuple[str, str]]:
    title = {("title", word) for word in example.goal_tokens}
    if whole_names:
        return title | {("item", " ".join(item)) for item in example.agenda_tokens}
    tokens = [token for item in example.agenda_tokens for token in item]
    return title | {("item", word) for token in tokens for word in token.split(PHRASE_JOINER) if word}


def matrix(examples: list[Example], whole_names: bool, places: dict[tuple[str, str], int]) -> sparse.csr_matrix:
    rows = [[places[one] for one in places_of(example, whole_names) if one in places] for example in examples]
    columns = [place for row in rows for place in row]
    starts = np.cumsum([0, *map(len, rows)])
    return sparse.csr_matrix((np.ones(len(columns)), columns, starts), shape=(len(rows), len(places)))


def nearest(train: list[Example], dev: list[Example], whole_names: bool, inverse: bool) -> list[int]:
    places: dict[tuple[str, str], int] = {}
    for example in train:
        for one in sorted(places_of(example, whole_names)):
            places.setdefault(one, len(places))
    known, asked = matrix(train, whole_names, places), matrix(dev, whole_names, places)
    if inverse:
        weights = sparse.diags(np.log(len(train) / np.bincount(known.indices)))
        known, asked = known @ weights, asked @ weights
    lengths = np.sqrt(np.asarray(known.multiply(known).sum(axis=1)).ravel())
    by_place = (sparse.diags(1 / np.maximum(lengths, 1e-9)) @ known).T.tocsr()
    found: list[int] = []
    for start in range(0, len(dev), SLICE):
        found += (asked[start : start + SLICE] @ by_place).toarray().argmax(axis=1).tolist()
    return found


def run(data: DataSet) -> dict[str, Any]:
    train, dev = list(data.examples("train")), list(data.examples("dev"))
    lexicon = build_lexicon(train)
    cases = []
    for whole_names, inverse in product((False, True), repeat=2):
        found = nearest(train, dev, whole_names, inverse)
        scores = score([train[place].tokens for place in found], dev, lexicon)
        figures = {name: round(getattr(scores, name), 2) for name in ("bleu", "percent_given", "extra_items")}
        weights = "log(N / recipes that have it)" if inverse else "zeros and ones"
        cases.append({"ingredients": "whole names" if whole_names else "words", "weights": weights, **figures})
        print(cases[-1], flush=True)
    return {"recipes": len(train), "dev": len(dev), "cases": cases, "data_fingerprint": data.manifest.fingerprint}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", required=True, help="the data set that `allsaid ingest` published")
    parser.add_argument("--output", type=Path, default=RESULTS)
    options = parser.parse_args()
    options.output.parent.mkdir(parents=True, exist_ok=True)
    write(options.output, run(DataSet(options.data)))


if __name__ == "__main__":
    main()
