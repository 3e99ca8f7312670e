"""Texts with a shortlist by this code and by earlier code: which differ, and whether they are ties.

    python -m benchmarks.quality.search.equal_texts --model FOLDER --data DIR --before CHECKOUT [--limit 100]

A sum that is rounded differently may change which of two nearly equal hypotheses stays in a beam, and with it the text.
So the earlier code searches twice, with two numbers of texts at once, which also only rounds differently: that shows
how often texts change by rounding alone. Each text that differs is listed with both ranks (log-probability a word, the
end included) and the first word that differs. Processor seconds are those of the searches.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from dataclasses import replace
from itertools import zip_longest
from pathlib import Path
from typing import Any

import torch

ROOT = Path(__file__).resolve().parents[3]
FREQUENT, TOGETHER, OTHERWISE = 1_000, 32, 16  # words, and texts searched at once


def texts(model: str, data: str, limit: int, together: int) -> dict[str, Any]:
    """Tokens and rank of the best text of each row."""
    from allsaid.modeling.data.dataset import DataSet, fixed_sample
    from allsaid.modeling.saved.model_folder import load
    from training.fitting.scores import generate

    torch.set_num_threads(1)
    bundle = load(Path(model))
    rows = fixed_sample(DataSet(data).examples("test"), limit)
    options = replace(bundle.config.search, shortlist=FREQUENT, search_batch=together)
    started = time.process_time()
    found = generate(bundle, rows, options)
    seconds = time.process_time() - started
    ranks = [one.log_probability / one.length(options) for one in found]
    words = [bundle.words(one.tokens, row) for one, row in zip(found, rows, strict=True)]
    return {"ids": [row.id for row in rows], "texts": words, "ranks": ranks, "seconds": seconds}


def by(code: str, *given: str) -> dict[str, Any]:
    environment = os.environ | {"OMP_NUM_THREADS": "1", "PYTHONPATH": code}
    command = [sys.executable, __file__, "--inside", *given]
    done = subprocess.run(command, env=environment, cwd=code, capture_output=True, text=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def differences(one: dict[str, Any], other: dict[str, Any]) -> list[dict[str, Any]]:
    """Each row whose texts differ."""
    found = []
    for row, first, second, *ranks in zip(
        one["ids"], one["texts"], other["texts"], one["ranks"], other["ranks"], strict=True
    ):
        if first != second:
            place, words = next(
                (place, pair) for place, pair in enumerate(zip_longest(first, second)) if pair[0] != pair[1]
            )
            found.append({"row": row, "word": place, "words": words, "ranks": [round(rank, 5) for rank in ranks]})
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", required=True, help="a model folder")
    parser.add_argument("--data", required=True, help="the data set it was trained on")
    parser.add_argument("--before", help="a checkout of earlier code")
    parser.add_argument("--limit", default="100", help="so many rows of the test part")
    parser.add_argument("--together", default=str(TOGETHER), help=argparse.SUPPRESS)
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.inside:
        return print(json.dumps(texts(given.model, given.data, int(given.limit), int(given.together))))
    from benchmarks.result_file import RESULTS, write  # here, since earlier code needs only the search

    model, data = (str(Path(one).absolute()) for one in (given.model, given.data))
    asked = ("--model", model, "--data", data, "--limit", given.limit)
    before = by(given.before, *asked)
    now = by(str(ROOT), *asked)
    rounded = by(given.before, *asked, "--together", str(OTHERWISE))
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=given.before, capture_output=True, text=True)
    result = {
        "before": commit.stdout.strip(),
        "rows": len(now["ids"]),
        "frequent": FREQUENT,
        "processor_seconds": {"before": round(before["seconds"], 1), "now": round(now["seconds"], 1)},
        "differ": differences(before, now),
        "differ_by_rounding_alone": differences(before, rounded),
    }
    write(RESULTS / "equal_texts.json", result)
    print(json.dumps(result, indent=2))


if __name__ == "__main__":
    main()
