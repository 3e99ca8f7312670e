"""Seconds to find the nearest of all training recipes for 1,000 test recipes (NN of Kiddon et al. 2016).

    python benchmarks/nearest.py --data DIR

Peer in the same run: scikit-learn's exact search (NearestNeighbors, brute force, cosine) over the same vectors of zeros
and ones as a SciPy matrix, a hundred queries at a time. The script checks that both find recipes that are equally near.
Writes ``benchmarks/results/nearest.json``.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import resource
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import sklearn
from result_file import write
from scipy import sparse
from sklearn.neighbors import NearestNeighbors

from allsaid.modeling.data.dataset import DataSet, fixed_sample
from schemas.example import Example
from training.baselines.retrieval import Nearest

RESULTS = Path(__file__).parent / "results" / "nearest.json"
SLICE = 100  # queries that the peer gets at once; all together they need a distance for each pair in memory


def words_of(example: Example) -> set[tuple[str, str]]:
    names = [token for item in example.agenda_tokens for token in item]
    sides = (("title", example.goal_tokens), ("item", names))
    return {(side, word) for side, tokens in sides for token in tokens for word in token.split("_") if word}


def matrix(examples: list[Example], places: dict[tuple[str, str], int]) -> sparse.csr_matrix:
    """A row of zeros and ones for each example; words without a place count for its length in a last, lone column."""
    rows, columns, values = [], [], []
    for row, example in enumerate(examples):
        words = words_of(example)
        known = [places[word] for word in words if word in places]
        rows += [row] * (len(known) + 1)
        columns += [*known, len(places)]
        values += [*[1.0] * len(known), (len(words) - len(known)) ** 0.5]
    return sparse.csr_matrix((values, (rows, columns)), shape=(len(examples), len(places) + 1))


def timed(work: Callable[[], Any], repeats: int) -> tuple[dict[str, float], Any]:
    """Medians of seconds by the clock and of the processor, which other programs change less; and the work's result."""
    clock, processor = [], []
    for _ in range(repeats):
        begun, used = time.perf_counter(), time.process_time()
        found = work()
        clock.append(time.perf_counter() - begun)
        processor.append(time.process_time() - used)
    return {"seconds": round(statistics.median(clock), 2), "cpu_seconds": round(statistics.median(processor), 2)}, found


def peer(recipes: list[Example], queries: list[Example], repeats: int) -> tuple[dict[str, Any], np.ndarray]:
    """The peer's seconds, and the cosines of what it finds."""
    places: dict[tuple[str, str], int] = {}
    for recipe in recipes:
        for word in sorted(words_of(recipe)):
            places.setdefault(word, len(places))
    known, asked = matrix(recipes, places), matrix(queries, places)
    build, index = timed(lambda: NearestNeighbors(n_neighbors=1, algorithm="brute", metric="cosine").fit(known), 1)
    slices = range(0, asked.shape[0], SLICE)
    query, found = timed(lambda: [index.kneighbors(asked[start : start + SLICE])[0] for start in slices], repeats)
    return {"index": build, "query": query}, 1 - np.concatenate(found)[:, 0]


def cosine(one: Example, other: Example) -> float:
    a, b = words_of(one), words_of(other)
    return len(a & b) / (len(a) * len(b)) ** 0.5 if a and b else 0.0


def run(data: DataSet, number: int, repeats: int) -> dict[str, Any]:
    queries = fixed_sample(data.examples("test"), number)
    read, tables = timed(lambda: list(data.tables("train")), 1)
    build, nearest = timed(lambda: Nearest.build(tables), 1)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    query, found = timed(lambda: nearest.find(queries), repeats)
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    theirs, cosines = peer(list(data.examples("train")), queries, repeats)
    apart = max(
        abs(cosine(query, near) - one) for query, near, one in zip(queries, found, cosines.tolist(), strict=True)
    )
    return {
        "recipes": len(nearest.places),
        "queries": len(queries),
        "ours": {"read": read, "index": build, "query": query, "query_memory_mb": grown >> 10},
        "scikit_learn_brute_cosine": theirs,
        "largest_difference_of_cosines": apart,
        "repeats": repeats,
        "data_fingerprint": data.manifest.fingerprint,
        "machine": {"cores": os.cpu_count(), "load": os.getloadavg()[0], "machine": platform.machine()},
        "versions": {"python": platform.python_version(), "scikit_learn": sklearn.__version__, "numpy": np.__version__},
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", required=True, help="the data set that `allsaid ingest` published")
    parser.add_argument("--queries", type=int, default=1000)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--output", type=Path, default=RESULTS)
    options = parser.parse_args()
    result = run(DataSet(options.data), options.queries, options.repeats)
    if result["largest_difference_of_cosines"] > 1e-6:
        raise SystemExit(f"The two searches differ: {result}")
    options.output.parent.mkdir(parents=True, exist_ok=True)
    write(options.output, result)
    print(json.dumps(result, indent=2))


if __name__ == "__main__":
    main()
