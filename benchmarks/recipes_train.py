"""Trains all systems of a table where only torch is: `python benchmarks/recipes_train.py --data DIR --out DIR`.

With `--device cuda` this is the one command for a machine with a GPU; `--table recipes-cpu` is the same table at a size
for two cores, `--table allrecipes` table 5 of Yang et al. 2016. Systems that share a model are trained once. A training
that is cut off goes on from its last checkpoint when the command is given again. Afterwards, where MLflow is,
benchmarks/recipes.py delivers and evaluates the models.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parent.parent
TABLES = ROOT / "evaluation" / "tables"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--table", default="recipes", choices=["recipes", "recipes-cpu", "recipes-paper", "allrecipes"])
    parser.add_argument("--data", required=True, help="a data set's folder")
    parser.add_argument("--out", required=True, type=Path, help="where the runs' folders go")
    parser.add_argument("--device", default="cpu", choices=["cpu", "cuda"])
    parser.add_argument("--systems", help="only these, as the table calls them: checklist,encdec")
    given = parser.parse_args()
    table = yaml.safe_load((TABLES / f"{given.table}.yaml").read_text(encoding="utf-8"))
    for name, system in trained(table).items():
        if not given.systems or name in given.systems.split(","):
            train(name, system, table["seeds"], given)


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


def train(name: str, system: dict[str, Any], seeds: list[int], given: argparse.Namespace) -> None:
    for seed in seeds:
        folder = (given.out / f"{name}-{seed}").absolute()
        if (folder / "model" / "model.safetensors").exists():
            print(f"{folder} holds its model already.", flush=True)
            continue
        settings = [part for one in [*system.get("settings", []), f"seed={seed}"] for part in ("--set", one)]
        command = [sys.executable, "-m", "training", system["config"], "--data", str(Path(given.data).absolute())]
        options = ["--run-dir", str(folder), "--name", f"recipes-{name}", "--tracking", "offline"]
        begun = ["--resume"] if (folder / "config.yaml").exists() else []
        subprocess.run([*command, *settings, *options, "--device", given.device, *begun], cwd=ROOT, check=True)


if __name__ == "__main__":
    main()
