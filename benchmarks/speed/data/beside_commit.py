"""Records per second of sources beside those of an earlier commit, in turn on the same inputs, in one run.

    python -m benchmarks.speed.data.beside_commit --before CHECKOUT --data ../shared/data [--rounds 5]

``--before``: a checkout of commit cbb6d1b (`git worktree add`). Each measurement plans and reads the whole input in a
fresh process and by processor time, without Beam and after the libraries are loaded, since other processes may run.
Writes ``benchmarks/results/beside_commit.json``.
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

from benchmarks.result_file import RESULTS, ROOT, git, write
from benchmarks.speed.data.speed_inputs import Input, make

RESULT = RESULTS / "beside_commit.json"
RECORDS = {"mealmaster": 1_500, "records": 2_000, "allrecipes": 1_500}
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
for shard in source.plan(paths, chosen):
    for _ in source.read(shard, chosen):
        pass
print(json.dumps(time.process_time() - begun))
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--before", type=Path, required=True)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--result", type=Path, default=RESULT)
    given = parser.parse_args()
    before = git("-C", str(given.before.absolute()), "rev-parse", "--short", "HEAD").strip()
    sources = {name: of_source(name, given.before.absolute(), given.data, given.rounds) for name in RECORDS}
    write(given.result, {"before": before, "sources": sources})
    print(json.dumps(sources, indent=2))


def of_source(source: str, before: Path, data: Path, rounds: int) -> dict[str, Any]:
    """Return the records per second of both trees in each round, and the median of their ratios."""
    records = RECORDS[source]
    with tempfile.TemporaryDirectory() as name:
        given = make(source, data, Path(name) / "input", records, FILES)
        pairs = [(seconds(before, source, given), seconds(ROOT, source, given)) for _ in range(rounds)]
    rates = [[round(records / one, 1) for one in pair] for pair in pairs]
    ratio = round(median(then / now for then, now in pairs), 3)
    return {"records": records, "now / before": ratio, "records_per_second": rates}


def seconds(tree: Path, source: str, given: Input) -> float:
    """Return the processor time that a tree's source takes for an input."""
    paths = sorted(str(path) for folder in given.paths for path in Path(folder).iterdir())
    command = [sys.executable, "-c", MEASURE, source, json.dumps(given.settings), *paths]
    environment = {**os.environ, "PYTHONPATH": str(tree)}
    done = subprocess.run(command, cwd=tree, env=environment, capture_output=True, text=True, check=True)
    return float(json.loads(done.stdout.splitlines()[-1]))


if __name__ == "__main__":
    main()
