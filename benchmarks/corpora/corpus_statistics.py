"""The figures of every corpus as `allsaid ingest` counts them, for the papers' own beside them in docs/papers.md.

    python -m benchmarks.corpora.corpus_statistics --data ../shared/data

    python -m benchmarks.corpora.corpus_statistics --data ../shared/data --only litbank ontogum \\
      --results benchmarks/results/coref_statistics.json
    python -m benchmarks.corpora.corpus_statistics --data ../shared/data --only wikisql webqsp \\
      --results benchmarks/results/pair_statistics.json

Ingests each corpus into a temporary folder and writes counts, statistics and what was rejected to
``benchmarks/results/corpus_statistics.json``. The Meal-Master library has a script of its own, ``ingest_library.py``.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from typing import Any

from allsaid.modeling.data.dataset import DataSet
from benchmarks.result_file import RESULTS, write
from evaluation.measures import slots
from pipelines.ingest.config import read
from pipelines.ingest.request import Request
from pipelines.ingest.run import run
from schemas.example import SPLITS

RESULT = RESULTS / "corpus_statistics.json"
CORPORA = {  # name -> source, input files below the data folder
    "allrecipes": ("allrecipes", ["allrecipes/*.jsonl.gz"]),
    "dstc2": ("dstc2", ["dstc2/dstc2_traindev.tar.gz", "dstc2/restaurant-db.json"]),
    "hotel": ("dialogue-acts", ["rnnlg/original/hotel/*.json"]),
    "restaurant": ("dialogue-acts", ["rnnlg/original/restaurant/*.json"]),
    "wikibio sample": ("wikibio", ["wikibio/wikipedia-biography-dataset"]),
    "wikibio german": ("wikibio", ["wikibio/german"]),
    "litbank": ("coref", ["coref/litbank-conll"]),
    "ontogum": ("coref", ["coref/ontogum-conll"]),
    "wikisql": ("wikisql", ["wikisql/text2sql-wikisql.json.bz2"]),
    "webqsp": ("webqsp", ["webqsp/*.txt"]),
}


def measure(source: str, inputs: list[str]) -> dict[str, Any]:
    """Ingest one corpus; the counts of its manifest."""
    settings, _ = read(None, source, [], [])
    with tempfile.TemporaryDirectory() as folder:
        manifest = run(Request(source, inputs, folder, settings))
        found = {"polarity": polarity(DataSet(folder))} if source == "dialogue-acts" else {}
    names = ("source", "read", "kept", "rejected", "splits", "statistics", "losses")
    return {name: getattr(manifest, name) for name in names} | found


def polarity(data: DataSet) -> dict[str, dict[str, int]]:
    """By split: how many slots are yes or no, and how many of them people's texts tell the other way round."""
    found = {}
    for split in SPLITS:
        acts = list(data.acts(split))
        wrong = sum(len(slots.polarity(act.normalised.split(), act.slots).wrong) for act in acts)
        found[split] = {"wrong": wrong, "asked": sum(len(slots.binary(act.slots)) for act in acts)}
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="the folder that holds the corpora")
    parser.add_argument("--only", nargs="+", choices=CORPORA, default=[*CORPORA], help="corpora to measure")
    parser.add_argument("--results", type=Path, default=RESULT)
    options = parser.parse_args()
    found = {}
    for name in options.only:
        source, globs = CORPORA[name]
        found[name] = measure(source, [str(options.data / glob) for glob in globs])
        print(f"{name}: {found[name]['read']} read, {found[name]['kept']} kept")
    write(options.results, found)


if __name__ == "__main__":
    main()
