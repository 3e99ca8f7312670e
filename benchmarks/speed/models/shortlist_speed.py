"""The search with a shortlist beside that of earlier code and its limit: texts a second of one core.

    python -m benchmarks.speed.models.shortlist_speed --before CHECKOUT [--rounds 5]

Sizes, texts and limit are those of `benchmarks.speed.models.search_speed`, 32 texts at once. Earlier code, this code
and the limit are measured in turn, by processor time, and the medians of the rounds are compared.
"""

from __future__ import annotations

import argparse
import subprocess
from statistics import median

import torch

from benchmarks.result_file import RESULTS, ROOT, machine, write
from benchmarks.speed.models.search_speed import FREQUENT, MARKS, OWN, limit, run_ours

TEXTS = 32


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--before", required=True, help="a checkout of earlier code")
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    torch.set_num_threads(1)
    rates: dict[str, list[float]] = {"before": [], "now": [], "limit": []}
    for _ in range(given.rounds):
        for name, code in (("before", given.before), ("now", str(ROOT))):
            rates[name] += [TEXTS / seconds for _, seconds, _ in run_ours("shortlist", code, [TEXTS] * 3)["times"][1:]]
        rates["limit"].append(limit(TEXTS, MARKS + FREQUENT + OWN))
        print({name: round(each[-1], 2) for name, each in rates.items()}, flush=True)
    found = {name: median(each) for name, each in rates.items()}
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=given.before, capture_output=True, text=True)
    result = {
        "before": commit.stdout.strip(),
        "texts_per_second": {name: round(rate, 2) for name, rate in found.items()},
        "of_limit": {name: round(found[name] / found["limit"], 3) for name in ("before", "now")},
        "times_before": round(found["now"] / found["before"], 3),
        "rounds": given.rounds,
    }
    write(RESULTS / "shortlist_speed.json", result | machine())


if __name__ == "__main__":
    main()
