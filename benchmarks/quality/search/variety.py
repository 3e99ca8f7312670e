"""What `--variety` changes: `python -m benchmarks.quality.search.variety --model FOLDER --work DIR [--rows 400]`.

FOLDER is a model trained on the table of benchmarks/corpora/laptops.py, DIR a new folder. The rows are made as that
script makes them, but all with the same columns, as those of a shop are. Writes benchmarks/results/variety.json.
"""

from __future__ import annotations

import argparse
import json
import platform
import random
import time
from collections import Counter
from itertools import combinations, groupby
from pathlib import Path
from statistics import fmean
from typing import Any

import pyarrow.parquet as pq

from batch_infer.job import generate
from batch_infer.options.generate import GenerateOptions
from batch_infer.proof.summary import text_files
from benchmarks.corpora.laptops import Row, whole_row, write_table
from benchmarks.result_file import RESULTS, write

RESULT = RESULTS / "variety.json"
COLUMNS = ("name", "dimension", "price_eur", "weight_kg", "webcam")
ROW_TEXTS, ROW_SHARE = 3, 8  # texts of a row, of every eighth row


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", required=True)
    parser.add_argument("--work", required=True, type=Path)
    parser.add_argument("--rows", type=int, default=400)
    given = parser.parse_args()
    given.work.mkdir(parents=True)
    table = given.work / "uniform.csv"
    write_table(table, _rows(given.rows))
    asked = {
        "plain": {},
        "--variety": {"variety": True},
        f"--texts {ROW_TEXTS}": {"texts": ROW_TEXTS, "limit": given.rows // ROW_SHARE},
        f"--texts {ROW_TEXTS} --variety": {
            "texts": ROW_TEXTS,
            "limit": given.rows // ROW_SHARE,
            "variety": True,
        },
    }
    result = {
        "command": "python -m benchmarks.quality.search.variety --model FOLDER --work DIR",
        "hardware": f"{platform.processor() or platform.machine()}, one core",
        "python": platform.python_version(),
        "columns": list(COLUMNS),
        "searches": {
            name: _measure(given.model, table, given.work / str(place), more)
            for place, (name, more) in enumerate(asked.items())
        },
    }
    write(RESULT, result)
    print(json.dumps(result, indent=2))


def _rows(count: int) -> list[Row]:
    chance = random.Random(7)
    whole = [whole_row(chance) for _ in range(count)]
    return [
        {"sku": f"V-{number:05}", "kind": "laptop", **{column: row[column] for column in COLUMNS}}
        for number, row in enumerate(whole)
    ]


def _measure(model: str, table: Path, output: Path, more: dict[str, Any]) -> dict[str, Any]:
    started = time.process_time()
    beam_args = ["--direct_num_workers", "1"]
    summary = generate.run(GenerateOptions(model, str(table), str(output), beam_args=beam_args, **more))
    seconds = time.process_time() - started
    texts = [text for path in text_files(str(output)) for text in pq.read_table(path).to_pylist()]
    wrong = sum(len(text["missing"]) + text["extra_count"] for text in texts)
    found = {
        "texts": len(texts),
        "percent_equal_texts": summary.percent_equal_texts,
        "percent_given": summary.percent_given,
        "slot_error_percent": 100 * wrong / sum(len(text["agenda"]) for text in texts),
        "faulty_texts": summary.faulty_texts,
        "log_probability_a_word": fmean(text["log_probability"] / (len(text["tokens"]) + 1) for text in texts),
        "seconds": seconds,
    }
    several = [list(of_row) for _, of_row in groupby(texts, key=lambda text: text["id"])]
    pairs = [_difference(one, other) for of_row in several for one, other in combinations(of_row, 2)]
    if pairs:
        found["different_words_percent"] = 100 * fmean(pairs)
        found["pairs_that_differ_in_a_third_percent"] = 100 * fmean(pair >= 1 / 3 for pair in pairs)
    return found


def _difference(one: dict[str, Any], other: dict[str, Any]) -> float:
    """The share of the words of two texts that the other lacks."""
    same = (Counter(one["tokens"]) & Counter(other["tokens"])).total()
    return 1 - 2 * same / (len(one["tokens"]) + len(other["tokens"]))


if __name__ == "__main__":
    main()
