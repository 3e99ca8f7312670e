"""Trains all systems of a table where only torch is: `python -m benchmarks.quality.papers.train --data DIR --out DIR`.

With `--device cuda` this is the one command for a machine with a GPU; `--table recipes-cpu` is the same table at a size
for two cores, `--table allrecipes` and `--table dstc2` are tables 5 and 4 of Yang et al. 2016, `--table wikibio` is
table 1 of Lebret et al. 2016. Systems that share a model are trained once. A training that is cut off goes on from its
last checkpoint when the command is given again. Afterwards, where MLflow is, benchmarks/quality/papers/tables.py
delivers and evaluates the models.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path
from typing import Any

import yaml

from benchmarks.result_file import ROOT

TABLES = ROOT / "evaluation" / "tables"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    tables = ["recipes", "recipes-cpu", "recipes-paper", "allrecipes", "dstc2", "wikibio"]
    parser.add_argument("--table", default="recipes", choices=tables)
    parser.add_argument("--data", required=True, help="a data set's folder")
    parser.add_argument("--out", required=True, type=Path, help="where the runs' folders go")
    parser.add_argument("--device", default="cpu", choices=["cpu", "cuda"])
    parser.add_argument("--systems", help="only these, as the table calls them: checklist,encdec")
    given = parser.parse_args()
    table = yaml.safe_load((TABLES / f"{given.table}.yaml").read_text(encoding="utf-8"))
    folds = [[f"fold={fold}"] for fold in table.get("folds", [])] or [[]]
    trainings = [[f"seed={seed}", *fold] for fold in folds for seed in table["seeds"]]
    for training in trainings:
        for name, system in trained(table).items():
            if not given.systems or name in given.systems.split(","):
                train(name, system, training, given)


def trained(table: dict[str, Any]) -> dict[str, Any]:
    """The systems that have a model of their own."""
    models: dict[str, Any] = {}
    known: list[tuple[str, list[str]]] = []
    for name, system in table["systems"].items():
        model = (system.get("config", ""), system.get("settings", []))
        if model[0] and model not in known:
            known.append(model)
            models[name] = system
    return models


def train(name: str, system: dict[str, Any], training: list[str], given: argparse.Namespace) -> None:
    """training: its settings beside the system's own, "seed=1" and, where the table has folds, "fold=0"."""
    folder = (given.out / "-".join([name, *(one.partition("=")[2] for one in training)])).absolute()
    if (folder / "model" / "model.safetensors").exists():
        print(f"{folder} holds its model already.", flush=True)
        return
    settings = [part for one in [*system.get("settings", []), *training] for part in ("--set", one)]
    command = [sys.executable, "-m", "training", system["config"], "--data", str(Path(given.data).absolute())]
    options = ["--run-dir", str(folder), "--name", f"recipes-{name}", "--tracking", "offline"]
    begun = ["--resume"] if (folder / "config.yaml").exists() else []
    subprocess.run([*command, *settings, *options, "--device", given.device, *begun], cwd=ROOT, check=True)


if __name__ == "__main__":
    main()
