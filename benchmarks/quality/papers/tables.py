"""Table 1 of Kiddon et al. 2016: `python -m benchmarks.quality.papers.tables --data DIR --trained DIR --work DIR`.

Delivers the trainings of benchmarks/quality/papers/train.py (`--trained`) to the MLflow database in `--work`, trains
and evaluates what is missing there (`--table coref` is small enough for all of it), and writes
benchmarks/results/TABLE.json: every figure with its bootstrap interval beside the paper's, of language models the
differences to the first, and of each training its size, steps, hours and learning curve. Each text of a curve of one
pass is new to the model, so its training loss is a fair one. What is done there already is not done again. With
`--systems` the lines of the others stay as the file has them, where it is of the same data set.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
from pathlib import Path
from typing import Any

from benchmarks.result_file import RESULTS, write
from evaluation.compare import compare, table
from evaluation.compare.comparison import Comparison, Line
from evaluation.measures.bootstrap import Interval
from evaluation.options import CompareOptions
from training.tracking.results import LOSS, Server

ALLSAID = str(Path(sys.executable).with_name("allsaid"))
POINTS = 20  # of a learning curve
PLACES = 4  # BLEU by RNNLG's protocol is told with as many


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--table", default="recipes-cpu", help="a table that `allsaid compare` ships")
    parser.add_argument("--data", required=True, type=Path, help="a data set's folder")
    parser.add_argument("--trained", type=Path, help="the folder that train.py wrote")
    parser.add_argument("--work", required=True, type=Path, help="a folder for MLflow's database and the pages")
    parser.add_argument("--systems", default="", help="only these, as the table calls them: checklist,encdec")
    parser.add_argument("--result", default="", help="the name of the JSON file; by default the table's")
    parser.add_argument("--device", default="cpu", choices=["cpu", "cuda"])
    given = parser.parse_args()
    data = given.data.absolute()
    trained = sorted(path.parent for path in given.trained.absolute().glob("*/model")) if given.trained else []
    given.work.mkdir(parents=True, exist_ok=True)
    os.chdir(given.work)
    os.environ.pop("MLFLOW_TRACKING_URI", None)
    for folder in trained:
        subprocess.run([ALLSAID, "sync", str(folder)], check=True)
    found = compare.run(CompareOptions(given.table, str(data), systems=given.systems, device=given.device))
    delivered = " --trained DIR" if given.trained else ""
    path = RESULTS / f"{given.result or given.table.replace('-', '_')}.json"
    lines = earlier(path, found) | {line.entry.key: figures(line, found) for line in found.lines}
    order = [entry.key for entry in table.read(given.table, fits=lambda one: one.task == found.table.task).systems]
    held = [key for key in order if key in lines]
    only = "" if held == order else f" --systems {','.join(held)}"
    only += f" --result {given.result}" if given.result else ""
    result = {
        "command": f"python -m benchmarks.quality.papers.tables --table {given.table} --data DIR{delivered}"
        f" --work DIR{only}",
        "hardware": f"{platform.processor() or platform.machine()}, {os.cpu_count()} cores, {given.device}",
        "python": platform.python_version(),
        "task": found.table.task,
        "data": {"fingerprint": found.data.manifest.fingerprint, "splits": found.data.manifest.splits},
        "systems": {key: lines[key] for key in held},
        "truth": {name: one for line in found.truth() for name, one in figures(line, found).items()},
    }
    if differences := found.differences():
        result["differences"] = {
            key: {name: shown(*one) for name, one in of.items()} for key, of in differences.items()
        }
    write(path, result)
    print(json.dumps(result, indent=2))


def earlier(path: Path, found: Comparison) -> dict[str, Any]:
    """The lines that a result of the same data set has."""
    before = json.loads(path.read_text()) if path.exists() else {}
    is_same = before.get("data", {}).get("fingerprint") == found.data.manifest.fingerprint
    return dict(before["systems"]) if is_same else {}


def figures(line: Line, found: Comparison) -> dict[str, Any]:
    """A system's figures, of several trainings their mean, and how its first model was trained.

    The interval over texts is that of the first training.
    """
    run = line.runs[0]
    told = {
        name: {"ours": round(run.figures[name], PLACES), "paper": line.entry.paper.get(name)}
        | {end: round(run.figures[at], PLACES) for end in ("low", "high") if (at := f"{end}/{name}") in run.figures}
        for name in found.table.figures
        if name in run.figures
    }
    if len(line.runs) > 1:
        told = {name: one | of_several(line.values(name)) for name, one in told.items()}
    return told | ({"training": training(run.train_id, found.server)} if run.train_id else {})


def of_several(values: list[float]) -> dict[str, Any]:
    """The mean over trainings, with what else tells how far they lie apart."""
    return {
        "ours": round(statistics.fmean(values), PLACES),
        "deviation": round(statistics.stdev(values), PLACES) if len(values) > 1 else None,
        "median": round(statistics.median(values), PLACES),
        "each": [round(value, PLACES) for value in values],
    }


def shown(difference: float, interval: Interval) -> dict[str, float]:
    return {"ours": round(difference, PLACES), "low": round(interval.low, PLACES), "high": round(interval.high, PLACES)}


def training(run_id: str, server: Server) -> dict[str, Any]:
    client = server.client
    params = client.get_run(run_id).data.params
    losses = client.get_metric_history(run_id, LOSS)
    curve = losses[:: max(1, len(losses) // POINTS)]
    return {
        "epochs": int(params["epochs"]),
        "hidden": int(params.get("hidden", 0)),
        "parameters": int(params["parameters"]),
        "steps": losses[-1].step if losses else 0,  # of what is counted in few batches none is logged
        "hours": round(server.training_minutes(run_id) / 60, 2),
        "curve": {point.step: round(point.value, PLACES) for point in curve},
    }


if __name__ == "__main__":
    main()
