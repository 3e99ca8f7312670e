"""Table 3 of Kiddon et al. 2016, both halves.

    python -m benchmarks.quality.dialogue --input '../shared/data/rnnlg/original'

Reads the hotel and restaurant acts, then runs `allsaid compare hotel` and `allsaid compare restaurant` side by side,
one core each: three seeds a trained system. Writes benchmarks/results/dialogue.json: every figure of every seed, and
how long each training took. `--work DIR` keeps data, models, pages and MLflow's database; what is done there already
is not done again.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import fmean
from typing import Any

from benchmarks.result_file import RESULTS, write
from training.tracking.results import Server

RESULT = RESULTS / "dialogue.json"
DOMAINS = ("hotel", "restaurant")
ALLSAID = str(Path(sys.executable).with_name("allsaid"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--input", required=True, help="the folder that holds hotel/ and restaurant/")
    parser.add_argument("--work", help="a folder to keep; without one everything is thrown away")
    parser.add_argument("--systems", default="handcrafted,sclstm,checklist,ours", help="only these")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as passing:
        work = Path(given.work or passing).absolute()
        found = compare(Path(given.input).absolute(), work, given.systems)
        result = {
            "command": f"python -m benchmarks.quality.dialogue --input FOLDER --systems {given.systems}",
            "hardware": f"{platform.processor() or platform.machine()}, {os.cpu_count()} cores, one for each domain",
            "python": platform.python_version(),
            "domains": {domain: figures(found[domain], work / domain) for domain in DOMAINS},
        }
    write(RESULT, result)
    print(json.dumps(result, indent=2))


def compare(dumps: Path, work: Path, systems: str) -> dict[str, Any]:
    """What `allsaid compare` tells of each domain, both run at once."""
    one_core = os.environ | {"OMP_NUM_THREADS": "1"}
    one_core.pop("MLFLOW_TRACKING_URI", None)
    running = {}
    for domain in DOMAINS:
        folder = work / domain
        folder.mkdir(parents=True, exist_ok=True)
        acts = str(dumps / domain / "*.json")
        subprocess.run(
            [ALLSAID, "ingest", "dialogue-acts", "--input", acts, "--output", "data"], cwd=folder, check=True
        )
        command = [ALLSAID, "--log-format", "json", "compare", domain, "--data", "data", "--systems", systems]
        running[domain] = subprocess.Popen(command, cwd=folder, env=one_core, stdout=subprocess.PIPE, text=True)
    answers = {domain: process.communicate()[0] for domain, process in running.items()}
    for domain, process in running.items():
        if process.returncode:
            raise SystemExit(f"allsaid compare {domain} failed with code {process.returncode}.")
    lines = {domain: [json.loads(line) for line in answer.splitlines()] for domain, answer in answers.items()}
    return {domain: next(line["systems"] for line in told if "systems" in line) for domain, told in lines.items()}


def figures(systems: dict[str, Any], folder: Path) -> dict[str, Any]:
    """Each system's figures, a value a seed and their mean, and its training's minutes."""
    minutes = training_minutes(folder)
    told: dict[str, Any] = {}
    for system, measured in systems.items():
        told[system] = {
            figure: {"seeds": values["ours"], "mean": round(fmean(values["ours"]), 4), "paper": values["paper"]}
            for figure, values in measured.items()
            if values["ours"]
        }
        if system in minutes:
            told[system]["training_minutes"] = minutes[system]
    return told


def training_minutes(folder: Path) -> dict[str, list[float]]:
    """By system; the experiment of its runs is named after the table and it."""
    server = Server(f"sqlite:///{folder / 'mlflow.db'}")
    found: dict[str, list[float]] = {}
    for experiment in server.client.search_experiments():
        for run in server.client.search_runs(
            [experiment.experiment_id], "tags.kind = 'train' AND attributes.status = 'FINISHED'"
        ):
            minutes = server.training_minutes(run.info.run_id)
            found.setdefault(experiment.name.partition("-")[2], []).append(round(minutes, 2))
    return found


if __name__ == "__main__":
    main()
