"""The figures of runs of `allsaid evaluate`, next to a paper's: for a model that no comparison can train here.

    MLFLOW_TRACKING_URI=… python -m benchmarks.quality.papers.evaluated --table recipes-paper --run RUN --config FILE \\
        --passes 3 --result NAME SYSTEM=RUN_ID [SYSTEM=RUN_ID …]

The systems are named as in the table. FILE is the configuration of the training (config.yaml of its run folder),
``--run`` says in words where it was trained. Writes benchmarks/results/NAME.json; systems
that it has already stay, since each may be in a database of its own.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import yaml

from benchmarks.result_file import RESULTS, ROOT, write
from evaluation.measures.bootstrap import HIGH, LOW
from training.tracking.results import Server


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--table", required=True)
    parser.add_argument("--run", required=True, help="where the model was trained, in words")
    parser.add_argument("--config", required=True, type=Path)
    parser.add_argument("--passes", required=True, type=int, help="passes that were made")
    parser.add_argument("--result", required=True)
    parser.add_argument("systems", nargs="+", help="SYSTEM=RUN_ID")
    given = parser.parse_args()
    table = yaml.safe_load((ROOT / "evaluation" / "tables" / f"{given.table}.yaml").read_text(encoding="utf-8"))
    server, path = Server(), RESULTS / f"{given.result}.json"
    systems = json.loads(path.read_text(encoding="utf-8"))["systems"] if path.exists() else {}
    for one in given.systems:
        system, _, run = one.partition("=")
        systems[system] = figures(
            server.run(run).data.metrics, table["figures"], table["systems"][system].get("paper", {})
        )
    config = yaml.safe_load(given.config.read_text(encoding="utf-8"))
    training = {
        "where": given.run,
        "passes": given.passes,
        **{key: config[part][key] for part, key in (("model", "hidden"), ("data", "batch_size"), ("fit", "optimiser"))},
    }
    result = {"systems": systems, "training": training}
    write(path, result)
    print(json.dumps(result, indent=2))


def figures(metrics: dict[str, float], keys: list[str], paper: dict[str, float]) -> dict[str, Any]:
    """Our figure, the paper's, and the ends of the bootstrap interval where there is one."""
    return {
        key: {
            "ours": round(metrics[key], 3),
            "paper": paper.get(key),
            **{
                name: round(metrics[end + key], 3)
                for name, end in (("low", LOW), ("high", HIGH))
                if end + key in metrics
            },
        }
        for key in keys
        if key in metrics
    }


if __name__ == "__main__":
    main()
