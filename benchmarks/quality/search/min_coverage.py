"""What `--min-coverage 100` costs, and how its texts read beside the plain search's.

    python -m benchmarks.quality.search.min_coverage --model FOLDER --table new.csv --work DIR

FOLDER is a model of a table, such as benchmarks/corpora/venues.py makes, new.csv rows without texts. Both searches take
the same rows; those whose plain text says less than all are searched again by the second. Times are of the processor,
the start of a run, which both have, taken off by a run of one row. Writes benchmarks/results/min_coverage.json.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import time
from pathlib import Path
from statistics import fmean
from typing import Any

import pyarrow.parquet as pq

from batch_infer.job import generate
from batch_infer.options.generate import GenerateOptions
from batch_infer.proof.summary import text_files
from benchmarks.result_file import RESULTS, write

RESULT = RESULTS / "min_coverage.json"
REPEATS = 3


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", required=True)
    parser.add_argument("--table", required=True)
    parser.add_argument("--work", required=True, type=Path)
    parser.add_argument("--beam", type=int, help="by default the model's own; a narrow one satisfies fewer rows")
    given = parser.parse_args()
    given.work.mkdir(parents=True)
    seconds: dict[str, list[float]] = {"start": [], "plain": [], "--min-coverage 100": []}
    for number in range(REPEATS):
        for name, more in (("start", {"limit": 1}), ("plain", {}), ("--min-coverage 100", {"min_coverage": 100.0})):
            begun = time.process_time()
            request = GenerateOptions(
                given.model, given.table, folder(given.work, name, number), width=given.beam, **more
            )
            generate.run(request)
            seconds[name].append(time.process_time() - begun)
    plain, bound = (texts(folder(given.work, name, 0)) for name in ("plain", "--min-coverage 100"))
    again = [row for row, text in plain.items() if text["missing"]]
    start, *runs = (sorted(seconds[name])[REPEATS // 2] for name in seconds)
    result = {
        "command": "python -m benchmarks.quality.search.min_coverage --model FOLDER --table new.csv --work DIR",
        "hardware": f"{platform.processor() or platform.machine()}, {os.cpu_count()} cores, one process",
        "rows": len(plain),
        "beam": given.beam,
        "satisfied_by_plain_percent": 100 * (1 - len(again) / len(plain)),
        "times_plain": (runs[1] - start) / (runs[0] - start),
        "seconds": seconds,
        "given_percent": {"plain": given_percent(plain.values()), "--min-coverage 100": given_percent(bound.values())},
        "extra": {"plain": extra(plain.values()), "--min-coverage 100": extra(bound.values())},
        "searched_again": {
            "log_probability_a_word": {"plain": mean(plain, again), "--min-coverage 100": mean(bound, again)},
            "times_plain": mean(bound, again) / mean(plain, again) if again else None,
        },
    }
    write(RESULT, result)
    print(json.dumps(result, indent=2))


def folder(work: Path, name: str, number: int) -> str:
    return str(work / f"{name.strip('-').replace(' ', '-')}-{number}")


def texts(output: str) -> dict[str, dict[str, Any]]:
    return {text["id"]: text for path in text_files(output) for text in pq.read_table(path).to_pylist()}


def given_percent(found: Any) -> float:
    return fmean(text["percent_given"] for text in found)


def extra(found: Any) -> float:
    return fmean(text["extra_count"] for text in found)


def mean(found: dict[str, dict[str, Any]], rows: list[str]) -> float:
    """The mean log-probability a word, the end counted."""
    return fmean(found[row]["log_probability"] / (len(found[row]["tokens"]) + 1) for row in rows) if rows else 0.0


if __name__ == "__main__":
    main()
