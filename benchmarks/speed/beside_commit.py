"""Records per second of sources beside those of an earlier commit, in turn on the same inputs, in one run.

    python -m benchmarks.speed.beside_commit --commit cbb6d1b --data ../shared/data

Each measurement plans and reads the whole input in a fresh process and by processor time, without Beam and after the
libraries are loaded, since other processes may run. Writes ``benchmarks/results/beside_commit.json``.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.result_file import RESULTS, ROOT, write
from benchmarks.speed.speed_inputs import Input, make

RESULT = RESULTS / "beside_commit.json"
RECORDS = {"records": 12_000, "allrecipes": 6_000, "mealmaster": 4_000}
FILES = 4
# Runs in either tree: the settings of a source have one name and one form in both.
MEASURE = """
import importlib, json, sys, time
from itertools import islice
from pipelines import sources
name, settings, paths = sys.argv[1], json.loads(sys.argv[2]), sys.argv[3:]
source = sources.find(name)
chosen = importlib.import_module(f"pipelines.sources.{name}.source").Settings(**settings)
for _ in islice((one for shard in source.plan(paths[:1], chosen) for one in source.read(shard, chosen)), 20):
    pass
begun = time.process_time()
read = sum(1 for shard in source.plan(paths, chosen) for _ in source.read(shard, chosen))
print(json.dumps([read, time.process_time() - begun]))
"""


def seconds(tree: Path, source: str, given: Input) -> float:
    """Return the processor time that a tree's source takes for an input."""
    paths = sorted(str(path) for folder in given.paths for path in Path(folder).iterdir())
    command = [sys.executable, "-c", MEASURE, source, json.dumps(given.settings), *paths]
    environment = {**os.environ, "PYTHONPATH": str(tree)}
    done = subprocess.run(command, cwd=tree, env=environment, capture_output=True, text=True, check=True)
    return float(json.loads(done.stdout.splitlines()[-1])[1])


def of_source(source: str, old: Path, data: Path, rounds: int) -> dict[str, Any]:
    """Return the records per second of both trees in each round, and the median of their ratios."""
    with tempfile.TemporaryDirectory() as name:
        given = make(source, data, Path(name) / "input", RECORDS[source], FILES)
        pairs = [(seconds(old, source, given), seconds(ROOT, source, given)) for _ in range(rounds)]
    rates = [[round(RECORDS[source] / one, 1) for one in pair] for pair in pairs]
    return {
        "records": RECORDS[source],
        "before": median(before for before, _ in rates),
        "now": median(now for _, now in rates),
        "now / before": round(median(now / before for before, now in rates), 3),
        "rounds": rates,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--commit", required=True, help="the earlier commit")
    parser.add_argument("--data", type=Path, required=True, help="folder of the real dumps")
    parser.add_argument("--source", choices=RECORDS, action="append", help="only this one; repeatable")
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        old = Path(folder) / "old"
        subprocess.run(["git", "clone", "--quiet", "--shared", "--no-checkout", str(ROOT), str(old)], check=True)
        subprocess.run(["git", "checkout", "--quiet", given.commit], cwd=old, check=True)
        found = {}
        for source in given.source or RECORDS:
            found[source] = of_source(source, old, given.data.resolve(), given.rounds)
            print(json.dumps({source: found[source]}), flush=True)
    write(RESULT, {"commit": given.commit, "sources": found})


if __name__ == "__main__":
    main()
