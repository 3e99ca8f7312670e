"""Certified texts a second beside the texts a second of an earlier commit, which had no certificate.

    python -m benchmarks.speed.commands.certified_speed --base CHECKOUT --data DIR --table new.csv --work DIR
        [--set epochs=12]

CHECKOUT is a checkout of the commit to compare with, DIR the data set of samples/products.csv, new.csv rows without
texts. Both train the configuration `table` on the same data, which gives the same weights, and write the rows with
``--min-coverage 100``, in turns on one core. The summary's seconds of search count; medians of three runs. Writes
benchmarks/results/certified_speed.json.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
from pathlib import Path
from statistics import median

from benchmarks.result_file import RESULTS, ROOT, write

RESULT = RESULTS / "certified_speed.json"
REPEATS = 3


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--base", type=Path, required=True)
    parser.add_argument("--data", required=True)
    parser.add_argument("--table", required=True)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--set", nargs="+", default=["epochs=12"])
    given = parser.parse_args()
    given.work.mkdir(parents=True)
    checkouts = {"base": given.base.resolve(), "here": ROOT}
    for name, checkout in checkouts.items():
        settings = [part for one in given.set for part in ("--set", one)]
        where = ("--data", given.data, "--run-dir", given.work / name, "--tracking", "offline")
        allsaid(checkout, "train", "table", *where, *settings)
    found: dict[str, list[dict[str, float]]] = {name: [] for name in checkouts}
    for number in range(REPEATS):
        for name, checkout in checkouts.items():
            output = given.work / f"{name}-{number}"
            rows = ("--model", given.work / name / "model", "--input", given.table, "--output", output)
            allsaid(checkout, "generate", *rows, "--min-coverage", "100")
            found[name].append(json.loads((output / "summary.json").read_text()))
    pace = {
        name: median(one.get("certified_texts", one["texts"]) / one["search_seconds"] for one in summaries)
        for name, summaries in found.items()
    }
    result = {
        "command": "python -m benchmarks.speed.commands.certified_speed --base CHECKOUT --data DIR --table new.csv"
        " --work DIR",
        "hardware": f"{platform.processor() or platform.machine()}, {os.cpu_count()} cores, one process on one thread",
        "base_commit": git(checkouts["base"]),
        "rows": found["here"][0]["texts"],
        "certified": found["here"][0]["certified_texts"],
        "texts_per_second_before": pace["base"],
        "certified_texts_per_second": pace["here"],
        "times": pace["here"] / pace["base"],
        "search_seconds": {name: [one["search_seconds"] for one in summaries] for name, summaries in found.items()},
    }
    write(RESULT, result)
    print(json.dumps(result, indent=2))


def git(checkout: Path) -> str:
    asked = ["git", "-C", str(checkout), "rev-parse", "--short", "HEAD"]
    return subprocess.run(asked, check=True, capture_output=True, text=True).stdout.strip()


def allsaid(checkout: Path, *arguments: object) -> None:
    environment = os.environ | {"PYTHONPATH": str(checkout), "OMP_NUM_THREADS": "1"}
    command = [sys.executable, "-m", "allsaid", *map(str, arguments)]
    subprocess.run(command, check=True, env=environment, stdout=subprocess.DEVNULL, cwd=checkout)


if __name__ == "__main__":
    main()
